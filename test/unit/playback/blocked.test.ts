import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { outcome, settled, Stage } from './stage.js';

function silenced(): Stage {
  const stage = new Stage();
  stage.text = 'One.';
  stage.output.unlocked = false;
  return stage;
}

describe('Playback, blocked by the browser', () => {
  it('returns to paused and dispatches blocked', async () => {
    const stage = silenced();
    const play = stage.playback.play();
    await settled();
    assert.deepEqual(stage.journal, ['loadstart', 'play', 'waiting', 'pause', 'blocked']);
    assert.equal(stage.playback.state, 'blocked');
    assert.equal(stage.playback.paused, true);
    assert.equal(await outcome(play), 'NotAllowedError');
  });

  it('requests no session, so that no costs arise', async () => {
    const stage = silenced();
    await outcome(stage.playback.play());
    assert.deepEqual(
      stage.commands.filter(({ type }) => type === 'enqueue'),
      [],
    );
    assert.deepEqual(stage.reasons, []);
  });

  it('drops the utterance of play(), which the next play() speaks from the beginning, once', async () => {
    const stage = silenced();
    await outcome(stage.playback.play());
    assert.equal(stage.playback.hasSpeech, false);
    stage.output.unlocked = true;
    const play = stage.playback.play();
    await settled();
    assert.notEqual(stage.playback.state, 'blocked');
    await stage.connect(1);
    await stage.utter(1);
    assert.equal(await outcome(play), 'resolved');
    assert.deepEqual(stage.serials, [1]);
  });

  it('keeps the utterances of speak(), and speaks them at the first gesture', async () => {
    const stage = silenced();
    const utterance = stage.playback.speak('Two.');
    await settled();
    assert.equal(await outcome(utterance.finished), 'pending');
    stage.journal.length = 0;
    stage.output.gesture();
    await settled();
    assert.deepEqual(stage.journal, ['play', 'waiting']);
    assert.notEqual(stage.playback.state, 'blocked');
    await stage.connect(1);
    await stage.utter(1);
    assert.equal(await outcome(utterance.finished), 'resolved');
  });

  it('waits for play() where the page shows a button for it', async () => {
    const stage = silenced();
    stage.resumesOnGesture = false;
    stage.playback.speak('Two.');
    await settled();
    stage.output.gesture();
    await settled();
    assert.equal(stage.playback.paused, true);
    assert.equal(stage.playback.state, 'blocked');
    void stage.playback.play();
    await settled();
    assert.notEqual(stage.playback.state, 'blocked');
    assert.deepEqual(stage.serials, [1]);
  });

  it('stays silent at a gesture once the page has paused, cancelled or closed', async () => {
    for (const act of ['pause', 'cancel', 'close'] as const) {
      const stage = silenced();
      stage.playback.speak('Two.');
      await settled();
      stage.playback[act]();
      stage.output.gesture();
      await settled();
      assert.equal(stage.playback.paused, true, act);
      assert.deepEqual(stage.serials, [], act);
    }
  });

  it('dispatches no blocked event if the page paused before the browser answered', async () => {
    const stage = new Stage();
    let answer: (unlocked: boolean) => void = () => {};
    stage.output.unlocked = new Promise((resolve) => (answer = resolve));
    stage.playback.speak('One.');
    await settled();
    stage.playback.pause();
    answer(false);
    await settled();
    assert.deepEqual(stage.journal, ['loadstart', 'play', 'waiting', 'pause']);
    assert.notEqual(stage.playback.state, 'blocked');
  });
});
