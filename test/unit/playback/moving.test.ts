import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { outcome, refused, settled, Stage } from './stage.js';

async function speaking() {
  const stage = new Stage();
  const utterance = stage.playback.speak('One.');
  await settled();
  await stage.connect(1);
  await stage.report({ type: 'first-audio', serial: 1, atMs: stage.clock.now() });
  await stage.hear('playing', 'start 1');
  stage.journal.length = 0;
  return { stage, utterance };
}

describe('Playback, moving to another output', () => {
  it('waits until sound plays there, and continues', async () => {
    const { stage, utterance } = await speaking();
    stage.played(0.4);
    stage.playback.outputChanged();
    await settled();
    assert.deepEqual(stage.journal, ['waiting']);
    assert.notEqual(stage.playback.state, 'playing');
    stage.output.currentTime = 0.5; // another context has another time
    stage.node.counted.emittedAt = 0;
    await stage.hear('playing');
    assert.deepEqual(stage.journal, ['waiting', 'canplay', 'playing']);
    await stage.report({ type: 'received', serial: 1, samples: 24000 });
    await stage.hear('end 1', 'drained');
    assert.equal(await outcome(utterance.finished), 'resolved');
    assert.equal(stage.playback.currentTime, 1);
  });

  it('goes on playing if the output stays, or another one cannot be had (muhku/FreeStreamer 248)', async () => {
    const { stage } = await speaking();
    stage.output.stays = true;
    stage.playback.outputChanged();
    await settled();
    assert.equal(stage.output.moves, 1);
    stage.output.moving = refused('output-failed', 'No such device');
    await assert.rejects(stage.playback.moveOutput());
    assert.deepEqual(stage.journal, []);
    assert.equal(stage.playback.state, 'playing');
  });

  it('never goes back in time', async () => {
    const { stage } = await speaking();
    stage.played(0.4);
    const before = stage.playback.currentTime;
    stage.output.currentTime = 0;
    stage.node.counted.emittedAt = 0;
    stage.playback.outputChanged();
    await stage.hear('playing');
    stage.node.counted.emittedAt = stage.output.currentTime;
    assert.ok(stage.playback.currentTime >= before && stage.playback.currentTime <= 0.4);
  });

  it('sends the worker the port to the next processor, and nothing where memory is shared', async () => {
    const { stage } = await speaking();
    stage.playback.outputChanged();
    await settled();
    assert.deepEqual(stage.sent('reattach'), []);
    const { port1 } = new MessageChannel();
    const ring = { transport: 'message', port: port1, capacity: 8, heard: 3, markRead: 1 } as const;
    stage.output.nextRing = ring;
    stage.playback.outputChanged();
    await settled();
    assert.deepEqual(stage.sent('reattach'), [{ type: 'reattach', ring }]);
    port1.close();
  });

  it('does not open an output for that', async () => {
    const stage = new Stage();
    stage.playback.outputChanged();
    await settled();
    assert.deepEqual([stage.openOutputs, stage.output.moves], [0, 0]);
    await stage.playback.moveOutput();
    assert.deepEqual([stage.openOutputs, stage.output.moves], [1, 0]);
  });

  it('is blocked if the other output requires a gesture, and continues after it', async () => {
    const { stage } = await speaking();
    stage.output.unlocked = false;
    stage.playback.outputChanged();
    await settled();
    assert.deepEqual(stage.journal, ['waiting', 'pause', 'blocked']);
    stage.output.gesture();
    await settled();
    assert.equal(stage.playback.paused, false);
  });

  it('is not blocked while it is paused', async () => {
    const { stage } = await speaking();
    stage.playback.pause();
    stage.output.unlocked = false;
    stage.playback.outputChanged();
    await settled();
    assert.notEqual(stage.playback.state, 'blocked');
  });

  it('is in the state error if the context was closed and there is no other (livekit/client-sdk-js 1655)', async () => {
    const { stage, utterance } = await speaking();
    stage.output.moving = refused('output-failed', 'The AudioContext is closed');
    stage.loseOutput();
    await settled();
    assert.deepEqual([stage.playback.state, stage.playback.paused, stage.playback.hasSpeech], ['error', true, false]);
    assert.equal(await outcome(utterance.finished), 'SpeakerError');
  });

  it('fails if the other output cannot be opened', async () => {
    const { stage, utterance } = await speaking();
    stage.output.moving = refused('output-failed', 'No such device');
    stage.playback.outputChanged();
    await settled();
    assert.equal(stage.playback.error!.reason, 'output-failed');
    assert.equal(await outcome(utterance.finished), 'SpeakerError');
  });

  it('moves automatically when the output is lost, at most three times in a row', async () => {
    const { stage, utterance } = await speaking();
    for (let loss = 1; loss <= 3; loss++) {
      stage.loseOutput();
      await settled();
      assert.equal(stage.output.moves, loss);
      stage.clock.advance(2000);
    }
    stage.loseOutput();
    await settled();
    assert.equal(stage.output.moves, 3);
    assert.equal(stage.playback.error!.reason, 'output-failed');
    assert.match(stage.playback.error!.message, /sound device/);
    assert.equal(await outcome(utterance.finished), 'SpeakerError');
  });

  it('counts only losses in quick succession', async () => {
    const { stage } = await speaking();
    for (let loss = 1; loss <= 6; loss++) {
      stage.loseOutput();
      await settled();
      stage.clock.advance(10_000);
    }
    assert.equal(stage.output.moves, 6);
    assert.equal(stage.playback.error, null);
  });
});

describe('Playback, on a page that is hidden or unloaded', () => {
  it('does not keep the socket open while the page is hidden', async () => {
    const stage = new Stage();
    stage.keepOpen = true;
    stage.playback.speak('One.');
    await settled();
    stage.keepOpen = false; // as while the page is hidden
    stage.onPage('visibility');
    stage.keepOpen = true;
    stage.onPage('visibility');
    assert.deepEqual(
      stage.sent('keep-open').map(({ keepOpen }) => keepOpen),
      [true, false, true],
    );
  });

  it('is emptied when the page is unloaded, and can speak again if the page is restored', async () => {
    const { stage, utterance } = await speaking();
    stage.onPage('left');
    await settled();
    assert.equal(await outcome(utterance.finished), 'AbortError');
    assert.deepEqual([stage.openChannels, stage.output.closed], [0, true]);
    assert.deepEqual(stage.journal, ['emptied']);
    const again = stage.playback.speak('Two.');
    await settled();
    await stage.connect(2);
    await stage.utter(2);
    assert.equal(await outcome(again.finished), 'resolved');
  });
});
