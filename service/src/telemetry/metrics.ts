import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { CloseCode } from '../../../src/protocol/index.js';
import type { SpeechEngine } from '../speech/speech-engine.js';
import type { ContextOutcome, StreamObserver } from '../stream/stream-observer.js';
import { processMetrics } from './process-metrics.js';

/** Time from text to sound, in seconds: about 25 ms for a short sentence on an idle node; more than 1 s is too long. */
const FIRST_FRAME_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1];

/** Time of one heartbeat statement, in seconds: 1 ms alone, more under load. */
const HEARTBEAT_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

/** Time to answer an HTTP request, in seconds; the longest ones wait for the database or a slow client. */
const HTTP_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/**
 * Close codes with a label of their own: those of the protocol and the standard ones of RFC 6455 (section 7.4.1). A
 * client may close with any of thousands of codes.
 */
const KNOWN_CODES = new Set<number>([...Object.values(CloseCode), 1002, 1005, 1006, 1007, 1008, 1011]);

/** Measurements of one HTTP response. */
export interface HttpAnswer {
  readonly method: string;
  /** Pattern of the route, not the path. */
  readonly route: string;
  readonly status: number;
  readonly seconds: number;
}

/** Metrics of a service for Prometheus. Main thread; every method is quick and never throws. */
export interface Metrics extends StreamObserver {
  /** Records the response to an HTTP request. */
  answered(answer: HttpAnswer): void;
  /** Records milliseconds of an open socket charged to an account. */
  metered(ms: number): void;
  /** Records a successful heartbeat of the leases, which took `ms` milliseconds. */
  heartbeat(ms: number): void;
  /** Records a failed heartbeat of the leases. */
  heartbeatFailed(): void;
  /** Records a statement that the database refused, or an unreachable database. */
  databaseFailed(): void;
  /** Media type of {@link text}. */
  readonly contentType: string;
  /** Returns all metrics, including those of the process, in the text format of Prometheus. */
  text(): Promise<string>;
}

/** Creates the metrics of one service, separate from others in the process. Nothing needs to be closed. */
export function createMetrics({ engine }: { readonly engine: Pick<SpeechEngine, 'available' | 'parts'> }): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const counter = <Label extends string = never>(name: string, help: string, labelNames: Label[] = []) =>
    new Counter<Label>({ name, help, labelNames, registers });

  const http = new Histogram({
    name: 'svc_http_request_duration_seconds',
    help: 'Time to answer an HTTP request, by pattern of the route; unknown where there is none',
    labelNames: ['method', 'route', 'status'],
    buckets: HTTP_BUCKETS,
    registers,
  });
  const socketsOpen = new Gauge({ name: 'svc_sockets_open', help: 'Sockets that are open', registers });
  const socketsOpened = counter('svc_sockets_opened_total', 'Sockets that were admitted');
  const socketsRefused = counter('svc_sockets_refused_total', 'Sockets that were not admitted, by close code', [
    'code',
  ]);
  const socketsClosed = counter(
    'svc_sockets_closed_total',
    'Sockets that were admitted and are closed, by close code',
    ['code'],
  );
  const socketSeconds = counter('svc_socket_open_seconds_total', 'Time that closed sockets were open');
  const contexts = counter('svc_contexts_total', 'Contexts, by how they ended: done, error or aborted', ['outcome']);
  const frames = counter('svc_frames_sent_total', 'Frames of audio that were handed to sockets');
  const audioSeconds = counter('svc_audio_seconds_total', 'Audio that was handed to sockets');
  const firstFrame = new Histogram({
    name: 'svc_first_frame_seconds',
    help: 'From the first text of a context to its first frame',
    buckets: FIRST_FRAME_BUCKETS,
    registers,
  });
  const credits = counter('svc_credits_metered_total', 'Credits taken for open sockets; a credit is a second');
  const heartbeats = new Histogram({
    name: 'svc_heartbeat_duration_seconds',
    help: 'Time to renew the leases of a node and to bill its sockets',
    buckets: HEARTBEAT_BUCKETS,
    registers,
  });
  const heartbeatFailures = counter('svc_heartbeat_failures_total', 'Heartbeats that failed');
  const databaseErrors = counter(
    'svc_database_errors_total',
    'Statements that failed, the database being down included',
  );
  const engineAvailable: Gauge = new Gauge({
    name: 'svc_speech_engine_available',
    help: '1 if the speech engine can speak, 0 if it is down',
    registers,
    collect: () => engineAvailable.set(engine.available ? 1 : 0),
  });
  if (engine.parts) {
    const partAvailable: Gauge<'engine'> = new Gauge({
      name: 'svc_speech_engine_part_available',
      help: '1 if this one of several speech engines can speak, 0 if it is down',
      labelNames: ['engine'],
      registers,
      collect() {
        for (const [name, isUp] of Object.entries(engine.parts!)) partAvailable.set({ engine: name }, isUp ? 1 : 0);
      },
    });
  }
  // Initialize to 0: Prometheus can compute a rate from the first event only if there was a sample before it.
  for (const outcome of ['done', 'error', 'aborted'] satisfies ContextOutcome[]) contexts.inc({ outcome }, 0);

  return {
    contentType: registry.contentType,
    text: async () => (await registry.metrics()) + (await processMetrics().metrics()),
    answered: ({ seconds, ...labels }) => http.observe(labels, seconds),
    opened() {
      socketsOpen.inc();
      socketsOpened.inc();
    },
    closed(code, openMs) {
      socketsOpen.dec();
      socketsClosed.inc({ code: codeLabel(code) });
      socketSeconds.inc(Math.max(0, openMs) / 1000);
    },
    refused: (code) => socketsRefused.inc({ code: codeLabel(code) }),
    firstFrame: (ms) => firstFrame.observe(ms / 1000),
    frameSent(seconds) {
      frames.inc();
      audioSeconds.inc(seconds);
    },
    contextEnded: (outcome) => contexts.inc({ outcome }),
    metered: (ms) => credits.inc(Math.max(0, ms) / 1000),
    heartbeat: (ms) => heartbeats.observe(ms / 1000),
    heartbeatFailed: () => heartbeatFailures.inc(),
    databaseFailed: () => databaseErrors.inc(),
  };
}

function codeLabel(code: number): string {
  return KNOWN_CODES.has(code) ? String(code) : 'other';
}
