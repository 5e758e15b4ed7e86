import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { outcome, playingStage, RATE, settled, Stage } from './stage.js';

/** A stage that has spoken 1 s, which is kept, and whose socket is closed. */
async function spokenStage(): Promise<Stage> {
  const stage = await playingStage();
  await stage.report({ type: 'received', serial: 1, samples: RATE });
  await stage.report({ type: 'socket-close', code: 1000, reason: '', openMs: 40 });
  stage.played(1);
  await stage.hear('end 1', 'drained');
  await stage.keep({ serial: 1, sample: 0 }, { serial: 1, sample: RATE });
  stage.events.length = stage.journal.length = 0;
  return stage;
}

/** Returns the number of the latest seek that the worker received. */
function lastSeek(stage: Stage): number {
  return stage.sent('seek').at(-1)!.number;
}

describe('Playback whose history is cleared', () => {
  it('has no place for the utterances that it has forgotten', async () => {
    const stage = await playingStage();
    const { playback } = stage;
    const first = playback.head!.utterance;
    await stage.report({ type: 'received', serial: 1, samples: RATE });
    const second = playback.speak('Two.');
    stage.played(1);
    await stage.hear('end 1');
    await stage.send(2, 2);
    await stage.hear('start 2');
    assert.deepEqual([first.startTime, first.endTime, second.startTime, second.endTime], [0, 1, 1, 3]);
    playback.clearHistory();
    assert.deepEqual([first.startTime, first.endTime, second.startTime, second.endTime], [NaN, NaN, 0, 2]);
  });

  it('reports that position and range have changed, also while nothing plays and the duration is unknown', async () => {
    const stage = await spokenStage();
    const { playback } = stage;
    playback.speak('Two.');
    playback.pause();
    await settled();
    stage.events.length = 0;
    const seen: unknown[] = [];
    stage.onEvent = ({ type }) => seen.push([type, playback.currentTime, playback.duration, playback.seekable.length]);
    playback.clearHistory();
    await settled();
    assert.deepEqual(seen, [
      ['timeupdate', 0, Infinity, 0],
      ['progress', 0, Infinity, 0],
    ]);
    seen.length = 0;
    playback.clearHistory();
    await settled();
    assert.deepEqual(seen, []);
  });

  it('has no duration below 0, although sums of seconds differ in the last bit', async () => {
    const stage = await playingStage();
    const { playback } = stage;
    playback.speak('Two.');
    playback.speak('Three.');
    await stage.report({ type: 'received', serial: 1, samples: RATE / 10 });
    await stage.send(2, 0.1);
    await stage.send(3, 1);
    await stage.hear('end 1');
    playback.clearHistory();
    await stage.hear('start 2', 'end 2', 'start 3', 'end 3');
    playback.clearHistory();
    assert.equal(playback.duration, 0);
    await stage.hear('drained');
    assert.equal(playback.currentTime, 0);
  });
});

describe('Playback whose history is lowered', () => {
  it('has nothing to seek at once with 0, and speaks again', async () => {
    const stage = await spokenStage();
    const { playback } = stage;
    assert.equal(playback.seekable.length, 1);
    playback.setHistory(0);
    assert.equal(playback.seekable.length, 0);
    await settled();
    assert.deepEqual(
      stage.events.map(({ type }) => type),
      ['progress'],
    );
    stage.text = 'Again.';
    void playback.play();
    await settled();
    assert.deepEqual(stage.serials, [1, 2]);
  });

  it('dispatches progress when the worker keeps less, though nothing loads', async () => {
    const stage = await spokenStage();
    await stage.keep({ serial: 1, sample: RATE / 2 }, { serial: 1, sample: RATE });
    await stage.keep({ serial: 1, sample: RATE / 2 }, { serial: 1, sample: RATE });
    assert.equal(stage.playback.seekable.start(0), 0.5);
    assert.deepEqual(
      stage.events.map(({ type }) => type),
      ['progress'],
    );
  });

  it('dispatches progress also while the socket is open', async () => {
    const stage = new Stage();
    stage.text = 'One.';
    void stage.playback.play();
    await settled();
    await stage.connect(1);
    await stage.keep({ serial: 1, sample: 0 }, { serial: 1, sample: RATE });
    await stage.utter(1);
    stage.events.length = 0;
    await stage.keep({ serial: 1, sample: RATE / 2 }, { serial: 1, sample: RATE });
    assert.equal(stage.playback.seekable.start(0), 0.5);
    assert.deepEqual(
      stage.events.map(({ type }) => type),
      ['progress'],
    );
  });

  it('ends if the worker no longer has what play() wants to play again', async () => {
    const stage = await spokenStage();
    const again = stage.playback.play();
    await settled();
    await stage.keep(null, null);
    await stage.report({ type: 'sought', number: lastSeek(stage), isKept: false });
    await stage.report({ type: 'sought', number: lastSeek(stage), isKept: true });
    assert.deepEqual([stage.playback.state, stage.playback.seeking, stage.playback.currentTime], ['ended', false, 1]);
    assert.equal(await outcome(again), 'resolved');
    assert.deepEqual(stage.journal, ['seeking', 'play', 'waiting', 'seeked', 'pause', 'ended']);
  });

  it('plays the speech that follows if the worker no longer has what a seek wants', async () => {
    const stage = await spokenStage();
    stage.playback.seek(0.5);
    await settled();
    stage.playback.speak('Two.');
    void stage.playback.play();
    await settled();
    await stage.report({ type: 'sought', number: lastSeek(stage), isKept: false });
    await stage.report({ type: 'sought', number: lastSeek(stage), isKept: true });
    await stage.connect(2);
    await stage.utter(2);
    assert.deepEqual([stage.playback.state, stage.playback.currentTime], ['ended', 2]);
  });
});
