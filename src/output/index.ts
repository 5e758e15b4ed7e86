/**
 * The audio graph of a page: the shared context, and a line through it for each speaker. Main thread.
 *
 * What is needed only once there is speech (`playout-node.js`, `thread-file.js`, the thread files themselves) is loaded
 * with the first of it.
 */
export { AudioOutput, type OutputWish } from './audio-output.js';
export type { AudioBackendName, HostContext } from './audio-backend.js';
export type { PlayoutSettings, ResamplerQuality } from './playout-settings.js';
export type { PlayoutNode } from './playout-node.js';
