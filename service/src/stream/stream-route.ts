import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { CloseCode, describeCloseCode } from '../../../src/protocol/index.js';
import type { Clock } from '../clock.js';
import type { Limits } from '../limits.js';
import type { LeaseRefusal } from '../session/lease-claims.js';
import type { AcceptedToken, SessionTokens } from '../session/session-token.js';
import type { SocketLease, SocketLeases } from '../session/socket-leases.js';
import { queryMatches, type StreamSession } from '../session/stream-session.js';
import type { SpeechEngine, Voice } from '../speech/speech-engine.js';
import { closeSocket } from './close-socket.js';
import { holdReading } from './hold-reading.js';
import { limitInboundRate } from './inbound-rate.js';
import type { StreamObserver } from './stream-observer.js';
import { serveStream, type ServedStream } from './stream-socket.js';

/** Path of the socket. Not below `/api/v1`, which requires a key: a browser cannot send one when it opens a socket. */
export const STREAM_PATH = '/realtime/stream';

/** A socket whose token was accepted. */
export interface ObservedSocket {
  readonly sessionId: string;
  readonly accountId: string;
  readonly voiceId: string;
  /** Span of the session call, as W3C `traceparent`, if calls are traced. */
  readonly traceparent?: string;
  /** Time at which the upgrade arrived, on the scale of `Clock.elapsed`. */
  readonly arrivedAt: number;
}

/** Options of {@link addStreamRoute}. */
export interface StreamRouteOptions {
  readonly tokens: SessionTokens;
  readonly leases: SocketLeases;
  readonly engine: SpeechEngine;
  readonly limits: Limits;
  /** Counts upgrades with a refused token per client address, and refuses those above the limit. */
  readonly rateLimit: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply | undefined>;
  /** Maximum number of open sockets on this node; no limit by default. */
  readonly maxSockets: number | undefined;
  readonly clock: Clock;
  /** Creates the observer of one socket. The argument is `null` if its token was not accepted. */
  readonly observe: (socket: ObservedSocket | null) => StreamObserver;
  readonly report: (error: unknown) => void;
}

/** The open sockets of this node. */
export interface OpenStreams {
  /**
   * Stops admitting sockets, and lets open ones finish what they have begun.
   *
   * @returns Resolves once all are closed, or `signal` is aborted. Sockets that are still open then stay open.
   */
  drain(signal: AbortSignal): Promise<void>;
  /**
   * Stops admitting sockets, and closes the open ones with 1001.
   *
   * @returns Resolves once no admission is pending.
   */
  close(): Promise<void>;
}

/** Close codes of sockets that may not be open, or no longer. */
const REFUSALS: Readonly<Record<LeaseRefusal, readonly [code: number, reason?: string]>> = {
  'too-many-sockets': [CloseCode.tooManySockets],
  'out-of-credits': [CloseCode.outOfCredits],
  'voice-refused': [CloseCode.voiceRefused],
  'key-revoked': [CloseCode.tokenRefused, 'The API key of this session was revoked.'],
};

/**
 * Adds the socket (interface-spec 4.2).
 *
 * A refused client gets an open socket that is closed with the code of the reason, because browsers do not reveal why
 * an upgrade failed. Two cases refuse the upgrade itself: with 503 if the node is draining or full, and with 429 if a
 * client address has sent too many upgrades with a refused token.
 */
export function addStreamRoute(app: FastifyInstance, options: StreamRouteOptions): OpenStreams {
  const streams = new OpenSockets();
  /** State of pending upgrades. */
  const entrants = new WeakMap<IncomingMessage, Entrant>();
  app.route({
    method: 'GET',
    url: STREAM_PATH,
    schema: { hide: true },
    preValidation: async (request, reply) => {
      const { socket } = request.raw;
      const end = (): unknown => reply.header('connection', 'close').raw.once('finish', () => socket.end());
      // A proxy can then try another node. After the upgrade, only the client could try again.
      if (streams.draining || streams.size >= (options.maxSockets ?? Infinity)) {
        end();
        return reply
          .code(503)
          .header('retry-after', '1')
          .send({
            detail: streams.draining ? describeCloseCode(CloseCode.draining) : 'This node has no room for more.',
          });
      }
      if (!request.ws) return undefined;
      const arrivedAt = options.clock.elapsed();
      const leave = streams.enter();
      socket.once('close', leave);
      const query = new URL(request.url, 'ws://localhost').searchParams;
      // The upgrade does not wait for the database, unless this node has met the token before. After the upgrade, a
      // database error closes the socket, and so does a token that another node has accepted.
      const isRefused = await new Promise<boolean>((resolve) => {
        const accepting = options.tokens.accept(query.get('token') ?? '', () => resolve(false));
        entrants.set(request.raw, { accepting, arrivedAt, leave, query });
        accepting.then(
          (accepted) => resolve(accepted === null),
          () => resolve(false),
        );
      });
      if (!isRefused) return undefined;
      const answer = await options.rateLimit(request, reply);
      if (answer) end();
      return answer;
    },
    handler: async (_request, reply) =>
      reply.code(426).header('upgrade', 'websocket').send({ detail: 'This address is for WebSockets.' }),
    wsHandler: (socket, request) => {
      // Read nothing until the client is identified: no message is lost, and none is buffered for an unknown client.
      const resume = holdReading(socket);
      limitInboundRate(socket, request.raw.socket, options.clock, {
        bytes: { perSecond: options.limits.inboundBytesPerSecond, burst: options.limits.inboundBurstBytes },
        messages: { perSecond: options.limits.inboundMessagesPerSecond, burst: options.limits.inboundBurstMessages },
      });
      const entrant = entrants.get(request.raw)!;
      const refuse = async ({ code, reason }: Refused): Promise<void> => {
        options.observe(await observedSocket(entrant)).refused(code);
        closeSocket(socket, code, reason);
      };
      let stream: ServedStream | undefined;
      const onRefused = (refusal: LeaseRefusal): void => stream?.close(...REFUSALS[refusal]);
      const admission = admit(entrant, streams.draining, options, onRefused)
        .then(async (answer) => {
          if ('code' in answer) return refuse(answer);
          const { accountId, lease, session, voice } = answer;
          const observed = await observedSocket(entrant);
          if (socket.readyState !== socket.OPEN) return lease.release();
          stream = serveStream({
            ...options,
            socket,
            session,
            accountId,
            voice,
            lease,
            observer: options.observe(observed),
          });
          streams.add(stream, socket);
          resume();
        })
        .catch((error: unknown) => {
          options.report(error);
          return refuse({ code: CloseCode.engineFailed, reason: 'The service failed: try again later.' });
        });
      streams.await(admission);
      entrant.leave();
    },
  });
  return streams;
}

