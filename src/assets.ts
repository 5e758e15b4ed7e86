/**
 * URLs of the two thread files, for pages whose content security policy does not allow `blob:`. Bundlers that know
 * `new URL(…, import.meta.url)` copy the files. Set the URLs as `worklet-url` and `worker-url`.
 *
 * On a server, both are empty, which stands for the built-in files: a page cannot use the server's own URLs.
 *
 * @packageDocumentation
 */

const isPage = typeof document !== 'undefined';

/** Value of `worklet-url`. */
export const workletUrl: string = isPage ? new URL('./threads/speaker.worklet.js', import.meta.url).href : '';

/** Value of `worker-url`. */
export const workerUrl: string = isPage ? new URL('./threads/session.worker.js', import.meta.url).href : '';
