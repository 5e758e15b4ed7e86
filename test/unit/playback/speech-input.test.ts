import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { runInNewContext } from 'node:vm';
import { SpeechInput } from '../../../src/playback/speech-input.js';
import type { Utterance } from '../../../src/playback/utterance.js';

/** Sample rate in Hz, low so that an hour is short. */
const RATE = 100;
const HOUR = 3600 * RATE;

describe('SpeechInput', () => {
  /** Returns an input, and what of its utterance has been heard. `finish` ends the utterance. */
  function open(t: TestContext) {
    const { port1, port2 } = new MessageChannel();
    t.after(() => port2.close());
    const heard = { seconds: 0 };
    let finish!: () => void;
    const finished = new Promise<void>((resolve) => (finish = resolve));
    const utterance = { heard, finished } as Utterance;
    const input = new SpeechInput(utterance, RATE, port1, { addText() {}, addWords() {}, end() {} });
    return { input, heard, finish };
  }

  it('refuses samples while more than an hour waits to be heard, and takes them again when it has been heard', (t) => {
    const { input, heard } = open(t);
    input.write(new Int16Array(HOUR));
    assert.equal(input.bufferedSeconds, 3600);
    input.write(new Int16Array(1));
    assert.throws(() => input.write(new Int16Array(1)), { name: 'QuotaExceededError' });
    heard.seconds = 1;
    assert.equal(input.bufferedSeconds, 3599.01);
    input.write(new Int16Array(1));
  });

  // openai/openai-node 2529, Vanilagy/mediabunny 324
  it('takes samples of a frame', (t) => {
    const { input } = open(t);
    for (const code of ['new ArrayBuffer(200)', 'new Int16Array(100)', 'new Float32Array(100)']) {
      input.write(runInNewContext(code) as ArrayBuffer);
    }
    assert.equal(input.bufferedSeconds, 3);
    assert.throws(() => input.write(runInNewContext('new Uint8Array(1)') as never), /not \[object Uint8Array\]/);
  });

  it('has nothing buffered when its utterance is over, and ignores what is written then', async (t) => {
    const { input, finish } = open(t);
    input.write(new Int16Array(RATE));
    finish();
    await new Promise((resolve) => setImmediate(resolve));
    input.write(new Int16Array(RATE));
    assert.equal(input.bufferedSeconds, 0);
  });

  it('refuses everything but the end after its end', (t) => {
    const { input } = open(t);
    input.end();
    input.end();
    for (const call of [() => input.write(new Int16Array(1)), () => input.addText('a'), () => input.addWords([])]) {
      assert.throws(call, { name: 'InvalidStateError' });
    }
  });
});
