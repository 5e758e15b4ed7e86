import type { ClientMessage } from './message.js';

/** A session that has been validated: the part of the session call's response that is needed to play it. */
export interface PlayableSession {
  /** `wss:` URL with its short-lived token. */
  readonly url: string;
  /** Sample rate of the audio on the socket, in Hz. */
  readonly sampleRate: number;
  /** Messages to send in order as soon as the socket is open. */
  readonly messages: readonly ClientMessage[];
  /** True if the service reports when words are spoken. */
  readonly timings?: boolean;
  /** True if only the URL is known. The service may then speak without a request. */
  readonly isBareUrl?: boolean;
}
