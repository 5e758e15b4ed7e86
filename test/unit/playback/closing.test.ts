import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { NetworkState, ReadyState } from '../../../src/playback/state.js';
import { failure, outcome, settled, Stage } from './stage.js';

async function sounding(): Promise<Stage> {
  const stage = new Stage();
  stage.playback.speak('One.');
  await settled();
  await stage.connect(1);
  await stage.send(1, 2);
  await stage.hear('playing', 'start 1');
  stage.played(1);
  stage.journal.length = 0;
  stage.events.length = 0;
  return stage;
}

describe('Playback, closing', () => {
  it('returns to the empty state at once, with the events of HTML', async () => {
    const stage = await sounding();
    const { playback } = stage;
    playback.close();
    assert.deepEqual(
      [playback.paused, playback.ended, playback.readyState, playback.networkState, playback.error, playback.state],
      [true, false, ReadyState.nothing, NetworkState.empty, null, 'idle'],
    );
    assert.equal(playback.currentTime, 0);
    assert.equal(playback.duration, Number.NaN);
    assert.equal(playback.buffered.length, 0);
    await settled();
    assert.deepEqual(
      stage.events.map(({ type }) => type),
      ['emptied', 'timeupdate', 'statechange'],
    );
  });

  it('frees worker, audio node and output, and leaves no timer', async () => {
    const stage = await sounding();
    stage.playback.close();
    assert.deepEqual([stage.openChannels, stage.node.closed, stage.output.closed], [0, true, true]);
    assert.equal(stage.clock.pending, 0);
  });

  it('discards events that were not dispatched yet', async () => {
    const stage = new Stage();
    stage.playback.speak('One.');
    stage.playback.close();
    await settled();
    assert.deepEqual(stage.journal, ['emptied']);
  });

  it('dispatches no event except socketclose afterwards', async () => {
    const stage = await sounding();
    const { node } = stage;
    node.tell({ event: 'stalled', at: stage.output.currentTime }); // not heard yet, because of the output latency
    stage.playback.close();
    await settled();
    stage.events.length = 0;
    for (const event of ['playing', 'stalled', 'drained'] as const) node.tell({ event, at: 12 });
    node.tell({ event: 'end', serial: 1, playedSamples: 0, at: 12 });
    stage.clock.advance(10_000);
    await stage.report({ type: 'first-audio', serial: 1, atMs: 0 });
    await stage.report(failure('failed', [1], 'socket-closed', ''));
    await stage.report({ type: 'connection-needed', serial: 1 });
    await stage.report({ type: 'socket-close', code: 1000, reason: '', openMs: 70 });
    assert.deepEqual(stage.events, [{ type: 'socketclose', code: 1000, reason: '', openMs: 70 }]);
    assert.deepEqual(stage.reasons, ['speak']);
  });

  it('stops timeupdate even between the last word and the end', async () => {
    const stage = await sounding();
    await stage.hear('end 1');
    stage.playback.close();
    await settled();
    stage.events.length = 0;
    stage.clock.advance(1000);
    await settled();
    assert.deepEqual(stage.events, []);
  });

  it('frees a worker and an output that open afterwards', async () => {
    const stage = new Stage();
    let openChannel = (): void => {};
    let openOutput = (): void => {};
    stage.workerStarts = new Promise((resolve) => (openChannel = resolve));
    stage.outputOpening = new Promise((resolve) => (openOutput = resolve));
    const { finished } = stage.playback.speak('One.');
    stage.playback.close();
    openChannel();
    openOutput();
    await settled();
    assert.deepEqual([stage.openChannels, stage.output.closed, stage.output.busy], [0, true, false]);
    assert.equal(await outcome(finished), 'AbortError');
  });

  it('frees an audio node that opens afterwards', async () => {
    const stage = new Stage();
    let open = (): void => {};
    stage.output.opening = new Promise((resolve) => (open = resolve));
    stage.playback.speak('One.');
    await settled();
    await stage.connect(1);
    stage.playback.close();
    open();
    await settled();
    assert.equal(stage.node.closed, true);
    assert.deepEqual(stage.sent('attach'), []);
  });

  it('does nothing a second time, or on a speaker that was never used', async () => {
    const stage = new Stage();
    stage.playback.close();
    await settled();
    assert.deepEqual(stage.journal, []);
    const used = await sounding();
    used.playback.close();
    used.playback.close();
    await settled();
    assert.deepEqual(used.journal, ['emptied']);
  });

  it('speaks again as if new', async () => {
    const stage = await sounding();
    stage.playback.close();
    await settled();
    stage.journal.length = 0;
    const { contextId } = stage.playback.speak('Again.');
    await settled();
    assert.equal(contextId, 'turn-1');
    await stage.connect(2);
    // The old socket closes late, which must not affect the new one.
    await stage.report({ type: 'socket-close', code: 1000, reason: '', openMs: 70 });
    await stage.utter(2);
    assert.deepEqual(stage.journal.slice(0, 3), ['loadstart', 'play', 'waiting']);
    assert.equal(stage.journal.at(-1), 'ended');
    assert.equal(stage.playback.currentTime, 1);
  });

  it('dispatches emptied before loadstart for load()', async () => {
    const stage = await sounding();
    stage.playback.load();
    await settled();
    assert.deepEqual(stage.journal, ['emptied', 'loadstart']);
    assert.equal(stage.playback.networkState, NetworkState.idle);
  });
});
