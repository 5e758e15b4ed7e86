import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A span from OTLP/HTTP. Its attributes and those of its resource are objects. */
export interface CollectedSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly resource: Readonly<Record<string, unknown>>;
  readonly events: readonly string[];
  readonly isError: boolean;
  /** In milliseconds since the epoch. */
  readonly startedAt: number;
  readonly endedAt: number;
}

interface Member {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

interface Batch {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Member[] };
    readonly scopeSpans: readonly { readonly spans: readonly SentSpan[] }[];
  }[];
}

interface SentSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly attributes: readonly Member[];
  readonly events?: readonly { readonly name: string }[];
  readonly status: { readonly code?: number };
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
}

/** An OpenTelemetry collector: an HTTP server on 127.0.0.1 that takes spans as JSON. */
export class TraceCollector {
  readonly spans: CollectedSpan[] = [];
  /** Headers of each request, and its path as `path`. */
  readonly requests: IncomingHttpHeaders[] = [];
  /** Bodies of all requests. */
  received = '';
  /** Status of its responses; `null` for no response. */
  status: number | null = 200;
  readonly #server = createServer((request, response) => void this.#take(request, response));

  /** Starts to listen; resolves with its base URL. */
  async listen(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Returns the only span of this name. */
  span(name: string): CollectedSpan {
    const found = this.spans.filter((span) => span.name === name);
    if (found.length !== 1) throw new Error(`${found.length} spans ${name} of ${this.spans.length}`);
    return found[0]!;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    this.requests.push({ ...request.headers, path: request.url! });
    this.received += body;
    if (this.status === null) return;
    if (this.status === 200) this.spans.push(...readSpans(JSON.parse(body) as Batch));
    response.writeHead(this.status, { 'content-type': 'application/json' }).end('{}');
  }
}

function readSpans({ resourceSpans }: Batch): CollectedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans
      .flatMap(({ spans }) => spans)
      .map((span) => ({
        name: span.name,
        traceId: span.traceId,
        spanId: span.spanId,
        parentSpanId: span.parentSpanId,
        attributes: readMembers(span.attributes),
        resource: readMembers(resource.attributes),
        events: (span.events ?? []).map(({ name }) => name),
        isError: span.status.code === 2,
        startedAt: Number(BigInt(span.startTimeUnixNano)) / 1e6,
        endedAt: Number(BigInt(span.endTimeUnixNano)) / 1e6,
      })),
  );
}

function readMembers(members: readonly Member[]): Record<string, unknown> {
  return Object.fromEntries(members.map(({ key, value }) => [key, Object.values(value)[0]]));
}
