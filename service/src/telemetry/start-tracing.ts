import { ExportResultCode } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor, type SpanExporter } from '@opentelemetry/sdk-trace-base';
import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '../clock.js';
import { createCallSpans, type CallSpans } from './call-spans.js';
import { createSocketSpans, type TracedSocket } from './socket-spans.js';
import type { StreamObserver } from '../stream/stream-observer.js';

/** Options of {@link startTracing}. */
export interface TracingOptions {
  /** Address that spans are sent to, such as `http://127.0.0.1:4318/v1/traces`. */
  readonly url: string;
  /** Name of this node: the resource's `service.instance.id`. */
  readonly node: string;
  readonly clock: Clock;
  readonly log: Pick<FastifyBaseLogger, 'info' | 'warn'>;
}

/** Traces of sessions, from the session call to the end of the socket. */
export interface Tracing extends CallSpans {
  /** Creates the observer that records the spans of one socket. */
  observe(socket: TracedSocket): StreamObserver;
  /** Sends the spans that have ended, until `signal` is aborted. Never rejects. */
  close(signal: AbortSignal): Promise<void>;
}

/**
 * Starts OpenTelemetry with an OTLP/HTTP exporter. Import this module dynamically, because it loads the libraries.
 *
 * Nothing is registered globally, so an embedding program keeps its own OpenTelemetry. The libraries read the other
 * `OTEL_` variables. They buffer at most 2048 spans and drop further ones, so an unreachable collector only loses
 * spans.
 */
export function startTracing({ url, node, clock, log }: TracingOptions): Tracing {
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'svc-service', 'service.instance.id': node }).merge(
      detectResources({ detectors: [envDetector] }),
    ),
    spanProcessors: [new BatchSpanProcessor(withWarning(new OTLPTraceExporter({ url }), log))],
  });
  const tracer = provider.getTracer('svc-service');
  return {
    ...createCallSpans(tracer),
    observe: (socket) => createSocketSpans(tracer, clock, socket),
    async close(signal) {
      const timeUp = new Promise<void>((resolve) => {
        if (signal.aborted) resolve();
        signal.addEventListener('abort', () => resolve(), { once: true });
      });
      // The exporter has already logged a batch that cannot be sent.
      await Promise.race([provider.shutdown().catch(() => {}), timeUp]);
    },
  };
}

/** Logs when the collector starts to fail and when it recovers, instead of every failed batch. */
function withWarning(exporter: SpanExporter, log: TracingOptions['log']): SpanExporter {
  let isFailing = false;
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const fails = result.code !== ExportResultCode.SUCCESS;
        if (fails && !isFailing) {
          log.warn(
            { err: result.error },
            'Traces cannot be sent and are dropped until the collector takes them. Check OTEL_EXPORTER_OTLP_ENDPOINT.',
          );
        } else if (!fails && isFailing) log.info('The collector takes traces again.');
        isFailing = fails;
        done(result);
      });
    },
    forceFlush: async () => exporter.forceFlush?.(),
    shutdown: () => exporter.shutdown(),
  };
}
