import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ReadyState } from '../../../src/playback/state.js';
import { settled, Stage } from './stage.js';

async function sounding(): Promise<Stage> {
  const stage = new Stage();
  stage.playback.speak('One.');
  await settled();
  await stage.connect(1);
  await stage.send(1, 2);
  await stage.hear('playing', 'start 1');
  stage.journal.length = 0;
  return stage;
}

describe('Playback, pausing', () => {
  it('pauses the audio node and lets the output suspend', async () => {
    const stage = await sounding();
    stage.playback.pause();
    assert.equal(stage.node.paused, true);
    assert.equal(stage.output.busy, false);
    await settled();
    assert.deepEqual(stage.journal, ['pause']);
    const types = stage.events.map(({ type }) => type);
    assert.deepEqual(types.slice(-3), ['timeupdate', 'pause', 'statechange']);
  });

  it('continues with play and playing, without waiting, if enough is buffered', async () => {
    const stage = await sounding();
    stage.playback.pause();
    void stage.playback.play();
    await settled();
    assert.equal(stage.node.paused, false);
    assert.equal(stage.playback.readyState, ReadyState.enoughData);
    await stage.hear('playing');
    assert.deepEqual(stage.journal, ['pause', 'play', 'playing']);
  });

  it('does nothing a second time', async () => {
    const stage = await sounding();
    stage.playback.pause();
    stage.playback.pause();
    await settled();
    assert.deepEqual(stage.journal, ['pause']);
  });

  it('ignores sound that was not heard yet when it was paused', async () => {
    const stage = await sounding();
    await stage.hear('stalled');
    stage.node.tell({ event: 'playing', at: stage.output.currentTime });
    stage.playback.pause();
    stage.clock.advance(30); // the output's latency
    await settled();
    assert.deepEqual(stage.journal, ['waiting', 'pause']);
  });

  it('keeps new speech back until play(), without asking for a session', async () => {
    const stage = new Stage();
    stage.playback.speak('One.');
    stage.playback.pause();
    stage.playback.speak('Two.');
    await settled();
    assert.deepEqual(stage.serials, []);
    void stage.playback.play();
    await settled();
    assert.deepEqual(stage.serials, [1, 2]);
  });

  it('opens an audio node paused if it was requested before the pause', async () => {
    const stage = new Stage();
    stage.playback.speak('One.');
    await settled();
    let open = (): void => {};
    stage.output.opening = new Promise((resolve) => (open = resolve));
    await stage.connect(1);
    stage.playback.pause();
    open();
    await settled();
    assert.equal(stage.node.paused, true);
  });

  it('speaks once if it is paused and played while worker and output open', async () => {
    const stage = new Stage();
    let open = (): void => {};
    stage.workerStarts = new Promise((resolve) => (open = resolve));
    stage.playback.speak('One.');
    await settled();
    stage.playback.pause();
    void stage.playback.play();
    open();
    await settled();
    assert.deepEqual(stage.serials, [1]);
  });

  it('speaks at once if it was paused while nothing was queued', async () => {
    const stage = new Stage();
    stage.playback.pause();
    stage.playback.speak('One.');
    assert.equal(stage.playback.paused, false);
  });

  it('updates a new audio node with the changes since it was requested', async () => {
    const stage = new Stage();
    stage.playback.speak('One.');
    await settled();
    await stage.connect(1);
    assert.equal(stage.node.updates, 1);
  });
});
