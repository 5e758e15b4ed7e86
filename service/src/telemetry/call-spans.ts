import {
  defaultTextMapGetter,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  type Span,
  type Tracer,
} from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Spans of session calls. */
export interface CallSpans {
  /**
   * Creates a span for each `POST` to `route`, which continues the trace of the `traceparent` header. Call it before
   * adding the route, because a hook covers only later routes.
   */
  addCallSpans(app: FastifyInstance, route: string): void;
  /** Returns the span of a request as a W3C `traceparent`; `undefined` if it has none. */
  traceparentOf(request: FastifyRequest): string | undefined;
}

/** Creates {@link CallSpans} for a tracer. The spans are named `session call`. */
export function createCallSpans(tracer: Tracer): CallSpans {
  const propagator = new W3CTraceContextPropagator();
  const spans = new WeakMap<FastifyRequest, Span>();
  return {
    addCallSpans(app, route) {
      app.addHook('onRequest', async (request, reply) => {
        if (request.method !== 'POST' || request.routeOptions.url !== route) return;
        const caller = propagator.extract(ROOT_CONTEXT, request.headers, defaultTextMapGetter);
        const attributes = { 'http.request.method': 'POST', 'http.route': route };
        const span = tracer.startSpan('session call', { kind: SpanKind.SERVER, attributes }, caller);
        spans.set(request, span);
        // Unlike Fastify's onResponse, this event also fires if the client disconnects first.
        reply.raw.once('close', () => {
          if (reply.raw.writableFinished) span.setAttribute('http.response.status_code', reply.statusCode);
          span.setAttribute('svc.outcome', outcomeOf(reply.raw.writableFinished, reply.statusCode));
          if (reply.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
          span.end();
        });
      });
    },
    traceparentOf(request) {
      const context = spans.get(request)?.spanContext();
      return context && `00-${context.traceId}-${context.spanId}-0${context.traceFlags & 1}`;
    },
  };
}

function outcomeOf(isAnswered: boolean, status: number): string {
  if (!isAnswered) return 'aborted';
  return status < 400 ? 'done' : status < 500 ? 'refused' : 'error';
}
