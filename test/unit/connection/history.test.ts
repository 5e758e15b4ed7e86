import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { speaking } from '../../../src/testing/script.js';
import { until } from './speaker.js';
import { setStage } from './stage.js';

describe('WorkerSpeaker whose history is lowered', () => {
  const stage = setStage();

  it('reports at once that it keeps less, and that a seek comes too late', async () => {
    const speaker = stage.speaker([speaking({ noise: 3, samples: 48_000 })]).attach();
    speaker.worker.handle({ type: 'history', seconds: 600 });
    speaker.say('One.');
    await speaker.finish();
    speaker.worker.handle({ type: 'history', seconds: 1 });
    assert.deepEqual(speaker.of('counters').at(-1)!.counters.oldest, { serial: 1, sample: 24_000 });
    speaker.worker.handle({
      type: 'seek',
      number: 1,
      mark: 1,
      target: { at: { serial: 1, sample: 30_000 } },
      only: false,
    });
    speaker.worker.handle({ type: 'history', seconds: 0 });
    assert.equal(speaker.of('counters').at(-1)!.counters.oldest, null);
    speaker.worker.handle({ type: 'seek', number: 2, mark: 2, target: { at: { serial: 1, sample: 0 } }, only: false });
    assert.deepEqual(
      speaker.of('sought').map(({ isKept }) => isKept),
      [true, false],
    );
  });
});

describe('WorkerSpeaker whose history is shorter than its ring', () => {
  const stage = setStage();

  for (const transport of ['shared', 'message'] as const) {
    it(`keeps what is still to play, and its history when that has played (${transport})`, async () => {
      const [capacity, samples, kept] = [2 ** 16, 120_000, 24_000];
      const speaker = stage.speaker([speaking({ noise: 3, samples })], { capacity, transport }).attach();
      const oldest = (): number => speaker.counters().oldest!.sample;
      speaker.worker.handle({ type: 'history', seconds: kept / 24_000 });
      speaker.say('One.');
      await speaker.next('context-done');
      speaker.clock.advance(25);
      assert.equal(oldest(), 0, 'nothing has played, and the ring is full');
      // A port may bring the samples in several messages.
      await until(() => {
        speaker.listener.take();
        return speaker.listener.heard().length > 2 * kept;
      }, 'the ring');
      const heard = speaker.listener.heard().length;
      await until(() => oldest() === heard - kept, 'the history before what has played');
      await speaker.listenFor(samples);
      await until(() => oldest() === samples - kept, 'the history');
    });
  }
});
