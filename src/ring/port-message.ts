/**
 * Messages between the main thread and the processor, and between the worker and the processor.
 *
 * The latter are the message transport, for pages without SharedArrayBuffer. The worker has a port directly to the
 * processor, which keeps a ring of the same layout in its own memory.
 */
import type { MarkKind } from './layout.js';

/**
 * Name of the processor. It contains the version of this package, because messages differ between versions and one
 * context may have processors of two versions.
 */
export const PROCESSOR_NAME = 'svc-speaker-0.1.0';

/** Worker to processor, in order. The buffer of `samples` is transferred. */
export type ToWorklet = { samples: Int16Array } | { mark: MarkKind.Any; serial: number };

/**
 * Processor to worker: values of `Slot.read` and `Slot.markRead`. The space before them is free again. Sent about
 * every 100 ms, and at once when speech was discarded or an event happened. Any message may be lost.
 */
export interface FromWorklet {
  read: number;
  markRead: number;
}

/**
 * Options of the processor, from the main thread.
 *
 * @typeParam Table - Table of the resampler, which this room does not know.
 */
export interface ProcessorOptions<Table> {
  /** The ring. On the message transport, its header, from which the processor makes a ring. */
  ring: SharedArrayBuffer | Int32Array;
  /** Number of this processor. It plays while `Slot.owner` is this number. */
  owner: number;
  table: Table;
}

/**
 * Parameter of the processor's constructor: the options of the node.
 *
 * @typeParam Table - As in {@link ProcessorOptions}.
 */
export interface NodeOptions<Table> {
  processorOptions: ProcessorOptions<Table>;
}

/** Main thread to processor, through the node's port. */
export type ToProcessor =
  /** Message transport: a header slot to set. With shared memory, the main thread sets the slot itself. */
  | { slot: number; value: number }
  /** The node is connected, so the processor may play. On the message transport, with the port to the worker. */
  | { start: MessagePortLike | null }
  /** Linear level, 0 to 1, and length of the ramp to it in seconds. `Infinity`: change it when nothing sounds. */
  | { level: number; seconds: number }
  /** Closes the port. The last message, sent after the processor has left. */
  | { close: true };

/**
 * Main thread to processor, through the node's port, on both transports: another table for the resampler. The sound is
 * faded out before the change and faded in after it.
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

/** Event of the playout. `at` is its context time in seconds. */
export type PlayoutEvent =
  /** Sound begins: at the start of a run, after a pause, or after a silence. */
  | { event: 'playing'; at: number }
  /**
   * The first sample of an utterance plays, or the last one has played. `playedSamples` were played until then, since
   * the last seek.
   */
  | { event: 'start' | 'end'; serial: number; playedSamples: number; at: number }
  /** The ring ran empty within an utterance, and the concealment has faded out: silence begins. */
  | { event: 'stalled'; at: number }
  /** The ring was empty within an utterance for `durationMs`, all or part of which was concealed. */
  | { event: 'underrun'; durationMs: number; at: number }
  /** Everything in the ring has played. */
  | { event: 'drained'; at: number };

/** Processor to main thread, through the node's port. */
export type FromProcessor =
  /** `seek` is the number of the seek that the event follows; 0 before the first. */
  | (PlayoutEvent & { seek: number })
  /** Message transport: a copy of the header's first `PREFIX_SLOTS` slots. */
  | { header: Int32Array }
  /** The processor no longer owns the ring and has ended. The last message. */
  | { left: true };
