import type { ClientMessage } from './message.js';
import type { SpeechDialect } from './speech-dialect.js';

/** A session that has been validated: the part of the session call's response that is needed to play it. */
export interface PlayableSession {
  /** `wss:` URL with its short-lived token. */
  readonly url: string;
  /** Sample rate of the audio on the socket, in Hz. */
  readonly sampleRate: number;
  /** Messages to send in order as soon as the socket is open. */
  readonly messages: readonly ClientMessage[];
  /** How its socket speaks; {@link SVCTTS_V1} if omitted. */
  readonly dialect?: SpeechDialect;
  /** Effective voice, for the templates of the dialect. */
  readonly voice?: string;
  /** True if the service reports when words are spoken. */
  readonly timings?: boolean;
  /** True if only the URL is known. The service may then speak without a request. */
  readonly isBareUrl?: boolean;
}
