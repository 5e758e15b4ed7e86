/** Platform APIs beyond ECMAScript that this room uses, present in browsers and elsewhere. */

interface AbortSignal {
  readonly aborted: boolean;
  readonly reason: unknown;
}

declare class AbortController {
  readonly signal: AbortSignal;
  abort(reason?: unknown): void;
}

declare class DOMException extends Error {
  constructor(message: string, name: string);
}

/** This room only passes streams on. */
interface ReadableStream<T> {
  getReader(): { read(): Promise<{ done: boolean; value: T | undefined }> };
}

interface MessagePort {
  postMessage(message: unknown, transfer?: readonly ArrayBuffer[]): void;
  close(): void;
}

declare function queueMicrotask(callback: () => void): void;

declare class Blob {
  constructor(parts: readonly ArrayBufferView[], options: { type: string });
  readonly size: number;
  readonly type: string;
  arrayBuffer(): Promise<ArrayBuffer>;
}
