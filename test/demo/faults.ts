/** A fault that is planted in a copy of the player: in a file, where this is found, that is put in its place. */
export interface Fault {
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}

/** Runs in the processor after each block: `heard` counts samples since the first that is not zero. */
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

/** Each of what the kit has to find. Seconds are counted from the first sample of the speech. */
export const FAULTS = {
  /** 40 ms of nothing from 0.5 s on. */
  gap: onBlock('if (second > 0.5 && second <= 0.54) block[i] = 0;'),
  /** One sample, at 0.7 s. */
  click: onBlock('if (this.heard === Math.round(0.7 * sampleRate)) block[i] += 0.3;'),
  /** Nothing is heard after 0.9 s. */
  tail: onBlock('if (second > 0.9) block[i] = 0;'),
  /** Speech for 24 kHz is played as if it were for 26122 Hz: as 44.1 kHz in a context of 48 kHz. */
  pitch: {
    file: 'src/output/playout-node.ts',
    find: 'return resamplerTable(fromRate,',
    replace: 'return resamplerTable(Math.round(fromRate * 48 / 44.1),',
  },
  /** What was cancelled goes on for 300 ms. */
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
