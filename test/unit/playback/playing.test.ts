import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { NetworkState, ReadyState } from '../../../src/playback/state.js';
import type { Utterance } from '../../../src/playback/utterance.js';
import { outcome, playingStage, RATE, settled, Stage } from './stage.js';

describe('Playback, speaking', () => {
  it('dispatches the events of an utterance in the order of HTML', async () => {
    const stage = new Stage();
    stage.playback.speak('One.');
    await settled();
    assert.deepEqual(stage.journal.splice(0), ['loadstart', 'play', 'waiting']);
    await stage.connect(1);
    assert.deepEqual(stage.journal.splice(0), ['durationchange', 'loadedmetadata']);
    await stage.report({ type: 'first-audio', serial: 1, atMs: stage.clock.now() });
    assert.deepEqual(stage.journal.splice(0), ['canplay']);
    await stage.hear('playing', 'start 1');
    assert.deepEqual(stage.journal.splice(0), ['playing', 'utterancestart']);
    await stage.report({ type: 'context-done', contextId: 'turn-1' });
    await stage.report({ type: 'received', serial: 1, samples: 24000 });
    await stage.report({ type: 'socket-close', code: 1000, reason: '', openMs: 40 });
    assert.deepEqual(stage.journal.splice(0), ['contextdone', 'durationchange', 'socketclose']);
    stage.played(1);
    await stage.hear('end 1', 'drained');
    assert.deepEqual(stage.journal, ['utteranceend', 'pause', 'ended']);
  });

  it('changes its state before it dispatches the event', async () => {
    const stage = new Stage();
    const { playback } = stage;
    const seen: Record<string, unknown> = {};
    stage.onEvent = ({ type }) => {
      if (type === 'statechange' || type === 'word') return;
      seen[type] = [playback.paused, playback.readyState, playback.networkState, playback.ended, playback.duration];
    };
    playback.speak('One.');
    await settled();
    await stage.connect(1);
    await stage.utter(1, 2);
    assert.deepEqual(seen, {
      loadstart: [false, ReadyState.nothing, NetworkState.idle, false, Number.NaN],
      play: [false, ReadyState.nothing, NetworkState.idle, false, Number.NaN],
      waiting: [false, ReadyState.nothing, NetworkState.idle, false, Number.NaN],
      loadedmetadata: [false, ReadyState.metadata, NetworkState.loading, false, Number.POSITIVE_INFINITY],
      canplay: [false, ReadyState.futureData, NetworkState.loading, false, Number.POSITIVE_INFINITY],
      progress: [false, ReadyState.futureData, NetworkState.loading, false, 2],
      durationchange: [false, ReadyState.futureData, NetworkState.loading, false, 2],
      utterancestart: [false, ReadyState.enoughData, NetworkState.loading, false, 2],
      playing: [false, ReadyState.enoughData, NetworkState.loading, false, 2],
      utteranceend: [true, ReadyState.currentData, NetworkState.loading, true, 2],
      timeupdate: [true, ReadyState.currentData, NetworkState.loading, true, 2],
      pause: [true, ReadyState.currentData, NetworkState.loading, true, 2],
      ended: [true, ReadyState.currentData, NetworkState.loading, true, 2],
    });
  });

  it('changes its state synchronously', () => {
    const { playback } = new Stage();
    playback.speak('One.');
    assert.equal(playback.paused, false);
    assert.equal(playback.networkState, NetworkState.idle);
    playback.pause();
    assert.equal(playback.paused, true);
  });

  it('dispatches playing only when the sound is heard', async () => {
    const stage = new Stage();
    stage.playback.speak('One.');
    await settled();
    await stage.connect(1);
    await stage.send(1, 1);
    stage.node.tell({ event: 'playing', at: stage.output.currentTime });
    stage.clock.advance(29); // the output's latency is 30 ms
    await settled();
    assert.ok(!stage.journal.includes('playing'));
    stage.clock.advance(1);
    await settled();
    assert.ok(stage.journal.includes('playing'));
  });

  it('numbers utterances and contexts in the order of the calls', async () => {
    const stage = new Stage();
    const first = stage.playback.speak('One.');
    const second = stage.playback.speak('Two.', 'mine');
    const third = stage.playback.speak('Three.');
    await settled();
    assert.deepEqual(
      stage.sent('enqueue').map(({ serial, contextId, texts }) => [serial, contextId, texts?.join('') ?? null]),
      [
        [1, 'turn-1', 'One.'],
        [2, 'mine', 'Two.'],
        [3, 'turn-2', 'Three.'],
      ],
    );
    assert.deepEqual([first.contextId, second.contextId, third.contextId], ['turn-1', 'mine', 'turn-2']);
    assert.deepEqual([first.text, second.text], ['One.', 'Two.']);
  });

  it('resolves the promises of an utterance when its first and its last sample are heard', async () => {
    const stage = new Stage();
    const utterance = stage.playback.speak('One.');
    const heard: string[] = [];
    void utterance.started.then(() => heard.push(`started after ${stage.journal.at(-1)}`));
    void utterance.finished.then(() => heard.push(`finished after ${stage.journal.at(-1)}`));
    await settled();
    await stage.connect(1);
    await stage.send(1, 1);
    assert.deepEqual(heard, []);
    await stage.hear('playing', 'start 1');
    assert.deepEqual(heard.splice(0), ['started after utterancestart']);
    await stage.hear('end 1');
    assert.deepEqual(heard, ['finished after utteranceend']);
  });

  it('continues with the next utterance without a waiting event if there is no gap', async () => {
    const stage = new Stage();
    stage.playback.speak('One.');
    stage.playback.speak('Two.');
    await settled();
    await stage.connect(1);
    await stage.send(1, 1);
    await stage.send(2, 1);
    stage.journal.length = 0;
    await stage.hear('playing', 'start 1');
    await stage.hear('end 1', 'start 2');
    await stage.hear('end 2', 'drained');
    assert.deepEqual(stage.journal, [
      'playing',
      'utterancestart',
      'utteranceend',
      'utterancestart',
      'utteranceend',
      'pause',
      'ended',
    ]);
  });

  it('waits between utterances if the next one has not arrived, and continues with canplay and playing', async () => {
    const stage = new Stage();
    stage.playback.speak('One.');
    stage.playback.speak('Two.');
    await settled();
    await stage.connect(1);
    await stage.send(1, 1);
    await stage.hear('playing', 'start 1');
    stage.journal.length = 0;
    await stage.hear('end 1', 'drained');
    assert.deepEqual(stage.journal.splice(0), ['utteranceend', 'waiting']);
    assert.equal(stage.playback.readyState, ReadyState.currentData);
    await stage.send(2, 1);
    await stage.hear('playing', 'start 2');
    assert.deepEqual(stage.journal, ['canplay', 'durationchange', 'playing', 'utterancestart']);
  });

  it('dispatches waiting once at an underrun, then underrun with its duration', async () => {
    const stage = await playingStage();
    stage.journal.length = 0;
    await stage.hear('stalled');
    assert.deepEqual(stage.journal.splice(0), ['waiting']);
    assert.equal(stage.playback.readyState, ReadyState.currentData);
    stage.node.tell({ event: 'underrun', durationMs: 250, at: stage.output.currentTime });
    await stage.hear('playing');
    assert.deepEqual(stage.journal, ['underrun', 'canplay', 'playing']);
    assert.deepEqual(
      stage.events.find((event) => event.type === 'underrun'),
      { type: 'underrun', durationMs: 250 },
    );
  });

  it('dispatches only underrun for an underrun that was concealed', async () => {
    const stage = await playingStage();
    stage.journal.length = 0;
    stage.node.tell({ event: 'underrun', durationMs: 40, at: stage.output.currentTime });
    await stage.hear();
    assert.deepEqual(stage.journal, ['underrun']);
    assert.equal(stage.playback.readyState, ReadyState.enoughData);
    assert.equal(stage.playback.state, 'playing');
  });

  it('does not wait twice for one silence', async () => {
    const stage = new Stage();
    stage.playback.speak('One.');
    stage.playback.speak('Two.');
    await settled();
    await stage.connect(1);
    await stage.report({ type: 'first-audio', serial: 1, atMs: stage.clock.now() });
    await stage.hear('playing', 'start 1');
    stage.journal.length = 0;
    await stage.hear('stalled');
    await stage.hear('end 1', 'drained');
    assert.deepEqual(stage.journal, ['waiting', 'utteranceend']);
  });

  it('ends an utterance without audio when those before it have ended', async () => {
    const stage = new Stage();
    stage.playback.speak('One.');
    const silent = stage.playback.speak('…');
    let finished = false;
    void silent.finished.then(() => (finished = true));
    await settled();
    await stage.connect(1);
    await stage.send(1, 1);
    await stage.send(2, 0);
    await stage.hear('playing', 'start 1');
    assert.equal(finished, false);
    stage.journal.length = 0;
    await stage.hear('end 1', 'drained');
    assert.equal(finished, true);
    assert.deepEqual(stage.journal, ['utteranceend', 'utteranceend', 'pause', 'ended']);
  });

  it('ends after a single utterance without audio', async () => {
    const stage = new Stage();
    const play = stage.playback.speak('…');
    await settled();
    await stage.connect(1);
    await stage.send(1, 0);
    await play.finished;
    assert.deepEqual(stage.journal.slice(-4), ['durationchange', 'utteranceend', 'pause', 'ended']);
    assert.equal(stage.playback.duration, 0);
  });

  it('keeps the output running while it speaks, and no longer', async () => {
    const stage = new Stage();
    stage.playback.speak('One.');
    await settled();
    assert.equal(stage.output.busy, true);
    await stage.connect(1);
    await stage.utter(1);
    assert.equal(stage.output.busy, false);
  });

  it('opens worker and output once, however often it speaks', async () => {
    const stage = new Stage();
    stage.playback.speak('One.');
    stage.playback.speak('Two.');
    await settled();
    await stage.connect(1);
    await stage.utter(1);
    await stage.utter(2);
    stage.playback.speak('Three.');
    await settled();
    assert.deepEqual([stage.channels, stage.openOutputs, stage.output.nodes.length], [1, 1, 1]);
  });

  it('dispatches timeupdate four times a second while sound plays', async () => {
    const stage = new Stage();
    stage.playback.speak('One.');
    await settled();
    await stage.connect(1);
    await stage.send(1, 10);
    await stage.hear('playing', 'start 1');
    stage.events.length = 0;
    stage.clock.advance(1000);
    await settled();
    assert.deepEqual(
      stage.events.map(({ type }) => type),
      ['timeupdate', 'timeupdate', 'timeupdate', 'timeupdate'],
    );
    await stage.hear('stalled');
    stage.events.length = 0;
    stage.clock.advance(1000);
    await settled();
    assert.deepEqual(stage.events, []);
  });

  it('dispatches progress about every 350 ms while frames arrive', async () => {
    const stage = new Stage();
    stage.playback.speak('One.');
    await settled();
    await stage.connect(1);
    let told = 0;
    stage.onEvent = ({ type }) => (told += type === 'progress' ? 1 : 0);
    for (let i = 1; i <= 10; i++) {
      await stage.keep(null, { serial: 1, sample: i });
      stage.clock.advance(100);
    }
    assert.equal(told, 3); // at 0, 400 and 800 ms
    for (let i = 1; i <= 10; i++) {
      await stage.keep(null, { serial: 1, sample: 10 });
      stage.clock.advance(100);
    }
    assert.equal(told, 4, 'once more for the last frames');
  });

  it('dispatches no progress while received speech plays and nothing arrives, though less of it is kept', async () => {
    const stage = await playingStage();
    const newest = { serial: 1, sample: 60 * RATE };
    await stage.keep({ serial: 1, sample: 0 }, newest);
    stage.clock.advance(1000);
    stage.events.length = 0;
    for (let sample = 0; sample < RATE; sample += RATE / 10) {
      await stage.keep({ serial: 1, sample }, newest);
      stage.clock.advance(100);
      await settled();
    }
    await stage.report({ type: 'socket-close', code: 1000, reason: '', openMs: 40 });
    for (let sample = RATE; sample < 2 * RATE; sample += RATE / 10) {
      await stage.keep({ serial: 1, sample }, newest);
      stage.clock.advance(100);
      await settled();
    }
    assert.equal(stage.playback.seekable.start(0), 1.9);
    assert.deepEqual(new Set(stage.events.map(({ type }) => type)), new Set(['timeupdate', 'socketclose']));
  });

  it('dispatches progress when all of an utterance was received, however soon after the last one', async () => {
    const stage = new Stage();
    stage.text = 'Text.';
    void stage.playback.play();
    await settled();
    await stage.connect(1);
    await stage.report({ type: 'first-audio', serial: 1, atMs: stage.clock.now() });
    let told = 0;
    stage.onEvent = ({ type }) => (told += type === 'progress' ? 1 : 0);
    await stage.report({ type: 'received', serial: 1, samples: 24_000 });
    assert.equal(told, 1);
  });
});

