/** Key of the speech service behind the demo: it must never reach a browser. */
export const API_KEY = 'svc-demo-Zb3kQ9-canary-7XwLm2';
