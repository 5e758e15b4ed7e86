/** A fault to plant in a copy of the player: in `file`, `replace` takes the place of `find`. */
export interface Fault {
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}

/**
 * Runs `act` in the processor for each sample of a block. `heard` counts the samples since the first that is not zero,
 * and `second` is the same count in seconds.
 */
function onBlock(act: string): Fault {
  return {
    file: 'worklet/speaker-processor.ts',
    find: 'if (this.#playout.isArmed) this.#stayAwake(block, frame);',
    replace: `
      for (let i = 0; i < block.length; i++) {
        if (block[i] !== 0 || this.heard > 0) this.heard = (this.heard ?? 0) + 1;
        const second = (this.heard ?? 0) / sampleRate;
        ${act}
      }`,
  };
}

/** Faults that the testing kit must find. Times count from the first sample of the speech. */
export const FAULTS = {
  /** Silence for 40 ms from 0.3 s on, one wrong sample at 0.6 s, and silence after 0.9 s. */
  damaged: onBlock(`
    if (second > 0.3 && second <= 0.34) block[i] = 0;
    if (this.heard === Math.round(0.6 * sampleRate)) block[i] += 0.3;
    if (second > 0.9) block[i] = 0;`),
  /** Cancelled audio continues to play for 300 ms. */
  stop: {
    file: 'src/output/playout-node.ts',
    find: 'this.#control.cancel(serials);',
    replace: 'setTimeout(() => this.#control.cancel(serials), 300);',
  },
  /** The socket stays open. */
  socket: {
    file: 'src/connection/connection.ts',
    find: 'this.#socket.close(CLOSE_DONE);',
    replace: '',
  },
} as const satisfies Record<string, Fault>;
