import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { speaking } from '../../../src/testing/script.js';
import type { Speaker } from './speaker.js';
import { setStage } from './stage.js';

const good = speaking({ ramp: true, samples: 240 });

/** The page wants other sessions from an utterance on (pipecat-ai/pipecat 1861, pipecat-ai/pipecat 2296). */
describe('A connection whose session is not wanted any more', () => {
  const stage = setStage();

  const keepOpen = (speaker: Speaker): void => speaker.worker.handle({ type: 'keep-open', keepOpen: true });
  const renew = (speaker: Speaker, serial: number): void => speaker.worker.handle({ type: 'renew', serial });

  /** Returns the contexts that were sent on each connection. */
  function sent(): string[][] {
    return stage
      .connections()
      .map(({ messages }) => [
        ...new Set(messages.map(({ message }) => (message as { context_id: string }).context_id)),
      ]);
  }

  it('does not speak the next utterance, though it was kept open', async () => {
    const speaker = stage.speaker([good]).attach();
    keepOpen(speaker);
    speaker.say('One.');
    await speaker.finish();
    renew(speaker, 2);
    speaker.say('Two.');
    await speaker.finish(2);
    assert.equal((await speaker.next('socket-close')).code, 1000);
    assert.deepEqual(sent(), [['c1'], ['c2']]);
  });

  it('speaks the utterances that were queued before, and not those after', async () => {
    const speaker = stage.speaker([good]).attach();
    speaker.say('One.', 'Two.');
    renew(speaker, 3);
    speaker.say('Three.', 'Four.');
    for (const count of [1, 2, 3, 4]) await speaker.finish(count);
    assert.deepEqual(sent(), [
      ['c1', 'c2'],
      ['c3', 'c4'],
    ]);
    assert.equal(speaker.requests.length, 2);
  });

  it('is replaced once, also if the utterance for which another was wanted is cancelled', async () => {
    const speaker = stage.speaker([good]).attach();
    keepOpen(speaker);
    speaker.say('One.');
    await speaker.finish();
    renew(speaker, 2);
    speaker.say('Two.', 'Three.', 'Four.');
    speaker.worker.handle({ type: 'cancel', serials: [2] });
    for (const count of [2, 3]) await speaker.finish(count);
    assert.deepEqual(sent(), [['c1'], ['c3', 'c4']]);
  });
});
