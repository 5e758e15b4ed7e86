/**
 * Messages of the message transport, for pages without SharedArrayBuffer: the worker's port leads straight to the
 * worklet, which keeps a ring of the same layout in its own memory. And those between main thread and processor.
 */
import type { MarkKind } from './layout.js';

/**
 * Of the processor. Has this package's version: what the threads tell each other differs from one to the next, and a page
 * may have two of them in one context.
 */
export const PROCESSOR_NAME = 'svc-speaker-0.1.0';

/** Worker to worklet, in order. */
export type ToWorklet = { samples: Int16Array } | { mark: MarkKind.Any; serial: number };

/**
 * Worklet to worker: how far the ring has been read, samples and marks, as in `Slot.read` and `Slot.markRead`. What is
 * before that has been given back. At most one about every 100 ms; any of them may be lost.
 */
export interface FromWorklet {
  read: number;
  markRead: number;
}

/**
 * What the main thread gives the processor when it makes the node.
 *
 * @typeParam Table - The resampler's table; this room knows nothing of it.
 */
export interface ProcessorOptions<Table> {
  /** The ring; on the message transport its header alone, for a ring that the processor makes. */
  ring: SharedArrayBuffer | Int32Array;
  /** Number of this processor: it plays for as long as `Slot.owner` says so. */
  owner: number;
  table: Table;
}

/**
 * What the platform hands to the processor's constructor: what the node was made with.
 *
 * @typeParam Table - As in {@link ProcessorOptions}.
 */
export interface NodeOptions<Table> {
  processorOptions: ProcessorOptions<Table>;
}

/** Main thread to the processor, by the node's port. */
export type ToProcessor =
  /** Message transport: a header slot that the main thread would have stored itself. */
  | { slot: number; value: number }
  /** Message transport: the worklet's end of the worker's port. */
  | { port: MessagePortLike }
  /** The last one, after the processor has left: the port is to be closed. */
  | { close: true };

/**
 * Main thread to the processor, by the node's port, on both transports: another table for the resampler. The sound goes
 * down and up again in a ramp around the change.
 *
 * @typeParam Table - As in {@link ProcessorOptions}.
 */
export interface NewTable<Table> {
  table: Table;
}

/** The part of a MessagePort that is used here; this room has no DOM types. */
export interface MessagePortLike {
  onmessage: ((event: { data: never }) => void) | null;
  postMessage(message: unknown): void;
  close(): void;
}

/** What happens in the playout. `at` is the context time in seconds at which it holds. */
export type PlayoutEvent =
  /** Sound starts leaving: at a start, after a pause, after a silence. */
  | { event: 'playing'; at: number }
  /** The first sample of an utterance, or the instant after its last, leaves. */
  | { event: 'start' | 'end'; serial: number; at: number }
  /** The buffer has run dry inside an utterance, and what could be made up in its place is over: silence begins. */
  | { event: 'stalled'; at: number }
  /** The buffer had run dry inside an utterance, for `durationMs`; part of that, or all, was made up for. */
  | { event: 'underrun'; durationMs: number; at: number }
  /** Everything there was has been played. */
  | { event: 'drained'; at: number };

/** Processor to main thread, by the node's port. */
export type FromProcessor =
  | PlayoutEvent
  /** Message transport: a copy of the header's first `PREFIX_SLOTS` slots. */
  | { header: Int32Array }
  /** The processor is not the owner any more, and has ended; nothing follows. */
  | { left: true };
