import type { ClientMessage } from './message.js';

/** A session that has been checked: the part of the session call's answer that is needed to play it. */
export interface PlayableSession {
  /** `wss:` URL with its short-lived token. */
  readonly url: string;
  /** Sample rate of the audio on the socket, in Hz. */
  readonly sampleRate: number;
  /** Sent in order as soon as the socket is open. */
  readonly messages: readonly ClientMessage[];
  /** Only the URL is known. The service may speak without a request. */
  readonly isBareUrl?: boolean;
}
