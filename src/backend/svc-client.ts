import { parseSessionResponse, type SessionRequest, type SessionResponse } from '../protocol/index.js';
import { ApiCaller, type SvcClientOptions } from './api-caller.js';
import { checkAvatarId } from './avatar-id.js';
import { parseStringFields } from './string-fields.js';

/** Largest answer that is read, in bytes. A session repeats the `input` of its request, so it can be large. */
const ANSWER_MAX_BYTES = 4 * 1024 * 1024;

/** Largest bundle that is read, in bytes: it may contain pictures and sounds. */
const BUNDLE_MAX_BYTES = 16 * 1024 * 1024;

/** An avatar's runtime bundle as returned by the service (interface-spec 2.5). */
export interface AvatarBundle {
  /**
   * The encrypted bundle. The spec does not define the encryption; `decryptAvatarBundle` opens bundles of the embedded
   * service.
   */
  readonly payload: string;
}

/** The room to join, and the user's name in it (interface-spec 4.4). */
export interface RoomRequest {
  /** Avatar in the room. */
  readonly avatarId: string;
  /**
   * Name of the user; `my name` by default, set by the service. The avatar remembers a user by account and name: two
   * users with the same name share one memory.
   */
  readonly name?: string | undefined;
  /** Name of the room; by default the service makes one up. */
  readonly room?: string | undefined;
}

/** Access to a room (interface-spec 2.6). */
export interface RoomToken {
  /** JWT for joining; valid for some minutes. */
  readonly token: string;
  /** Name of the room; made up by the service if the request named none. */
  readonly room_name: string;
}

/** Options of a single call. */
export interface SvcCallOptions {
  /** Aborts the call, and the wait before another try. */
  readonly signal?: AbortSignal | null | undefined;
}

/**
 * Calls the service over HTTPS, with the key (interface-spec 4 and 5). For trusted backends only: never in a page.
 *
 * Runs in every runtime that has `fetch`. It never follows a redirect, since the key must go only to `baseUrl`. The key
 * does not appear in errors, nor when the client is printed.
 *
 * Every call throws `SvcApiError` if the service refuses, cannot be reached, or sends an invalid answer, and the
 * signal's reason if the signal aborts. 429 and 503 are retried first, unless the service asks for a delay of more than
 * ten seconds.
 */
export class SvcClient {
  readonly #caller: ApiCaller;

  /**
   * @throws {TypeError} If `baseUrl` is not the address of a service, or `apiKey` is not valid in a header.
   * @throws {RangeError} If `retries` or `timeoutMs` is out of range.
   */
  constructor(options: SvcClientOptions) {
    this.#caller = new ApiCaller(options);
  }

  /** Requests left in the current minute, as last reported by the service; `null` until it reports them. */
  get rateLimitRemaining(): number | null {
    return this.#caller.rateLimitRemaining;
  }

  /**
   * Requests a session (interface-spec 4.1). The URL in the answer is valid for about thirty seconds, so call this
   * right before opening the socket. The request is sent unchecked: the service reports mistakes in it with 422.
   */
  async createSession(request: SessionRequest = {}, { signal }: SvcCallOptions = {}): Promise<SessionResponse> {
    return this.#caller.call({
      method: 'POST',
      path: '/api/v1/realtime/stream/session',
      content: request,
      maxBytes: ANSWER_MAX_BYTES,
      parse: parseSessionResponse,
      signal,
    });
  }

  /**
   * Requests the bundle of an avatar (interface-spec 4.3): one of the account's own, or a public one. Up to 16 MiB.
   *
   * @throws {TypeError} If `avatarId` is empty, or contains steps of a path (`.` or `..`), which would lead elsewhere.
   */
  async getAvatarBundle(avatarId: string, { signal }: SvcCallOptions = {}): Promise<AvatarBundle> {
    return this.#caller.call({
      method: 'GET',
      path: `/api/v1/avatars/bundle/${encodeURIComponent(checkAvatarId(avatarId))}`,
      maxBytes: BUNDLE_MAX_BYTES,
      parse: (content) => parseStringFields(content, ['payload']),
      signal,
    });
  }

  /**
   * Requests access to a room with an avatar (interface-spec 4.4).
   *
   * @throws {TypeError} If `avatarId` is empty, or contains steps of a path.
   */
  async getRoomToken({ avatarId, name, room }: RoomRequest, { signal }: SvcCallOptions = {}): Promise<RoomToken> {
    const query = new URLSearchParams({ avatar_id: checkAvatarId(avatarId) });
    if (name !== undefined) query.set('name', name);
    if (room !== undefined) query.set('room', room);
    return this.#caller.call({
      method: 'GET',
      path: `/api/v1/rtc/getToken?${query.toString()}`,
      maxBytes: ANSWER_MAX_BYTES,
      parse: (content) => parseStringFields(content, ['token', 'room_name']),
      signal,
    });
  }
}
