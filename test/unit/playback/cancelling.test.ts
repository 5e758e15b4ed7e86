import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { outcome, settled, Stage } from './stage.js';

async function sounding(...seconds: number[]): Promise<Stage> {
  const stage = new Stage();
  for (const _ of seconds) stage.playback.speak('Words.');
  await settled();
  await stage.connect(1);
  for (const [index, length] of seconds.entries()) await stage.send(index + 1, length);
  await stage.hear('playing', 'start 1');
  stage.journal.length = 0;
  return stage;
}

describe('Playback, cancelling', () => {
  it('silences audio node and worker in the same turn', async () => {
    const stage = await sounding(2, 2);
    stage.playback.cancel();
    assert.deepEqual(stage.node.cancelled, [1, 2]);
    assert.deepEqual(stage.sent('cancel'), [{ type: 'cancel', serials: [1, 2] }]);
    await settled();
    assert.deepEqual(stage.journal, ['durationchange', 'pause']);
    assert.equal(stage.playback.ended, false);
    assert.equal(stage.playback.hasSpeech, false);
  });

  it('dispatches no more events of the utterances', async () => {
    const stage = await sounding(2);
    stage.playback.cancel();
    await settled();
    stage.journal.length = 0;
    await stage.hear('end 1', 'drained');
    await stage.report({ type: 'received', serial: 1, samples: 100 });
    assert.deepEqual(stage.journal, []);
  });

  it('rejects utterances with AbortError, whether they were partly heard or not at all', async () => {
    const stage = new Stage();
    const first = stage.playback.speak('One.');
    const second = stage.playback.speak('Two.');
    await settled();
    await stage.connect(1);
    await stage.send(1, 2);
    await stage.hear('playing', 'start 1');
    stage.playback.cancel();
    assert.equal(await outcome(first.started), 'resolved');
    assert.equal(await outcome(first.finished), 'AbortError');
    assert.equal(await outcome(second.started), 'AbortError');
    assert.equal(await outcome(second.finished), 'AbortError');
  });

  it('can remove one utterance, while the others continue', async () => {
    const stage = new Stage();
    const first = stage.playback.speak('One.');
    const second = stage.playback.speak('Two.');
    await settled();
    await stage.connect(1);
    await stage.send(1, 1);
    await stage.send(2, 1);
    await stage.hear('playing', 'start 1');
    second.cancel();
    assert.deepEqual(stage.sent('cancel'), [{ type: 'cancel', serials: [2] }]);
    assert.equal(stage.playback.paused, false);
    stage.played(1);
    await stage.hear('end 1', 'drained');
    assert.equal(await outcome(first.finished), 'resolved');
    assert.equal(stage.playback.ended, true);
    assert.equal(stage.playback.currentTime, 1);
    assert.equal(stage.playback.duration, 1);
  });

  it('does nothing for an utterance that is over', async () => {
    const stage = new Stage();
    const utterance = stage.playback.speak('One.');
    await settled();
    await stage.connect(1);
    await stage.utter(1);
    stage.journal.length = 0;
    utterance.cancel();
    await settled();
    assert.deepEqual(stage.journal, []);
    assert.deepEqual(stage.sent('cancel'), []);
  });

  it('aborts the session request when nothing is left to speak', async () => {
    const stage = new Stage();
    stage.playback.speak('One.');
    await settled();
    stage.provide = () => new Promise(() => {});
    await stage.report({ type: 'connection-needed', serial: 1 });
    stage.playback.cancel();
    assert.equal(stage.signals[0]!.aborted, true);
    assert.deepEqual(stage.sent('connect'), []);
    assert.equal(stage.playback.error, null);
  });

  it('does not use a session that arrives too late', async () => {
    const stage = new Stage();
    stage.playback.speak('One.');
    await settled();
    let provide = (): void => {};
    stage.provide = () =>
      new Promise((resolve) => {
        provide = () => resolve({ url: 'wss://late.test/', sampleRate: 24000, messages: [] });
      });
    await stage.report({ type: 'connection-needed', serial: 1 });
    stage.playback.cancel();
    provide();
    await settled();
    assert.deepEqual(stage.sent('connect'), []);
  });

  it('speaks again at once, and continues the time from where speech was cut', async () => {
    const stage = await sounding(5);
    stage.played(2);
    stage.playback.cancel();
    assert.equal(stage.playback.currentTime, 2);
    assert.equal(stage.playback.duration, 2);
    stage.playback.speak('Three.');
    await settled();
    await stage.hear('drained'); // the cancelled utterance has ended
    await stage.connect(3); // Number 2 is the heard part of the first utterance.
    await stage.utter(3, 1);
    assert.equal(stage.playback.currentTime, 3);
    assert.equal(stage.playback.duration, 3);
    assert.deepEqual(stage.journal.slice(-4), ['utterancestart', 'utteranceend', 'pause', 'ended']);
  });

  it('clears the pause of the user', async () => {
    const stage = await sounding(2);
    stage.playback.pause();
    stage.playback.cancel();
    stage.playback.speak('Two.');
    assert.equal(stage.playback.paused, false);
    assert.equal(stage.node.paused, false);
  });
});
