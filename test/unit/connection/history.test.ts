import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { speaking } from '../../../src/testing/script.js';
import { setStage } from './stage.js';

describe('WorkerSpeaker whose history is lowered', () => {
  const stage = setStage();

  it('reports at once that it keeps less, and that a seek comes too late', async () => {
    const speaker = stage.speaker([speaking({ noise: 3, samples: 48_000 })]).attach();
    speaker.session.handle({ type: 'history', seconds: 600 });
    speaker.say('One.');
    await speaker.finish();
    speaker.session.handle({ type: 'history', seconds: 1 });
    assert.deepEqual(speaker.of('counters').at(-1)!.counters.oldest, { serial: 1, sample: 24_000 });
    speaker.session.handle({ type: 'seek', number: 1, mark: 1, serial: 1, sample: 30_000, only: false });
    speaker.session.handle({ type: 'history', seconds: 0 });
    assert.equal(speaker.of('counters').at(-1)!.counters.oldest, null);
    speaker.session.handle({ type: 'seek', number: 2, mark: 2, serial: 1, sample: 0, only: false });
    assert.deepEqual(
      speaker.of('sought').map(({ isKept }) => isKept),
      [true, false],
    );
  });
});
