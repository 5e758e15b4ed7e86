import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SpeakerError } from '../../../src/playback/index.js';
import { contexts, outcome, playingStage, sessionOf, settled, Stage } from './stage.js';

const URL = 'https://example.test/a.wav';

async function begin() {
  const stage = new Stage();
  stage.hasSource = false;
  const utterance = stage.playback.speakAudio({ source: URL, sampleRate: 8000 }, 'Words.');
  await settled();
  return { stage, utterance };
}

describe('Playback of an audio stream', () => {
  it('passes the stream to the worker on request, without a session', async () => {
    const { stage, utterance } = await begin();
    const [enqueued] = stage.sent('enqueue');
    assert.deepEqual([enqueued!.isAudio, enqueued!.texts, utterance.text], [true, [], 'Words.']);
    assert.deepEqual(stage.sent('open-stream'), []);
    await stage.report({ type: 'connection-needed', serial: 1 });
    const [opened] = stage.sent('open-stream');
    assert.deepEqual([opened!.serial, opened!.input.sampleRate], [1, 8000]);
    assert.deepEqual(stage.reasons, []);
  });

  it('opens a node of its rate, and plays it from its first sample to its last', async () => {
    const { stage, utterance } = await begin();
    await stage.report({ type: 'connection-needed', serial: 1 });
    await stage.report({ type: 'stream-open', serial: 1, sampleRate: 24000 });
    assert.deepEqual(stage.sent('play-stream'), [{ type: 'play-stream', serial: 1 }]);
    assert.equal(stage.node.sampleRate, 24000);
    assert.equal(stage.playback.networkState, 2);
    await stage.report({ type: 'first-audio', serial: 1, atMs: stage.clock.now() });
    await stage.report({ type: 'received', serial: 1, samples: 24000 });
    await stage.report({ type: 'stream-close' });
    assert.equal(stage.playback.networkState, 1);
    await stage.hear('playing', 'start 1', 'end 1', 'drained');
    assert.equal(await outcome(utterance.finished), 'resolved');
    assert.equal(stage.playback.duration, 1);
  });

  it('of another rate waits until everything before has been heard', async () => {
    const stage = await playingStage();
    stage.playback.speakAudio({ source: URL }, '');
    await stage.report({ type: 'received', serial: 1, samples: 24000 });
    await stage.report({ type: 'connection-needed', serial: 2 });
    await stage.report({ type: 'stream-open', serial: 2, sampleRate: 48000 });
    assert.deepEqual(stage.sent('play-stream'), []);
    assert.equal(stage.playback.duration, Infinity);
    await stage.hear('end 1');
    assert.deepEqual(stage.sent('play-stream'), [{ type: 'play-stream', serial: 2 }]);
    assert.equal(stage.node.sampleRate, 48000);
  });

  it('that is cancelled in the meantime is not passed to the worker', async () => {
    const { stage, utterance } = await begin();
    const reported = stage.report({ type: 'connection-needed', serial: 1 });
    utterance.cancel();
    await reported;
    assert.deepEqual(stage.sent('open-stream'), []);
    assert.equal(await outcome(utterance.finished), 'AbortError');
  });

  it('that ends early plays what was received, and rejects with the reason', async () => {
    const { stage, utterance } = await begin();
    await stage.report({ type: 'connection-needed', serial: 1 });
    await stage.report({ type: 'stream-open', serial: 1, sampleRate: 24000 });
    await stage.report({ type: 'first-audio', serial: 1, atMs: stage.clock.now() });
    const cause = { type: 'stream-ended', bytes: 10, expected: 20, message: '' } as const;
    await stage.report({ type: 'stream-failed', serial: 1, cause });
    assert.equal(stage.playback.error?.reason, 'socket-closed');
    assert.equal(await outcome(utterance.finished), 'pending');
    await stage.hear('playing', 'start 1', 'end 1', 'drained');
    assert.equal(await outcome(utterance.finished), 'SpeakerError');
  });

  it('that cannot be prepared fails with the reason', async () => {
    const { stage, utterance } = await begin();
    stage.prepare = () => {
      throw new TypeError('a b is not a URL.');
    };
    const other = stage.playback.speakAudio({ source: 'a b' }, '');
    utterance.cancel();
    await settled();
    await stage.report({ type: 'connection-needed', serial: 2 });
    assert.equal(await outcome(other.finished), 'SpeakerError');
    const { error } = stage.playback;
    assert.ok(error instanceof SpeakerError);
    assert.deepEqual([error.reason, error.message], ['socket-failed', 'a b is not a URL.']);
  });

  it('keeps its place behind contexts that a session brings', async () => {
    const stage = new Stage();
    stage.provide = () => sessionOf({ messages: contexts('a', 'b'), isBareUrl: false });
    void stage.playback.play();
    stage.playback.speakAudio({ source: URL }, '');
    await settled();
    await stage.connect(1);
    const last = stage.sent('enqueue').at(-1)!;
    assert.deepEqual([last.isAudio, last.serial], [true, Math.max(...stage.serials)]);
  });

  it('is played by play() while src is its URL', async () => {
    const stage = new Stage();
    stage.hasSource = false;
    assert.equal(await outcome(stage.playback.play()), 'InvalidStateError');
    stage.audioUrl = URL;
    void stage.playback.play();
    await settled();
    await stage.report({ type: 'connection-needed', serial: 1 });
    assert.equal(stage.sent('open-stream').length, 1);
  });
});