/** An upgrade that was passed on to the handler of the socket. */
interface Entrant {
  readonly query: URLSearchParams;
  readonly accepting: Promise<AcceptedToken | null>;
  readonly arrivedAt: number;
  /** Releases the place on this node that the upgrade takes until its admission. */
  readonly leave: () => void;
}

class OpenSockets implements OpenStreams {
  readonly #streams = new Set<ServedStream>();
  /** Upgrades whose token is being verified. */
  readonly #entrants = new Set<symbol>();
  /** Pending admissions. */
  readonly #admissions = new Set<Promise<void>>();
  #onEmpty = (): void => {};
  draining = false;

  /** Number of sockets that are open or being admitted. */
  get size(): number {
    return this.#streams.size + this.#admissions.size + this.#entrants.size;
  }

  /**
   * Takes a place for an upgrade.
   *
   * @returns A function that releases the place. May be called more than once.
   */
  enter(): () => void {
    const entrant = Symbol('entrant');
    this.#entrants.add(entrant);
    return () => this.#entrants.delete(entrant);
  }

  await(admission: Promise<void>): void {
    this.#admissions.add(admission);
    void admission.finally(() => this.#admissions.delete(admission));
  }

  add(stream: ServedStream, socket: { on(event: 'close', listener: () => void): unknown }): void {
    this.#streams.add(stream);
    socket.on('close', () => {
      this.#streams.delete(stream);
      if (this.#streams.size === 0) this.#onEmpty();
    });
    if (this.draining) stream.drain();
  }

  async drain(signal: AbortSignal): Promise<void> {
    this.draining = true;
    await Promise.all(this.#admissions);
    await new Promise<void>((resolve) => {
      this.#onEmpty = resolve;
      signal.addEventListener('abort', () => resolve(), { once: true });
      for (const stream of this.#streams) stream.drain();
      if (this.#streams.size === 0 || signal.aborted) resolve();
    });
  }

  async close(): Promise<void> {
    this.draining = true;
    for (const stream of this.#streams) stream.close(CloseCode.draining);
    await Promise.all(this.#admissions);
  }
}

interface Admitted {
  readonly session: StreamSession;
  readonly accountId: string;
  readonly voice: Voice;
  readonly lease: SocketLease;
}

interface Refused {
  readonly code: number;
  readonly reason?: string | undefined;
}

async function observedSocket({ accepting, arrivedAt }: Entrant): Promise<ObservedSocket | null> {
  const claims = await accepting.catch(() => null); // `admit` fails with the same database error
  if (!claims) return null;
  const { accountId, session, sessionId, traceparent } = claims;
  return {
    sessionId,
    accountId,
    voiceId: session.voice_id,
    arrivedAt,
    ...(traceparent === undefined ? {} : { traceparent }),
  };
}

async function admit(
  { accepting, query }: Entrant,
  draining: boolean,
  { engine, leases }: StreamRouteOptions,
  onRefused: (refusal: LeaseRefusal) => void,
): Promise<Admitted | Refused> {
  if (draining) return { code: CloseCode.draining };
  const claims = await accepting;
  if (!claims) return { code: CloseCode.tokenRefused };
  const { accountId, keyId, session, sessionId } = claims;
  if (!queryMatches(query, session)) {
    return { code: CloseCode.tokenRefused, reason: 'The session URL was changed: open it as it was given.' };
  }
  if (!engine.available) return { code: CloseCode.engineFailed };
  const voice = engine.voices.find(({ id }) => id === session.voice_id);
  if (!voice) return { code: CloseCode.voiceRefused, reason: 'This node does not have the voice of the session.' };
  const owner = { sessionId, accountId, keyId, premium: voice.premium ?? false };
  const lease = await leases.acquire(owner, onRefused);
  if (typeof lease === 'string') {
    const [code, reason] = REFUSALS[lease];
    return { code, reason };
  }
  return { session, accountId, voice, lease };
}
