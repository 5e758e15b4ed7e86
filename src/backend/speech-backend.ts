import {
  describeFieldErrors,
  parseSessionRequest,
  parseSessionResponse,
  type SessionRequest,
  type SessionResponse,
} from '../protocol/index.js';
import { answer, answerTo, isForPage, refuse } from './answer.js';
import { missingOption, type SvcClientOptions } from './api-caller.js';
import { isAvatarId } from './avatar-id.js';
import { allowOrigins } from './cross-origin.js';
import { JSON_DEPTH_MAX, readJson } from './error-detail.js';
import { isProduction } from './production.js';
import { readText } from './read-text.js';
import { parseRoomQuery } from './room-request.js';
import { findRoute, type Route, urlOf } from './route.js';
import { SvcApiError } from './svc-api-error.js';
import { SvcClient, type RoomRequest } from './svc-client.js';

/** Default limit of a request body, in bytes. */
const BODY_MAX_BYTES = 64 * 1024;

const NO_AUTHORIZE =
  'this backend gives nothing to anyone: pass authorize(request) to createSpeechBackend to say who may have what it ' +
  'gives, or production: false where only you can reach it';

/** Options of {@link createSpeechBackend}: how to reach the service, and who may use it. */
export interface SpeechBackendOptions extends Omit<SvcClientOptions, 'baseUrl' | 'apiKey'> {
  /**
   * Address of the service, with or without `/api/v1`; `http:` or `https:`. May be missing while an app is built: see
   * `strict`.
   */
  readonly baseUrl: string | undefined;
  /** Key of the account. It is sent only in the header of calls to `baseUrl`. May be missing like `baseUrl`. */
  readonly apiKey: string | undefined;
  /**
   * If true, a missing `baseUrl` or `apiKey` throws at once. By default, every request is then answered with 503,
   * because frameworks run server code while they build an app, where secrets are not set.
   */
  readonly strict?: boolean;
  /**
   * Decides whether the sender of a request may use this backend at your expense: check a cookie, a session or a
   * header. It is called for every route and must not read the body (clone the request for that). `false` sends 403. A
   * response of your own, such as a 401 with `{detail: 'log in first'}`, is sent as it is. Without this hook everyone
   * is allowed; in production, nobody is.
   */
  readonly authorize?: (request: Request) => boolean | Response | Promise<boolean | Response>;
  /**
   * Decides whether a session is allowed: which voices, how much `input`, or whether the rest of an utterance may be
   * spoken again after a socket has died (`reason: 'resume'`). Without it, any valid session is.
   */
  readonly allow?: (sessionRequest: SessionRequest, request: Request) => boolean | Promise<boolean>;
  /** Decides whether the bundle of an avatar is allowed. Without it, any bundle available to the account is. */
  readonly allowAvatar?: (avatarId: string, request: Request) => boolean | Promise<boolean>;
  /**
   * Decides which room the sender of the request joins, and under which name: the requested one, another one, or `null`
   * for none.
   *
   * An avatar remembers users by `name`, and other users may be in the room. Without this hook, a visitor can choose
   * any name and any room, including another user's. If users have accounts, take the name from there:
   * `room: (asked, request) => ({ avatarId: asked.avatarId, name: userOf(request).id })`.
   */
  readonly room?: (asked: RoomRequest, request: Request) => RoomRequest | null | Promise<RoomRequest | null>;
  /**
   * Origins, other than the backend's own, whose pages may use it with their visitors' cookies. Write them exactly as
   * browsers do, such as `https://app.example`. None by default.
   */
  readonly corsOrigins?: readonly string[];
  /**
   * True if strangers can reach this backend. By default: if `NODE_ENV` is `production`, if the environment is missing
   * or may not be read, or if the runtime is an edge platform.
   */
  readonly production?: boolean;
  /** Largest request body, in bytes; 65536 by default. */
  readonly maxBodyBytes?: number;
  /**
   * Called with every failure whose reason is not sent to the page: the service failed or refused the key
   * ({@link SvcApiError}), or a hook threw; and once if the options let no request pass: `baseUrl`, `apiKey` or, in
   * production, `authorize` is missing. By default the failure is logged to the console. Errors thrown by `onError`
   * are logged there too. Errors of this library never contain the key.
   */
  readonly onError?: (error: unknown) => unknown;
}

