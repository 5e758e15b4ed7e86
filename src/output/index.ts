/**
 * The audio graph of a page: a context that its speakers share, and each speaker's nodes in it. Main thread.
 *
 * `on-demand.js` contains the part that is loaded with the first speech.
 */
export type { AudioBackendName, HostContext } from './audio-backend.js';
export type { PlayoutNode } from './playout-node.js';
export type { Ducking, PlayoutSettings, ResamplerQuality } from './playout-settings.js';
export { SpeakerOutput } from './speaker-output.js';
