import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { failure, outcome, refused, settled, Stage } from './stage.js';

async function playing(text: string | null = 'One.'): Promise<{ stage: Stage; play: Promise<void> }> {
  const stage = new Stage();
  stage.text = text;
  const play = stage.playback.play();
  await settled();
  await stage.connect(1);
  return { stage, play };
}

describe('The promise of play()', () => {
  it('resolves when sound plays, not before', async () => {
    const { stage, play } = await playing();
    await stage.send(1, 1);
    assert.equal(await outcome(play), 'pending');
    await stage.hear('playing');
    assert.equal(await outcome(play), 'resolved');
  });

  it('resolves at once while sound plays', async () => {
    const { stage } = await playing();
    await stage.send(1, 1);
    await stage.hear('playing');
    assert.equal(await outcome(stage.playback.play()), 'resolved');
  });

  it('waits until sound plays again after an underrun', async () => {
    const { stage } = await playing();
    await stage.report({ type: 'first-audio', serial: 1, atMs: stage.clock.now() });
    await stage.hear('playing', 'start 1');
    await stage.hear('stalled');
    const play = stage.playback.play();
    assert.equal(await outcome(play), 'pending');
    await stage.hear('playing');
    assert.equal(await outcome(play), 'resolved');
  });

  it('resolves for every call that waits', async () => {
    const { stage, play } = await playing();
    const again = stage.playback.play();
    await stage.send(1, 1);
    await stage.hear('playing');
    assert.deepEqual([await outcome(play), await outcome(again)], ['resolved', 'resolved']);
    assert.deepEqual(stage.serials, [1]);
  });

  it('resolves when the utterance turns out to have no audio', async () => {
    const { stage, play } = await playing();
    await stage.send(1, 0);
    assert.equal(await outcome(play), 'resolved');
  });

  it('is settled after the event that goes with it', async () => {
    const { stage, play } = await playing();
    let told: string[] = [];
    void play.then(() => (told = [...stage.journal]));
    await stage.send(1, 1);
    await stage.hear('playing');
    assert.ok(told.includes('playing'));
  });

  it('rejects with InvalidStateError without a source, and changes nothing', async () => {
    const stage = new Stage();
    stage.hasSource = false;
    assert.equal(await outcome(stage.playback.play()), 'InvalidStateError');
    assert.equal(stage.playback.paused, true);
    assert.deepEqual(stage.journal, []);
  });

  it('rejects with AbortError when pause() interrupts it', async () => {
    const { stage, play } = await playing();
    stage.playback.pause();
    assert.equal(await outcome(play), 'AbortError');
  });

  it('rejects with AbortError when cancel() leaves nothing to play', async () => {
    const { stage, play } = await playing();
    stage.playback.cancel();
    assert.equal(await outcome(play), 'AbortError');
  });

  it('rejects with AbortError when close() or another source empties the speaker', async () => {
    const closed = await playing();
    closed.stage.playback.close();
    assert.equal(await outcome(closed.play), 'AbortError');
    const loaded = await playing();
    loaded.stage.playback.load();
    assert.equal(await outcome(loaded.play), 'AbortError');
  });

  it('rejects with AbortError when the speaker is closed while worker and output still open', async () => {
    const stage = new Stage();
    stage.text = 'One.';
    stage.workerStarts = new Promise(() => {});
    const play = stage.playback.play();
    await settled();
    stage.playback.close();
    assert.equal(await outcome(play), 'AbortError');
  });

  it('rejects with NotAllowedError when the browser requires a gesture', async () => {
    const stage = new Stage();
    stage.text = 'One.';
    stage.output.unlocked = false;
    assert.equal(await outcome(stage.playback.play()), 'NotAllowedError');
  });

  it('rejects with NotSupportedError when the session request fails', async () => {
    const stage = new Stage();
    stage.text = 'One.';
    stage.provide = () => Promise.reject(new Error('down'));
    const play = stage.playback.play();
    await settled();
    await stage.connect(1);
    assert.equal(await outcome(play), 'NotSupportedError');
  });

  it('rejects with NotSupportedError when the socket fails before there is audio', async () => {
    const { stage, play } = await playing();
    await stage.report(failure('failed', [1], 'socket-failed', 'Gone.', { retryable: false }));
    assert.equal(await outcome(play), 'NotSupportedError');
  });

  it('rejects with NotSupportedError when worker or output cannot be opened', async () => {
    for (const part of ['workerStarts', 'outputOpening'] as const) {
      const stage = new Stage();
      stage.text = 'One.';
      stage[part] = refused('output-failed', 'No.');
      assert.equal(await outcome(stage.playback.play()), 'NotSupportedError');
      assert.equal(stage.playback.error?.reason, 'output-failed');
      assert.equal(stage.playback.paused, true);
    }
  });

  it('rejects with NotSupportedError when no audio node can be opened', async () => {
    const stage = new Stage();
    stage.text = 'One.';
    stage.output.opening = refused('output-failed', 'No worklet.');
    const play = stage.playback.play();
    await settled();
    await stage.connect(1);
    assert.equal(await outcome(play), 'NotSupportedError');
    assert.deepEqual(stage.sent('cancel').at(-1)?.serials, [1]);
  });

  it('is settled by the next utterance when one of several fails', async () => {
    const { stage, play } = await playing();
    stage.playback.speak('Two.');
    await settled();
    await stage.report(failure('failed', [1], 'service-error', 'No.'));
    assert.equal(await outcome(play), 'pending');
    await stage.send(2, 1);
    await stage.hear('playing');
    assert.equal(await outcome(play), 'resolved');
  });

  it('is settled when the buffered audio of a failed utterance has played', async () => {
    const { stage } = await playing();
    await stage.report({ type: 'first-audio', serial: 1, atMs: stage.clock.now() });
    await stage.hear('playing', 'start 1');
    await stage.hear('stalled');
    const play = stage.playback.play();
    await stage.report(failure('failed', [1], 'socket-closed', 'Gone.'));
    assert.equal(await outcome(play), 'pending');
    await stage.hear('end 1', 'drained');
    assert.equal(await outcome(play), 'NotSupportedError');
  });

  it('needs no handler: an unhandled rejection is not reported', async () => {
    const { stage } = await playing();
    stage.playback.pause();
    await settled(); // an unhandled rejection would fail this test
    assert.equal(stage.playback.paused, true);
  });
});
