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
  /** Silence for 40 ms, from 0.5 s on. */
  gap: onBlock('if (second > 0.5 && second <= 0.54) block[i] = 0;'),
  /** One wrong sample, at 0.7 s. */
  click: onBlock('if (this.heard === Math.round(0.7 * sampleRate)) block[i] += 0.3;'),
  /** Silence after 0.9 s. */
  tail: onBlock('if (second > 0.9) block[i] = 0;'),
  /** 24 kHz speech plays as if its rate were 26122 Hz, like 44.1 kHz audio in a 48 kHz context. */
  pitch: {
    file: 'src/output/playout-node.ts',
    find: 'return resamplerTable(fromRate,',
    replace: 'return resamplerTable(Math.round(fromRate * 48 / 44.1),',
  },
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
