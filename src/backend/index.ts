/**
 * The trusted side: what a host page's own server needs so that its pages can speak while the API key stays with it.
 *
 * Fetch API and WebCrypto only, no dependency: runs on Node, Deno, Bun and workers.
 *
 * @packageDocumentation
 */
export { type SvcClientOptions } from './api-caller.js';
export { AvatarBundleError, decryptAvatarBundle } from './decrypt-avatar-bundle.js';
export { nodeHandler, type NodeRequest, type NodeResponse } from './node-handler.js';
export { type Clock } from './retry.js';
export { createSpeechBackend, type SpeechBackend, type SpeechBackendOptions } from './speech-backend.js';
export { SvcApiError, type SvcApiErrorCode } from './svc-api-error.js';
export { SvcClient, type AvatarBundle, type RoomRequest, type RoomToken, type SvcCallOptions } from './svc-client.js';
