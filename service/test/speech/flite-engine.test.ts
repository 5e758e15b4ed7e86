import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import type { SpeechEngine, Voice } from '../../src/index.js';
import { cutIntoPieces } from '../../src/speech/clauses.js';
import type { FliteOptions } from '../../src/speech/flite-engine.js';
import { loadFlite, READ_ONLY } from '../../src/speech/flite-module.js';
import { FliteProgram } from '../../src/speech/flite-program.js';
import { FLITE_VOICES } from '../../src/speech/flite-voices.js';
import { toPlainText } from '../../src/speech/plain-text.js';
import { MemoryWasi } from '../../src/speech/wasi.js';
import { createFliteEngine } from '../support/built.js';
import { ManualClock } from '../support/manual-clock.js';
import { ask, failsWith, keepsTheContract, speakAll } from './support/engine-contract.js';
import { medianPitch } from './support/median-pitch.js';

/** Text that is voiced almost throughout, so that its pitch can be measured. */
const TEXT = 'My mother will allow me a lemon now.';

/** Voices for tests of every voice: in `npm test`, one of 16 kHz and the one of 8 kHz. */
const someVoices = ({ voices }: SpeechEngine): readonly Voice[] =>
  process.env.SVC_LONG ? voices : [voices[0]!, voices.find(({ sampleRate }) => sampleRate === 8000)!];

const started: SpeechEngine[] = [];
afterEach(() => Promise.all(started.splice(0).map((engine) => engine.close())));

/** Starts an engine that is closed after the test. */
async function start(options: FliteOptions = {}): Promise<SpeechEngine> {
  const engine = await createFliteEngine(options);
  started.push(engine);
  return engine;
}

/** A clock that stands still, and counts the pieces that are made at a time: each has a time limit. */
class PieceClock extends ManualClock {
  #running = 0;
  most = 0;