/** Options of {@link createSpeechBackend} for sessions that do not come from a service of this interface. */
export interface OwnSessionOptions extends Omit<SpeechBackendOptions, 'baseUrl' | 'apiKey'> {
  /**
   * Returns the answer to a session request, in place of the service: for another speech service, or one of several. It is
   * called after `authorize` and `allow`. Its signal aborts when the page has gone. If it throws, `onError` gets the
   * error, and the page 500 without it; an {@link SvcApiError} is answered as one of the service.
   */
  readonly session: (
    sessionRequest: SessionRequest,
    options: { readonly signal: AbortSignal },
  ) => SessionResponse | Promise<SessionResponse>;
  /** Address of the service for avatars and rooms. Without it and `apiKey`, their routes are 404. */
  readonly baseUrl?: string | undefined;
  /** Key of the account there. */
  readonly apiKey?: string | undefined;
}

/** The part of a host page's server that holds the key. */
export interface SpeechBackend {
  /**
   * Answers a request. Routes by the end of the path, so it can be mounted anywhere:
   *
   * - `POST …/session` with a session request as JSON (interface-spec 2.1): the session response (2.2).
   * - `GET …/avatars/ID/bundle`: the avatar's bundle (2.5).
   * - `GET …/rooms/token?avatar_id=ID`, with optional `name` and `room`: the room token (2.6).
   *
   * Everything else is 404 or 405, and every error has the body `{detail}`. Pages of origins that `corsOrigins` does
   * not name cannot use it: they get no CORS headers, and requests that a browser sends for them over https: or on
   * localhost are refused. A session requires the `Content-Type` `application/json`, which they cannot send. Rejects
   * only if it gets no Request, such as that of Express: see `nodeHandler`.
   */
  readonly fetch: (request: Request) => Promise<Response>;
}

/**
 * Creates the backend that gives sessions, avatars and rooms to pages and keeps the key on the server. Uses only the
 * Fetch API: it runs on Node (see `nodeHandler`), Deno, Bun and workers, and in any framework that has `Request` and
 * `Response`.
 *
 * @throws {TypeError|RangeError} If an option is invalid, as documented at {@link SvcClient}, or `corsOrigins` contains
 *   anything but exact origins. A missing `baseUrl` or `apiKey` throws only with `strict`.
 */
