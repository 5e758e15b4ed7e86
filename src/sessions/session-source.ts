import { objectOrNull } from '../base/object-or-null.js';
import type { SessionRequest, SessionResponse } from '../protocol/index.js';

/**
 * Reason for a session request: `play()` or `speak()`; `retry`, because a socket ended before any audio of an utterance;
 * `resume`, for the rest of an utterance whose socket ended in the middle, or before its text.
 */
export type SessionReason = 'play' | 'speak' | 'retry' | 'resume';

/**
 * Fetches a session when a socket is needed: the token in its URL is valid for about 30 seconds.
 *
 * @param request - `signal` is aborted when the session is no longer wanted.
 * @returns The service's response, or only its URL.
 */
export type SessionProvider = (request: {
  signal: AbortSignal;
  reason: SessionReason;
}) => Promise<SessionResponse | string>;

/** The attributes that name a source of sessions. */
export interface SourceAttributes {
  /** Session URL; empty if there is none. */
  readonly src: string;
  /** Endpoint on the page's own backend; empty if there is none. */
  readonly sessionEndpoint: string;
  getAttribute(name: 'session-request'): string | null;
}

/**
 * The source of sessions that a page has set: a session, its URL, a provider or an endpoint. The first of these that is
 * set is used.
 *
 * Main thread.
 */
export class SessionSource {
  readonly attributes: SourceAttributes;
  #session: SessionResponse | null = null;
  #setAtMs = 0;
  #provider: SessionProvider | null = null;
  #request: SessionRequest | null = null;

  constructor(attributes: SourceAttributes) {
    this.attributes = attributes;
  }

  /** Response to a session call. */
  get session(): SessionResponse | null {
    return this.#session;
  }

  /** @throws {TypeError} If it is neither an object nor null. Undefined means null, because frameworks pass it. */
  set session(session: SessionResponse | null | undefined) {
    session ??= null;
    if (session !== null && typeof session !== 'object') {
      throw new TypeError(`session must be the answer of a session call or null, not ${typeof session}`);
    }
    this.#session = session;
    this.#setAtMs = Date.now();
  }

  /** Time at which `session` was set, in ms since the epoch. */
  get sessionSetAtMs(): number {
    return this.#setAtMs;
  }

  get provider(): SessionProvider | null {
    return this.#provider;
  }

  /** @throws {TypeError} If it is neither a function nor null. */
  set provider(provider: SessionProvider | null | undefined) {
    provider ??= null;
    if (provider !== null && typeof provider !== 'function') {
      throw new TypeError(`sessionProvider must be a function or null, not ${typeof provider}`);
    }
    this.#provider = provider;
  }

  /** Body of the POST to the endpoint. An object that was set takes precedence over the attribute. */
  get request(): SessionRequest | null {
    const json = this.#requestJson;
    if (this.#request || json === null) return this.#request;
    try {
      return JSON.parse(json) as SessionRequest;
    } catch {
      console.warn(
        `<svc-speaker>: session-request is not valid JSON: ${json}. Use double quotes around property names and strings.`,
      );
      return null;
    }
  }

  /** @throws {TypeError} If it is neither an object nor null. */
  set request(request: SessionRequest | null | undefined) {
    this.#request = objectOrNull(request, 'sessionRequest');
  }

  /** URL of the audio stream in `src`; empty if `src` is a session URL, or a session was set. */
  get audioUrl(): string {
    const { src } = this.attributes;
    return this.#session || /^\s*wss?:/i.test(src) ? '' : src;
  }

  /** Session URL; empty if there is none. */
  get sessionUrl(): string {
    return this.audioUrl ? '' : this.attributes.src;
  }

  /** Changes when a session that is requested now may differ from one before, for example in its voice. */
  get wish(): string {
    if (!this.canRenew) return '';
    const { sessionEndpoint } = this.attributes;
    try {
      return JSON.stringify([sessionEndpoint, this.#request ?? this.#requestJson]);
    } catch {
      return ''; // The request reports it.
    }
  }

  get #requestJson(): string | null {
    return this.attributes.getAttribute('session-request');
  }

  /** True if the page has set a source of sessions. */
  get exists(): boolean {
    return Boolean(this.#session || this.sessionUrl || this.canRenew);
  }

  /** True if the source can give more than one session. */
  get canRenew(): boolean {
    return !this.#session && !this.sessionUrl && Boolean(this.#provider || this.attributes.sessionEndpoint);
  }
}
