/** API key of the speech service behind the demo. It must never reach a browser. */
export const API_KEY = 'svc-demo-Zb3kQ9-canary-7XwLm2';
