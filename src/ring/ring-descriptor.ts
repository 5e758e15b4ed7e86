/** Transport of samples from the worker to the audio thread. */
export type Transport = 'shared' | 'message';

/** A position in a ring: the next sample to play and the next mark to pass. Both count from 0 and wrap at 2^32. */
export interface RingPosition {
  readonly heard: number;
  readonly markRead: number;
}

/**
 * Access of the worker to a speaker's ring. The main thread sends it to the worker.
 *
 * @typeParam Port - A MessagePort; this room has no DOM types.
 */
export type RingDescriptor<Port> = SharedRing | PortRing<Port>;

/** Transport `shared`: the worker writes into the memory that the audio thread reads. */
export interface SharedRing {
  readonly transport: 'shared';
  /** Initialized by `initRing`; opened with `openRing`. */
  readonly memory: SharedArrayBuffer;
}

/**
 * Transport `message`: the worker posts to a processor that keeps the ring in its own memory.
 *
 * `heard` and `markRead` are the sample and the mark with which the processor continues. If the worker has posted
 * anything after them to an earlier processor, it posts that again.
 *
 * @typeParam Port - As in {@link RingDescriptor}.
 */
export interface PortRing<Port> extends RingPosition {
  readonly transport: 'message';
  /** The worker's end of a channel to the processor. Transfer it with the message that carries the descriptor. */
  readonly port: Port;
  /** Size of the processor's ring in samples: the maximum that can be posted and not yet read. */
  readonly capacity: number;
}
