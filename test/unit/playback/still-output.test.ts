import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { outcome, playingStage, settled } from './stage.js';

describe('Playback while the output stands still', () => {
  it('is buffering instead of playing, and plays again by itself', async () => {
    const stage = await playingStage();
    const { playback } = stage;
    const before = stage.journal.length;
    stage.setStill(true);
    await settled();
    assert.deepEqual([playback.state, playback.paused], ['buffering', false]);
    assert.equal(stage.events.at(-1)!.type, 'statechange');
    stage.setStill(false);
    await settled();
    assert.equal(playback.state, 'playing');
    assert.deepEqual(stage.journal.slice(before), ['waiting', 'playing']);
  });

  it('does not report sound that was rendered just before as playing', async () => {
    const stage = await playingStage();
    await stage.hear('stalled');
    stage.setStill(true);
    await stage.hear('playing');
    assert.equal(stage.playback.state, 'buffering');
    stage.setStill(false);
    assert.equal(stage.playback.state, 'playing');
  });

  it('does not resume the output for another utterance, but for play()', async () => {
    const stage = await playingStage();
    let unlocks = 0;
    const unlock = stage.output.unlock.bind(stage.output);
    stage.output.unlock = () => {
      unlocks++;
      return unlock();
    };
    stage.setStill(true);
    stage.playback.speak('Two.');
    await stage.hear('stalled');
    stage.playback.speak('Three.');
    await settled();
    assert.equal(unlocks, 0);
    assert.deepEqual(stage.serials, [1, 2, 3]);
    await stage.hear('playing');
    const played = stage.playback.play();
    await settled();
    assert.equal(unlocks, 1);
    assert.equal(await outcome(played), 'pending');
    stage.setStill(false);
    assert.equal(await outcome(played), 'resolved');
  });
});