describe('Playback, replaying', () => {
  async function spoken(): Promise<Stage> {
    const stage = new Stage();
    stage.text = 'One.';
    void stage.playback.play();
    await settled();
    await stage.connect(1);
    await stage.utter(1, 2);
    assert.equal(stage.playback.ended, true);
    assert.equal(stage.playback.currentTime, 2);
    stage.journal.length = 0;
    return stage;
  }

  it('starts at 0 again when play() follows the end', async () => {
    const stage = await spoken();
    void stage.playback.play();
    assert.equal(stage.playback.currentTime, 0);
    assert.equal(stage.playback.ended, false);
    await stage.connect(2);
    await stage.utter(2, 1);
    assert.equal(stage.playback.currentTime, 1);
    assert.deepEqual(stage.journal, [
      'seeking',
      'durationchange',
      'play',
      'waiting',
      'seeked',
      'canplay',
      'durationchange',
      'playing',
      'utterancestart',
      'utteranceend',
      'pause',
      'ended',
    ]);
  });

  it('continues the time when speak() follows the end', async () => {
    const stage = await spoken();
    stage.playback.speak('Two.');
    assert.equal(stage.playback.currentTime, 2);
    assert.equal(stage.playback.duration, Number.POSITIVE_INFINITY);
    await stage.connect(2);
    await stage.utter(2, 1);
    assert.equal(stage.playback.currentTime, 3);
    assert.equal(stage.playback.duration, 3);
  });

  /** Returns a stage on which an utterance of two seconds has been heard, and is about to be played again. */
  async function replayedStage(): Promise<{ stage: Stage; utterance: Utterance }> {
    const stage = new Stage();
    const utterance = stage.playback.speak('One.');
    await settled();
    await stage.connect(1);
    await stage.utter(1, 2);
    await stage.keep({ serial: 1, sample: 0 }, { serial: 1, sample: 2 * RATE });
    void utterance.replay();
    return { stage, utterance };
  }

  it('lets new speech follow a replay of the newest utterance', async () => {
    const { stage } = await replayedStage();
    await stage.hear('playing', 'start 1');
    stage.played(4);
    await stage.hear('end 1', 'drained');
    assert.equal(stage.playback.ended, true);
    const { target, only } = stage.sent('seek').at(-1)!;
    assert.deepEqual({ target, only }, { target: { after: 1 }, only: false });
  });

  it('goes on with the speech that follows when a replay is cancelled', async () => {
    const { stage, utterance } = await replayedStage();
    stage.playback.speak('Two.');
    await stage.hear('playing', 'start 1');
    stage.played(0.5);
    utterance.cancel();
    await settled();
    const { target, only } = stage.sent('seek').at(-1)!;
    assert.deepEqual({ target, only }, { target: { after: 1 }, only: false });
    assert.deepEqual([stage.playback.currentTime, stage.playback.paused], [2, false]);
  });

  it('replays an audio stream without a source of sessions, but not after the text has changed', async () => {
    const stage = new Stage();
    stage.hasSource = false;
    stage.playback.speakAudio({ source: 'https://example.test/a.wav' }, '');
    await settled();
    await stage.report({ type: 'connection-needed', serial: 1 });
    await stage.report({ type: 'stream-open', serial: 1, sampleRate: 24000 });
    await stage.report({ type: 'first-audio', serial: 1, atMs: stage.clock.now() });
    await stage.report({ type: 'received', serial: 1, samples: 24000 });
    await stage.keep({ serial: 1, sample: 0 }, { serial: 1, sample: 24000 });
    await stage.report({ type: 'stream-close' });
    await stage.hear('playing', 'start 1', 'end 1', 'drained');
    assert.deepEqual([stage.playback.ended, stage.playback.replays], [true, true]);
    stage.playback.sourceChanged();
    assert.equal(await outcome(stage.playback.play()), 'InvalidStateError');
    assert.deepEqual(stage.reasons, []);
  });

  it('lets a page ignore the promise of a replay that pause() interrupts', async () => {
    const { stage } = await replayedStage();
    stage.playback.pause();
    // The runner fails a test with an unhandled rejection.
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(stage.playback.paused, true);
  });

  it('speaks even if the user had paused right before the end', async () => {
    const stage = new Stage();
    stage.playback.speak('One.');
    await settled();
    await stage.connect(1);
    await stage.send(1, 1);
    await stage.hear('playing', 'start 1');
    stage.played(1);
    stage.playback.pause(); // the last sample was already emitted
    await stage.hear('end 1', 'drained');
    assert.equal(stage.playback.ended, true);
    stage.playback.speak('Two.');
    assert.equal(stage.playback.paused, false);
  });
});