export function createSpeechBackend(options: SpeechBackendOptions | OwnSessionOptions): SpeechBackend {
  const { baseUrl = '', apiKey = '', strict = false } = options;
  const ownSession = 'session' in options ? options.session : null;
  const isSet = baseUrl !== '' && apiKey !== '';
  const client = isSet || (strict && !ownSession) ? new SvcClient({ ...options, baseUrl, apiKey }) : null;
  const { allow, allowAvatar, room, maxBodyBytes = BODY_MAX_BYTES, onError = logError } = options;
  const authorize = options.authorize ?? (() => true);
  const locked = !options.authorize && (options.production ?? isProduction());
  const crossOrigin = allowOrigins(options.corsOrigins ?? []);
  let reported = false;

  async function answerRoute(route: Route, request: Request): Promise<Response> {
    if (crossOrigin.isPreflight(request)) return crossOrigin.answerPreflight(request, route.method);
    const { method } = route;
    if (request.method !== method) return refuse(405, `only ${method} is answered here`, { Allow: method });
    const makeSession = ownSession ? checked(ownSession) : client?.createSession.bind(client);
    if (!client && ownSession && route.name !== 'session') return refuse(404, 'this backend gives only sessions');
    if (!makeSession) return refuseAll(503, missingOption(baseUrl === '' ? 'baseUrl' : 'apiKey'));
    if (locked) return refuseAll(403, NO_AUTHORIZE);
    if (crossOrigin.isForeign(request)) {
      return refuse(403, 'pages of other origins are not answered, unless corsOrigins names them');
    }
    const allowed = await authorize(request);
    if (isResponse(allowed)) return changeable(allowed);
    if (!allowed) return refuse(403, 'not allowed');
    if (route.name === 'session') return answerSession(request, makeSession);
    return route.name === 'room' ? answerRoom(request, client!) : answerBundle(route.avatarId, request, client!);
  }

  async function answerSession(request: Request, makeSession: OwnSessionOptions['session']): Promise<Response> {
    // A page of another origin cannot send this type without a preflight.
    if (!/^application\/json\s*(;|$)/i.test(request.headers.get('Content-Type') ?? '')) {
      return refuse(415, 'Content-Type must be application/json');
    }
    if (request.bodyUsed)
      throw new TypeError('other code has read the body of the request: let it read request.clone()');
    const tooLarge = Number(request.headers.get('Content-Length') ?? 0) > maxBodyBytes;
    const body = tooLarge ? null : await readText(request.body, maxBodyBytes);
    if (body === null) return refuse(413, `the body must be at most ${maxBodyBytes} bytes`);
    const content = readJson(body);
    if (content === undefined) return refuse(400, `the body must be JSON, at most ${JSON_DEPTH_MAX} levels deep`);
    const parsed = parseSessionRequest(content);
    if (!parsed.ok) return refuse(422, describeFieldErrors(parsed.errors));
    if (allow && !(await allow(parsed.value, request))) return refuse(403, 'this session is not allowed');
    const { reason: _, ...wanted } = parsed.value;
    return answer(200, await makeSession(wanted, { signal: request.signal }));
  }

  async function answerBundle(avatarId: string, request: Request, service: SvcClient): Promise<Response> {
    if (!isAvatarId(avatarId)) return refuse(404, 'there is no such avatar');
    if (allowAvatar && !(await allowAvatar(avatarId, request))) return refuse(403, 'this avatar is not allowed');
    return answer(200, await service.getAvatarBundle(avatarId, request));
  }

  async function answerRoom(request: Request, service: SvcClient): Promise<Response> {
    const asked = parseRoomQuery(urlOf(request).searchParams);
    if (!asked.ok) return refuse(422, describeFieldErrors(asked.errors));
    const wanted = room ? await room(asked.value, request) : asked.value;
    if (!wanted) return refuse(403, 'this room is not allowed');
    return answer(200, await service.getRoomToken(wanted, request));
  }

  return {
    async fetch(request) {
      // Express and others call any function with their own request, and then wait for an answer.
      if (!('get' in request.headers)) throw new TypeError('fetch() takes a Request: use nodeHandler(backend) here');
      const route = findRoute(urlOf(request).pathname);
      const answered = route ? await answerSafely(route, request) : refuse(404, 'there is nothing here');
      return crossOrigin.admit(request, answered);
    },
  };

  async function answerSafely(route: Route, request: Request): Promise<Response> {
    try {
      return await answerRoute(route, request);
    } catch (error) {
      // The page has disconnected, so nobody reads this response. 499 is the status that proxies log for this case.
      if (request.signal?.aborted) return refuse(499, 'the page has ended the request');
      const aboutAvatar = route.name !== 'session';
      if (!(error instanceof SvcApiError && isForPage(error, aboutAvatar))) void report(error);
      return error instanceof SvcApiError ? answerTo(error, aboutAvatar) : refuse(500, 'the server failed');
    }
  }

  /** Refuses a request because the options let none pass. Only the first refusal is reported. */
  function refuseAll(status: number, detail: string): Response {
    if (!reported) void report(new Error(detail));
    reported = true;
    return refuse(status, detail);
  }

  /** Nobody awaits this. A failing logger must neither become the response nor end the process. */
  async function report(error: unknown): Promise<void> {
    try {
      await onError(error);
    } catch (failure) {
      logError(failure);
    }
  }
}

/** Returns a function that throws a TypeError for a session that no player could use. */
function checked(session: OwnSessionOptions['session']): OwnSessionOptions['session'] {
  return async (...request) => {
    const parsed = parseSessionResponse(await session(...request));
    if (!parsed.ok) throw new TypeError(`session is not usable: ${describeFieldErrors(parsed.errors)}`);
    return parsed.value;
  };
}

/** True for a Response, also one of another library or realm, which `instanceof` does not recognise. */
function isResponse(value: boolean | Response): value is Response {
  return (Object(value) as Partial<Response>).status! >= 0;
}

/**
 * Returns a copy that can be sent: the headers of some responses, such as those of a fetch, are immutable. Headers about
 * another connection, and about the encoding of a body that a fetch has decoded, are left out.
 */
function changeable(response: Response): Response {
  const copy = new Response(response.body, response);
  for (const name of ['connection', 'keep-alive', 'transfer-encoding', 'content-encoding', 'content-length'])
    copy.headers.delete(name);
  return copy;
}

function logError(error: unknown): void {
  // oxlint-disable-next-line no-console -- without onError, the host's log is where its operator looks
  console.error('svc-speaker backend:', error);
}
