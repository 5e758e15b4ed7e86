import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { outcome, sessionOf, settled, Stage } from './stage.js';

/** Creates a stage with one utterance received at 24 kHz, and a second one whose session has the fields of `second`. */
async function changing(second: Partial<Parameters<typeof sessionOf>[0]> = { sampleRate: 48000 }) {
  const stage = new Stage();
  const first = stage.playback.speak('One.');
  const next = stage.playback.speak('Two.');
  await settled();
  await stage.connect(1);
  await stage.send(1, 1);
  stage.provide = () => sessionOf(second);
  return { stage, first, next };
}

describe('A session at another rate', () => {
  it('waits until everything before it has been heard', async () => {
    const { stage } = await changing();
    const [node] = stage.output.nodes;
    await stage.connect(2);
    assert.deepEqual([stage.sent('connect').length, node!.closed], [1, false]);
    await stage.hear('playing', 'start 1');
    assert.deepEqual([stage.sent('connect').length, node!.closed], [1, false]);
    stage.played(1);
    await stage.hear('end 1', 'drained');
    assert.deepEqual([stage.sent('connect').length, node!.closed], [2, true]);
    assert.deepEqual(
      stage.output.nodes.map(({ sampleRate }) => sampleRate),
      [24000, 48000],
    );
  });

  it('detaches the old audio node from the worker before the worker gets the session', async () => {
    const { stage } = await changing();
    await stage.connect(2);
    await stage.hear('playing', 'start 1');
    await stage.hear('end 1', 'drained');
    const order = stage.commands.map(({ type }) => type).filter((type) => /connect|attach|detach/.test(type));
    assert.deepEqual(order, ['connect', 'attach', 'detach', 'connect', 'attach']);
  });

  it('does not cut off speech that the user has paused', async () => {
    const { stage } = await changing();
    await stage.hear('playing', 'start 1');
    stage.playback.pause();
    await stage.connect(2);
    assert.equal(stage.node.closed, false);
    assert.equal(stage.sent('connect').length, 1);
  });

  it('waits for an audio node that is still opening', async () => {
    const stage = new Stage();
    let open = (): void => {};
    stage.output.opening = new Promise((resolve) => (open = resolve));
    const first = stage.playback.speak('One.');
    stage.playback.speak('Two.');
    await settled();
    await stage.connect(1);
    await stage.send(1, 1);
    first.cancel();
    stage.provide = () => sessionOf({ sampleRate: 48000 });
    await stage.connect(2);
    assert.equal(stage.sent('connect').length, 1);
    open();
    await settled();
    assert.deepEqual(
      stage.output.nodes.map(({ sampleRate, closed }) => [sampleRate, closed]),
      [
        [24000, true],
        [48000, false],
      ],
    );
    assert.equal(stage.sent('connect').length, 2);
  });

  it('continues time and duration across both audio nodes', async () => {
    const { stage } = await changing();
    await stage.connect(2);
    await stage.hear('playing', 'start 1');
    stage.played(1);
    await stage.hear('end 1', 'drained');
    assert.equal(stage.playback.currentTime, 1);
    await stage.report({ type: 'socket-open' });
    await stage.report({ type: 'first-audio', serial: 2, atMs: stage.clock.now() });
    await stage.report({ type: 'received', serial: 2, samples: 2 * 48000 });
    assert.equal(stage.playback.duration, 3);
    await stage.hear('playing', 'start 2');
    stage.played(2);
    await stage.hear('end 2', 'drained');
    assert.equal(stage.playback.currentTime, 3);
    assert.equal(stage.playback.duration, 3);
    assert.equal(stage.playback.getStats().jitterBufferEmittedCount, 24000 + 96000);
  });

  it('is requested again if its token became too old while it waited', async () => {
    const { stage } = await changing();
    await stage.connect(2);
    await stage.hear('playing', 'start 1');
    stage.clock.advance(11_000); // too old: a token is valid for about 30 s
    await stage.hear('end 1', 'drained');
    assert.deepEqual(stage.reasons, ['speak', 'speak', 'speak']);
    assert.equal(stage.sent('connect').length, 2);
  });

  it('is used in spite of its age if the source has no other', async () => {
    const { stage } = await changing();
    stage.canRenew = false;
    await stage.connect(2);
    await stage.hear('playing', 'start 1');
    stage.clock.advance(11_000);
    await stage.hear('end 1', 'drained');
    assert.equal(stage.reasons.length, 2);
    assert.equal(stage.sent('connect').length, 2);
  });

  it('is dropped when its speech is cancelled', async () => {
    const { stage, first, next } = await changing();
    await stage.connect(2);
    stage.playback.cancel();
    await settled();
    assert.equal(stage.sent('connect').length, 1);
    assert.deepEqual([await outcome(first.finished), await outcome(next.finished)], ['AbortError', 'AbortError']);
  });
});

describe('An audio node', () => {
  it('serves every session of its rate', async () => {
    const { stage } = await changing({ sampleRate: 24000 });
    await stage.connect(2);
    assert.equal(stage.sent('connect').length, 2);
    assert.equal(stage.output.nodes.length, 1);
    assert.equal(stage.sent('attach').length, 1);
  });

  it('is replaced when the page requests another transport', async () => {
    const { stage } = await changing({ sampleRate: 24000 });
    stage.transport = 'message';
    await stage.connect(2);
    assert.equal(stage.output.nodes.length, 1);
    await stage.hear('playing', 'start 1');
    await stage.hear('end 1', 'drained');
    assert.deepEqual(
      stage.output.nodes.map(({ closed }) => closed),
      [true, false],
    );
  });

  it('does not delay the session: samples wait in the worker', async () => {
    const stage = new Stage();
    stage.output.opening = new Promise(() => {});
    stage.playback.speak('One.');
    await settled();
    await stage.connect(1);
    assert.equal(stage.sent('connect').length, 1);
    await stage.send(1, 0.5);
    assert.equal(stage.playback.duration, 0.5);
  });
});
