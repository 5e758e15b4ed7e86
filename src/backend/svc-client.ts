import { parseSessionResponse, type SessionRequest, type SessionResponse } from '../protocol/index.js';
import { ApiCaller, type SvcClientOptions } from './api-caller.js';
import { checkAvatarId } from './avatar-id.js';
import { parseStringFields } from './string-fields.js';

/** Largest answer that is read, in bytes. A session repeats the `input` of its request, so it may not be small. */
const ANSWER_MAX_BYTES = 4 * 1024 * 1024;

/** Largest bundle that is read, in bytes: pictures and sounds may be in it. */
const BUNDLE_MAX_BYTES = 16 * 1024 * 1024;

/** An avatar's runtime bundle as the service hands it out (interface-spec 2.5). */
export interface AvatarBundle {
  /** The bundle, encrypted. The spec does not show how; `decryptAvatarBundle` opens those of the embedded service. */
  readonly payload: string;
}

/** Which room is to be joined, by whom (interface-spec 4.4). */
export interface RoomRequest {
  /** Avatar to be met there. */
  readonly avatarId: string;
  /**
   * Name of the user; the service takes `my name` if there is none. Together with the account it is what the avatar
   * remembers a user by: two users of one name share one memory.
   */
  readonly name?: string | undefined;
  /** The room; the service makes one up if there is none. */
  readonly room?: string | undefined;
}

/** Admission to a room (interface-spec 2.6). */
export interface RoomToken {
  /** JWT for joining; good for some minutes. */
  readonly token: string;
  /** The room; the service made it up if the request named none. */
  readonly room_name: string;
}

/** Options of a single call. */
export interface SvcCallOptions {
  /** Ends the call, and the wait before another try. */
  readonly signal?: AbortSignal | null | undefined;
}

/**
 * Calls the service over HTTPS, with the key (interface-spec 4 and 5). For trusted backends only: never in a page.
 *
 * Runs wherever there is `fetch`. It never follows a redirect, since the key must not go anywhere but to `baseUrl`, and
 * neither shows the key in errors nor when it is printed.
 *
 * Every call throws `SvcApiError` if the service refuses, cannot be reached, or answers what it should not, and the
 * reason of its signal if that aborts. 429 and 503 were tried again before, unless the service asked for more than ten
 * seconds of patience.
 */
export class SvcClient {
  readonly #caller: ApiCaller;

  /**
   * @throws {TypeError} If `baseUrl` is no address of a service, or `apiKey` cannot stand in a header.
   * @throws {RangeError} If `retries` or `timeoutMs` is not a number in range.
   */
  constructor(options: SvcClientOptions) {
    this.#caller = new ApiCaller(options);
  }

  /** Requests left in the current minute, as the service last said; `null` as long as it has not. */
  get rateLimitRemaining(): number | null {
    return this.#caller.rateLimitRemaining;
  }

  /**
   * Asks for a session (interface-spec 4.1). The URL in the answer is good for about thirty seconds, so ask right before
   * the socket is opened. The request goes out as it is: what is wrong with it, the service says with 422.
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
   * Asks for the bundle of an avatar (interface-spec 4.3): one's own, or a public one. Up to 16 MiB.
   *
   * @throws {TypeError} If `avatarId` is empty, or holds steps of a path (`.` or `..`): it would lead elsewhere.
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
   * Asks for admission to a room with an avatar (interface-spec 4.4).
   *
   * @throws {TypeError} If `avatarId` is empty, or holds steps of a path.
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
