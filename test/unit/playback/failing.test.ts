import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SpeakerError } from '../../../src/playback/index.js';
import { NetworkState } from '../../../src/playback/state.js';
import type { SpeakerErrorDetails } from '../../../src/playback/index.js';
import type { FailureReport } from '../../../src/connection/speaker-report.js';
import { failure, outcome, RATE, refused, settled, Stage } from './stage.js';

function failed(serials: number[], message = 'Gone.', details: SpeakerErrorDetails = {}): FailureReport<'failed'> {
  return failure('failed', serials, 'socket-closed', message, details);
}

async function speaking(...texts: string[]) {
  const stage = new Stage();
  const utterances = texts.map((text) => stage.playback.speak(text));
  await settled();
  await stage.connect(1);
  stage.journal.length = 0;
  return { stage, utterances };
}

describe('Playback, failing', () => {
  it('reports the error of the worker, then pauses: nothing is left to play', async () => {
    const { stage, utterances } = await speaking('One.');
    await stage.report(failed([1], 'Out of credits.', { closeCode: 4402, retryable: false }));
    assert.deepEqual(stage.journal, ['error', 'durationchange', 'pause']);
    const { error } = stage.playback;
    assert.ok(error instanceof SpeakerError);
    assert.deepEqual(
      [error.reason, error.message, error.code, error.closeCode, error.retryable],
      ['socket-closed', 'Out of credits.', 2, 4402, false],
    );
    assert.equal(await outcome(utterances[0]!.started), 'SpeakerError');
    assert.equal(await outcome(utterances[0]!.finished), 'SpeakerError');
  });

  it('has heard what was received of an utterance that fails, to the sample, while the next one arrives', async () => {
    const { stage, utterances } = await speaking('One, and more.', 'Two.');
    await stage.report({ type: 'first-audio', serial: 1, atMs: stage.clock.now() });
    await stage.hear('playing', 'start 1');
    await stage.keep({ serial: 1, sample: 0 }, { serial: 1, sample: 12_960 });
    await stage.report(failed([1]));
    await stage.keep({ serial: 1, sample: 0 }, { serial: 2, sample: 4800 });
    // The clock of the page is not exact.
    stage.played(12_960 / RATE - 0.003);
    await stage.hear('end 1');
    assert.equal(await outcome(utterances[0]!.finished), 'SpeakerError');
    assert.deepEqual(utterances[0]!.heard, { seconds: 12_960 / RATE, text: 'One,' });
  });

  it('plays the buffered audio before it stops, without an ended event', async () => {
    const { stage, utterances } = await speaking('One.');
    await stage.report({ type: 'first-audio', serial: 1, atMs: stage.clock.now() });
    await stage.hear('playing', 'start 1');
    await stage.report(failed([1]));
    assert.equal(stage.playback.paused, false);
    assert.equal(await outcome(utterances[0]!.finished), 'pending');
    stage.played(0.5);
    await stage.hear('end 1', 'drained');
    assert.equal(await outcome(utterances[0]!.started), 'resolved');
    assert.equal(await outcome(utterances[0]!.finished), 'SpeakerError');
    assert.deepEqual(stage.journal, [
      'canplay',
      'playing',
      'utterancestart',
      'error',
      'utteranceend',
      'durationchange',
      'pause',
    ]);
    assert.equal(stage.playback.currentTime, 0.5);
    assert.equal(stage.playback.duration, 0.5);
  });

  it('continues with the next utterance, which ends normally', async () => {
    const { stage, utterances } = await speaking('One.', 'Two.');
    await stage.report(failed([1]));
    assert.equal(stage.playback.paused, false);
    assert.equal(await outcome(utterances[0]!.finished), 'SpeakerError');
    await stage.utter(2);
    assert.equal(await outcome(utterances[1]!.finished), 'resolved');
    assert.equal(stage.journal.at(-1), 'ended');
  });

  it('does not end normally when the last utterance fails behind one that plays', async () => {
    const { stage } = await speaking('One.', 'Two.');
    await stage.send(1, 1);
    await stage.hear('playing', 'start 1');
    await stage.report(failed([2]));
    await stage.hear('end 1', 'drained');
    assert.equal(stage.playback.ended, false);
    assert.equal(stage.journal.at(-1), 'pause');
  });

  it('clears the error when new speech is requested', async () => {
    const { stage } = await speaking('One.');
    await stage.report(failed([1]));
    stage.playback.speak('Two.');
    assert.equal(stage.playback.error, null);
    await stage.connect(2);
    await stage.utter(2);
    assert.equal(stage.playback.ended, true);
  });

  it('fails all utterances without audio when the session request fails, and cancels them at the worker', async () => {
    const stage = new Stage();
    stage.provide = () => Promise.reject(new SpeakerError('session-request-failed', 'No.', { httpStatus: 402 }));
    const first = stage.playback.speak('One.');
    const second = stage.playback.speak('Two.');
    await settled();
    await stage.connect(1);
    assert.deepEqual(stage.sent('cancel').at(-1)?.serials, [1, 2]);
    assert.equal(stage.playback.error?.httpStatus, 402);
    assert.deepEqual([await outcome(first.finished), await outcome(second.finished)], ['SpeakerError', 'SpeakerError']);
  });

  it('continues to play received audio when the next session request fails', async () => {
    const { stage, utterances } = await speaking('One.', 'Two.');
    await stage.send(1, 1);
    await stage.hear('playing', 'start 1');
    stage.provide = () => Promise.reject(new Error('down'));
    await stage.connect(2);
    assert.equal(await outcome(utterances[1]!.finished), 'SpeakerError');
    assert.equal(stage.playback.paused, false);
    await stage.hear('end 1', 'drained');
    assert.equal(await outcome(utterances[0]!.finished), 'resolved');
  });

  it('reports any error of a source as session-request-failed', async () => {
    const stage = new Stage();
    stage.provide = () => {
      throw new TypeError('x is not a function');
    };
    stage.playback.speak('One.');
    await settled();
    await stage.connect(1);
    const { error } = stage.playback;
    assert.deepEqual([error?.reason, error?.message], ['session-request-failed', 'x is not a function']);
    assert.ok(error?.cause instanceof TypeError);
  });

  it('has no source after an invalid session, until the next request', async () => {
    const stage = new Stage();
    stage.provide = () => Promise.reject(new SpeakerError('session-invalid', 'No url.'));
    stage.playback.speak('One.');
    await settled();
    await stage.connect(1);
    assert.equal(stage.playback.networkState, NetworkState.noSource);
    stage.journal.length = 0;
    stage.playback.speak('Two.');
    await settled();
    assert.equal(stage.playback.networkState, NetworkState.idle);
    assert.deepEqual(stage.journal, ['loadstart', 'play', 'waiting']);
  });

  it('tries to open the audio node again with the next utterance', async () => {
    const stage = new Stage();
    stage.output.opening = refused('output-failed', 'No worklet.');
    stage.playback.speak('One.');
    await settled();
    await stage.connect(1);
    assert.equal(stage.playback.error?.reason, 'output-failed');
    stage.output.opening = Promise.resolve();
    stage.playback.speak('Two.');
    await settled();
    await stage.connect(2);
    assert.equal(stage.output.nodes.length, 1);
    assert.equal(stage.sent('attach').length, 1);
  });

  it('opens the worker again after it did not start, and no second output', async () => {
    const stage = new Stage();
    stage.workerStarts = refused('output-failed', 'No worker.');
    stage.playback.speak('One.');
    await settled();
    assert.equal(stage.playback.error?.message, 'No worker.');
    stage.workerStarts = Promise.resolve();
    stage.playback.speak('Two.');
    await settled();
    assert.deepEqual([stage.channels, stage.openChannels, stage.openOutputs], [2, 1, 1]);
  });
});

