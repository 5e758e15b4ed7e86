import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import type { SpeechEngine } from '../../src/index.js';
import { createFliteEngine } from '../support/built.js';
import { ask, keepsTheContract, speakAll } from './support/engine-contract.js';
import { medianPitch } from './support/median-pitch.js';

/** Voiced nearly throughout, so that its pitch can be told. */
const TEXT = 'My mother will allow me a lemon now.';

let engine: SpeechEngine | null = null;
afterEach(async () => {
  await engine?.close();
  engine = null;
});

describe('flite', () => {
  describe('as any engine', () => {
    keepsTheContract(() => createFliteEngine());
  });

  describe('with two threads, as any engine', () => {
    keepsTheContract(() => createFliteEngine({ threads: 2 }));
  });

  it('speaks higher and lower by sampling.pitch, for as long, in every voice', async () => {
    engine = await createFliteEngine();
    for (const voice of engine.voices) {
      const usual = await speakAll(engine, TEXT, { voice });
      for (const pitch of [engine.sampling.pitch!.least, 1.2, engine.sampling.pitch!.most]) {
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
    engine = await createFliteEngine();
    for (const voice of engine.voices.slice(0, 3)) {
      const usual = await speakAll(engine, TEXT, { voice });
      const changed = await speakAll(engine, TEXT, { voice, sampling: { pitch: 1.25, rate: 1.25 } });
      const pitch = medianPitch(changed, voice.sampleRate) / medianPitch(usual, voice.sampleRate);
      assert.ok(Math.abs(pitch / 1.25 - 1) < 0.12, `${voice.id}: pitch ${pitch}`);
      assert.ok(Math.abs(usual.length / changed.length / 1.25 - 1) < 0.1, `${voice.id}: pace`);
    }
  });

  it('makes no piece so long that its thread is held for more than about 100 ms, whatever the text is', async () => {
    engine = await createFliteEngine();
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
    for (const voice of engine.voices.slice(0, 2)) {
      for (const text of texts) {
        for (const normalizeText of [true, false]) {
          const request = ask(engine, text, { voice, normalizeText, quickStart: true });
          let pieces = 0;
          for await (const samples of engine.speak(request, new AbortController().signal)) {
            const seconds = samples.length / voice.sampleRate;
            // A second of speech takes 12.5 ms; before pieces were cut by what they take, there were some of 60 s.
            assert.ok(seconds < 12, `${voice.id} spoke ${seconds} s in one go of ${text.slice(0, 20)}`);
            if (++pieces === 3) break; // those that follow are like these, since the texts repeat themselves
          }
        }
      }
    }
  });

  it('marks rms and awb as voices for those who pay for them', async () => {
    engine = await createFliteEngine();
    assert.deepEqual(
      engine.voices.filter(({ premium }) => premium).map(({ id }) => id),
      ['rms', 'awb'],
    );
  });
});
