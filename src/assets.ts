/**
 * The two thread files as files of their own, for pages whose content security policy has no `blob:`. Bundlers that
 * know `new URL(…, import.meta.url)` copy them; set them as `worklet-url` and `worker-url`.
 *
 * @packageDocumentation
 */

/** For `worklet-url`. */
export const workletUrl: string = new URL('./threads/speaker.worklet.js', import.meta.url).href;

/** For `worker-url`. */
export const workerUrl: string = new URL('./threads/session.worker.js', import.meta.url).href;