describe('Playback, retrying', () => {
  it('tries three times with fresh sessions, then fails and withdraws the utterance', async () => {
    const { stage, utterances } = await speaking('One.');
    for (let tries = 0; tries < 3; tries++) await stage.connect(1, 'retry');
    assert.equal(await outcome(utterances[0]!.finished), 'pending');
    await stage.connect(1, 'retry');
    assert.equal(await outcome(utterances[0]!.finished), 'SpeakerError');
    assert.deepEqual(stage.reasons, ['speak', 'retry', 'retry', 'retry']);
    assert.deepEqual(stage.sent('cancel').at(-1)?.serials, [1]);
  });

  it('does not retry when the source has only one session', async () => {
    const { stage, utterances } = await speaking('One.');
    stage.canRenew = false;
    await stage.connect(1, 'retry');
    assert.equal(await outcome(utterances[0]!.finished), 'SpeakerError');
    assert.deepEqual(stage.reasons, ['speak']);
  });

  it('passes the reason to the source', async () => {
    const stage = new Stage();
    stage.text = 'One.';
    void stage.playback.play();
    await settled();
    await stage.connect(1);
    await stage.connect(1, 'retry');
    stage.playback.speak('Two.');
    await settled();
    await stage.connect(2);
    assert.deepEqual(stage.reasons, ['play', 'retry', 'speak']);
  });

  it('dispatches no event except socketclose', async () => {
    const { stage } = await speaking('One.');
    await stage.report({ type: 'socket-close', code: 1006, reason: '', openMs: 3 });
    await stage.connect(1, 'retry');
    assert.deepEqual(stage.journal, ['socketclose']);
    assert.equal(stage.playback.networkState, NetworkState.loading);
  });
});
