import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Context, createContext, runInContext } from 'node:vm';
import { recorderSource } from '../../../src/testing/recorder-sources.generated.js';

const QUANTUM = 128;

interface Posted {
  readonly index: number;
  readonly frame: number;
  readonly length: number;
}
interface Tap {
  readonly port: { onmessage(): void };
  process(inputs: Float32Array[][], outputs: Float32Array[][]): boolean;
}

/** Runs the recorder's audio processor in Node.js. */
class AudioThread {
  readonly posted: (Posted | { readonly frame: number })[] = [];
  readonly #global: Context;
  readonly #tap: Tap;

  constructor() {
    const port = { postMessage: (message: Posted) => this.posted.push({ ...message }) };
    let made: (new () => Tap) | undefined;
    this.#global = createContext({
      currentFrame: 0,
      registerProcessor: (_: string, processor: new () => Tap) => void (made = processor),
      AudioWorkletProcessor: class {
        readonly port = port;
      },
    });
    runInContext(recorderSource, this.#global);
    this.#tap = new made!();
  }

  /**
   * Renders one quantum.
   *
   * @param frame - `currentFrame` of the browser: the frame at which the quantum begins.
   * @param sounds - True if the input has sound; false if it has no channels.
   */
  render(frame: number, sounds = true): void {
    this.#global.currentFrame = frame;
    this.#tap.process([sounds ? [new Float32Array(QUANTUM).fill(0.5)] : []], [[new Float32Array(QUANTUM)]]);
  }

  flush(): void {
    this.#tap.port.onmessage();
  }
}

describe('The recorder on the audio thread', () => {
  it('posts sound with the frame at which it began', () => {
    const thread = new AudioThread();
    thread.render(0, false);
    thread.render(128);
    thread.render(256);
    thread.flush();
    const [piece, answer] = thread.posted as [Posted, { frame: number }];
    assert.deepEqual([piece.index, piece.frame, piece.length], [0, 128, 256]);
    assert.deepEqual(answer, { frame: 384 });
  });

  it('is not misled by a browser that repeats a frame while the page holds its lock', () => {
    const thread = new AudioThread();
    // The sound begins at 640, but the browser reports an old frame for the first two quanta.
    thread.render(384);
    thread.render(384);
    for (let quantum = 2; quantum < 40; quantum++) thread.render(640 + quantum * QUANTUM);
    thread.render(640 + 39 * QUANTUM);
    thread.flush();
    const pieces = thread.posted.slice(0, -1) as Posted[];
    let end = 640;
    for (const { frame, length } of pieces) {
      assert.equal(frame, end);
      end += length;
    }
    assert.deepEqual(thread.posted.at(-1), { frame: end });
    assert.equal(end, 640 + 41 * QUANTUM);
  });
});