  override after(delayMs: number, run: () => void): () => void {
    const cancel = super.after(delayMs, run);
    this.most = Math.max(this.most, ++this.#running);
    return () => {
      cancel();
      this.#running--;
    };
  }
}

describe('flite', () => {
  describe('as any engine', () => {
    keepsTheContract(() => createFliteEngine());
  });

  it('speaks with two threads as with one', async () => {
    const [one, two] = [await start({ threads: 1 }), await start({ threads: 2 })];
    const texts = ['This is one.', 'This is another one.', 'And a third one.'];
    const expected = await Promise.all(texts.map((text) => speakAll(one, text)));
    assert.deepEqual(await Promise.all(texts.map((text) => speakAll(two, text))), expected);
  });

  describe('with two threads, as any engine', { skip: !process.env.SVC_LONG && 'set SVC_LONG to run it' }, () => {
    keepsTheContract(() => createFliteEngine({ threads: 2 }));
  });

  it('speaks a text of many pieces without a warning about listeners', async () => {
    // Node warns of the eleventh listener.
    const warnings: Error[] = [];
    const note = (warning: Error): void => void warnings.push(warning);
    process.on('warning', note);
    await speakAll(await start(), 'No. '.repeat(15), { chunkSeconds: 0.5 });
    process.off('warning', note);
    assert.deepEqual(warnings, []);
  });

  it('speaks higher and lower by sampling.pitch, for as long, in every voice', async () => {
    const engine = await start();
    for (const voice of someVoices(engine)) {
      const usual = await speakAll(engine, TEXT, { voice });
      for (const pitch of [engine.sampling.pitch!.least, engine.sampling.pitch!.most]) {
        const changed = await speakAll(engine, TEXT, { voice, sampling: { pitch } });
        const ratio = medianPitch(changed, voice.sampleRate) / medianPitch(usual, voice.sampleRate);
        assert.ok(Math.abs(ratio / pitch - 1) < 0.12, `${voice.id}: ${ratio} for ${pitch}`);
        assert.ok(
          Math.abs(changed.length / usual.length - 1) < 0.1,
          `${voice.id}: ${changed.length} of ${usual.length}`,
        );
      }
      assert.deepEqual(await speakAll(engine, TEXT, { voice, sampling: { pitch: 1 } }), usual);
    }
  });

  it('changes pace and pitch at once, each by itself', async () => {
    const engine = await start();
    for (const voice of engine.voices.slice(0, process.env.SVC_LONG ? Infinity : 1)) {
      const usual = await speakAll(engine, TEXT, { voice });
      const changed = await speakAll(engine, TEXT, { voice, sampling: { pitch: 1.25, rate: 1.25 } });
      const pitch = medianPitch(changed, voice.sampleRate) / medianPitch(usual, voice.sampleRate);
      assert.ok(Math.abs(pitch / 1.25 - 1) < 0.12, `${voice.id}: pitch ${pitch}`);
      assert.ok(Math.abs(usual.length / changed.length / 1.25 - 1) < 0.1, `${voice.id}: pace`);
    }
  });

  it('makes no piece that holds its thread for long, and changes none of its read-only data, whatever the text is', async () => {
    const program = new FliteProgram(await loadFlite());
    let memory: Uint8Array = new Uint8Array();
    const texts = [
      'a'.repeat(800),
      'W'.repeat(800),
      'bcdfghjklmnpqrstvwxz'.repeat(20),
      `${'x'.repeat(19)} `.repeat(20),
      'ABCDXZ QWRT '.repeat(40),
      '1234567890'.repeat(20),
      '1,234,567.89 '.repeat(20),
      '$'.repeat(400),
      'word and then '.repeat(40),
      'ok '.repeat(200),
      '\u202eabc\u202c مرحبا hello '.repeat(20),
    ];
    for (const voice of FLITE_VOICES.slice(0, process.env.SVC_LONG ? Infinity : 1)) {
      for (const text of texts) {
        // Only texts with numbers differ when they are not written out.
        for (const normalizeText of /[\d$]/.test(text) ? [true, false] : [true]) {
          // The texts are repetitive, so the pieces after the first are like it.
          const [piece] = cutIntoPieces(toPlainText(text, normalizeText).text, voice.pieceSeconds, false);
          let samples = 0;
          program.speak({ text: piece!.text, voice: voice.id, stretch: null, pitch: 1 }, (some) => {
            samples += some.length;
            memory = new Uint8Array(some.buffer);
          });
          program.recover();
          const seconds = samples / voice.sampleRate;
          // If text were cut by length alone, some of these would make pieces of 60 s.
          assert.ok(seconds < 13, `${voice.id} spoke ${seconds} s in one go of ${text.slice(0, 20)}`);
        }
      }
    }
    const { imports } = new MemoryWasi(() => assert.fail('it was not started'));
    const { exports } = new WebAssembly.Instance(await loadFlite(), { wasi_snapshot_preview1: imports });
    const unused = new Uint8Array((exports.memory as WebAssembly.Memory).buffer);
    const place = [READ_ONLY.begin, READ_ONLY.end] as const;
    assert.equal(Buffer.compare(memory.subarray(...place), unused.subarray(...place)), 0);
    // The rest of what the module brings: 796 bytes of variables.
    assert.equal(unused.findLastIndex((byte) => byte !== 0) - READ_ONLY.end < 1024, true);
  });

  it('makes more pieces at a time than it may only for clients that have little speech in advance', async () => {
    const clock = new PieceClock();
    const engine = await start({ clock, threads: 1 });
    // The second thread starts when a piece waits, and is ready some time later.
    for (let round = 0; clock.most < 2 && round < 1000; round++) {
      await Promise.all([speakAll(engine, 'One.'), speakAll(engine, 'Two.')]);
    }
    assert.equal(clock.most, 2);
    // As the clock stands still, each of these has a second in advance after this.
    const clients = [{}, {}, {}];
    for (const client of clients) await speakAll(engine, TEXT, { client });
    clock.most = 0;
    await Promise.all(clients.map((client) => speakAll(engine, TEXT, { client })));
    assert.equal(clock.most, 1);
  });

  it('speaks at the rate of the session, for as long, in every voice', async () => {
    const engine = await start();
    for (const voice of someVoices(engine)) {
      const usual = await speakAll(engine, TEXT, { voice });
      for (const sampleRate of [8000, 11_025, 24_000]) {
        const resampled = await speakAll(engine, TEXT, { voice, sampleRate });
        const expected = Math.ceil((usual.length * sampleRate) / voice.sampleRate);
        assert.equal(resampled.length, expected, `${voice.id} at ${sampleRate} Hz`);
        assert.ok(Math.abs(medianPitch(resampled, sampleRate) / medianPitch(usual, voice.sampleRate) - 1) < 0.02);
      }
    }
  });

  it('gives a frame of 60 ms as soon as it is made, then eight frames at a time', async () => {
    const engine = await start({ threads: 1 });
    const lengths: number[] = [];
    const request = ask(engine, 'The next train leaves at nine.', { sampleRate: 24_000 });
    for await (const samples of engine.speak(request, new AbortController().signal)) lengths.push(samples.length);
    const last = lengths.pop()!;
    assert.deepEqual(lengths, [1440, 11_520, 11_520, 11_520]);
    assert.ok(last > 1440 && last <= 12_960, String(last));
  });

  it('marks rms and awb as premium voices', async () => {
    const engine = await start();
    assert.deepEqual(
      engine.voices.filter(({ premium }) => premium).map(({ id }) => id),
      ['rms', 'awb'],
    );
  });

  it('fails text that takes longer than the limit, and speaks again afterwards', async () => {
    const clock = new ManualClock();
    const engine = await start({ clock, timeLimitMs: 1000 });
    const usual = await speakAll(engine, 'Hello.');
    const slow = assert.rejects(speakAll(engine, 'This takes too long.'), failsWith('took-too-long'));
    clock.advance(1000);
    await slow;
    assert.equal(engine.available, true);
    assert.deepEqual(await speakAll(engine, 'Hello.'), usual);
  });

  it('does not count the time that text waits for its turn', async () => {
    const clock = new ManualClock();
    const engine = await start({ clock, timeLimitMs: 1000 });
    const first = speakAll(engine, 'One.');
    const second = speakAll(engine, 'Two.');
    clock.advance(900);
    await first;
    clock.advance(900);
    assert.ok((await second).length > 0);
  });

  it('drops text whose signal is aborted, before its turn and in it', async () => {
    const engine = await start();
    for (const words of [1, 200]) {
      const [kept, dropped] = [new AbortController(), new AbortController()];
      const [first, second] = [
        speakAll(engine, 'word '.repeat(words), {}, kept.signal),
        speakAll(engine, 'Two.', {}, dropped.signal),
      ];
      const refused = assert.rejects(second, { name: 'AbortError' });
      dropped.abort();
      await refused;
      if (words > 1) {
        const cut = assert.rejects(first, { name: 'AbortError' });
        kept.abort();
        await cut;
      } else assert.ok((await first).length > 0);
    }
    assert.ok((await speakAll(engine, 'Three.')).length > 0);
  });

  it('does not use more memory with each text', async () => {
    const engine = await start();
    const text = 'No.';
    for (let round = 0; round < 10; round++) await speakAll(engine, text);
    const before = process.memoryUsage().rss;
    for (let round = 0; round < 40; round++) await speakAll(engine, text);
    const grownMiB = (process.memoryUsage().rss - before) / 2 ** 20;
    // One instance uses 20 MB, so 40 instances that are not freed would use 800 MB.
    assert.ok(grownMiB < 150, `${grownMiB} MiB`);
  });
});
