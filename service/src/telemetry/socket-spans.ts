import {
  defaultTextMapGetter,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type HrTime,
  type Tracer,
} from '@opentelemetry/api';
import { millisToHrTime, W3CTraceContextPropagator } from '@opentelemetry/core';
import { CloseCode } from '../../../src/protocol/index.js';
import type { Clock } from '../clock.js';
import type { StreamObserver } from '../stream/stream-observer.js';

/** A socket whose token was accepted. */
export interface TracedSocket {
  readonly sessionId: string;
  readonly voiceId: string;
  /** Span of the session call, a W3C `traceparent` from the session's token; without one, the socket begins a trace. */
  readonly traceparent?: string;
  /** Time at which the upgrade arrived, on the scale of `Clock.elapsed`. */
  readonly arrivedAt: number;
}

/**
 * Creates the spans of one socket. `socket` lasts from its upgrade to its close. Its children are `admission`, which
 * lasts until the socket is admitted or refused, and one `context` per context, with the event `first frame`.
 */
export function createSocketSpans(
  tracer: Tracer,
  clock: Clock,
  { arrivedAt, sessionId, traceparent, voiceId }: TracedSocket,
): StreamObserver {
  // Read the date once per socket, so that its spans stay in order if the system time changes.
  const offset = clock.now() - clock.elapsed();
  const at = (elapsed: number): HrTime => millisToHrTime(offset + elapsed);
  const call = new W3CTraceContextPropagator().extract(ROOT_CONTEXT, { traceparent }, defaultTextMapGetter);
  const attributes = { 'session.id': sessionId, 'svc.voice': voiceId };
  const socket = tracer.startSpan('socket', { kind: SpanKind.SERVER, startTime: at(arrivedAt), attributes }, call);
  const below = trace.setSpan(ROOT_CONTEXT, socket);
  const admission = tracer.startSpan('admission', { startTime: at(arrivedAt) }, below);
  let firstFrameAt: HrTime | null = null;
  const end = (code: number, outcome: string): void => {
    socket.setAttributes({ 'svc.close_code': code, 'svc.outcome': outcome });
    if (code === CloseCode.engineFailed) socket.setStatus({ code: SpanStatusCode.ERROR });
    socket.end(at(clock.elapsed()));
  };
  return {
    opened() {
      admission.setAttribute('svc.outcome', 'admitted').end(at(clock.elapsed()));
    },
    closed: (code) => end(code, 'closed'),
    refused(code) {
      admission.setAttributes({ 'svc.outcome': 'refused', 'svc.close_code': code }).end(at(clock.elapsed()));
      end(code, 'refused');
    },
    firstFrame() {
      firstFrameAt = at(clock.elapsed());
    },
    frameSent() {},
    contextEnded(outcome, ms) {
      const now = clock.elapsed();
      const options = { startTime: at(now - ms), attributes: { 'svc.voice': voiceId, 'svc.outcome': outcome } };
      const context = tracer.startSpan('context', options, below);
      if (firstFrameAt) context.addEvent('first frame', firstFrameAt);
      firstFrameAt = null;
      if (outcome === 'error') context.setStatus({ code: SpanStatusCode.ERROR });
      context.end(at(now));
    },
  };
}
