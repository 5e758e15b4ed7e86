/**
 * The trusted side: code for a host page's own server, which lets its pages speak while the API key stays on the
 * server.
 *
 * Uses only the Fetch API and WebCrypto, without dependencies: runs on Node, Deno, Bun and workers.
 *
 * @packageDocumentation
 */
export { type SvcClientOptions } from './api-caller.js';
export { AvatarBundleError, decryptAvatarBundle } from './decrypt-avatar-bundle.js';
export { nodeHandler, type NodeRequest, type NodeResponse } from './node-handler.js';
export { type Clock } from './retry.js';
export {
  createSpeechBackend,
  type OwnSessionOptions,
  type SpeechBackend,
  type SpeechBackendOptions,
} from './speech-backend.js';
export { SvcApiError, type SvcApiErrorCode } from './svc-api-error.js';
export { SvcClient, type AvatarBundle, type RoomRequest, type RoomToken, type SvcCallOptions } from './svc-client.js';
export {
  cartesiaSession,
  deepgramSession,
  elevenLabsSession,
  type CartesiaSessionOptions,
  type DeepgramSessionOptions,
  type ElevenLabsSessionOptions,
  type VendorSessionOptions,
} from './vendor-sessions.js';
