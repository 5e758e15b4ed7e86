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
  it('goes back to paused and says so', async () => {
    const stage = silenced();
    const play = stage.playback.play();
    await settled();
    assert.deepEqual(stage.journal, ['loadstart', 'play', 'waiting', 'pause', 'blocked']);
    assert.equal(stage.playback.state, 'blocked');
    assert.equal(stage.playback.paused, true);
    assert.equal(await outcome(play), 'NotAllowedError');
  });

  it('asks for no session: nothing is paid for', async () => {
    const stage = silenced();
    await outcome(stage.playback.play());
    assert.deepEqual(
      stage.commands.filter(({ type }) => type === 'enqueue'),
      [],
    );
    assert.deepEqual(stage.reasons, []);
  });

  it('drops what play() began: the next play() says it from the beginning, once', async () => {
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

  it('keeps what speak() was given, and says it at the first gesture', async () => {
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

  it('says nothing of it if the page has paused before the browser answered', async () => {
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
