import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SpeakerError } from '../../../src/base/speaker-error.js';
import type { PlaybackInput } from '../../../src/playback/input.js';
import { step } from '../../../src/playback/machine.js';
import { INITIAL_STATE, type PlaybackState, publishedState, type SpeakerState } from '../../../src/playback/state.js';
import type { Effect } from '../../../src/playback/effect.js';

const RATE = 24000;
const SESSION = { url: 'wss://example.test/', sampleRate: RATE, messages: [] };
const SPEAK: PlaybackInput = { type: 'speak', utterance: { words: 'own', hasText: true } };
const OPENED: PlaybackInput = { type: 'opened', isAllowed: true };
const OPEN: PlaybackInput = { type: 'socket-open' };
const PLAYING: PlaybackInput = { type: 'heard', event: { event: 'playing', at: 1 } };
const STALLED: PlaybackInput = { type: 'heard', event: { event: 'stalled', at: 1 } };
const DRAINED: PlaybackInput = { type: 'heard', event: { event: 'drained', at: 1 } };
const CLOSED: PlaybackInput = { type: 'socket-close', code: 1000, reason: '', openMs: 1 };
const FAILURE = new SpeakerError('socket-closed', 'Gone.');

function session(serial: number, key = 'auto 24000'): PlaybackInput {
  return { type: 'session', serial, session: SESSION, key, reason: 'speak' };
}

function audio(serial: number): PlaybackInput {
  return { type: 'first-audio', serial };
}

function received(serial: number, seconds: number): PlaybackInput {
  return { type: 'received', serial, samples: seconds * RATE };
}

function end(serial: number): PlaybackInput {
  return { type: 'heard', event: { event: 'end', serial, playedSamples: 0, at: 1 } };
}

/** Applies `inputs` in order. `counted` is the position at each of them, in seconds. */
function run(inputs: readonly PlaybackInput[], from: PlaybackState = INITIAL_STATE, counted = 0) {
  let state = from;
  const effects: Effect[] = [];
  for (const input of inputs) {
    const next = step(state, input, { shown: counted, counted });
    state = next.state;
    effects.push(...next.effects);
  }
  return { state, effects, published: publishedState(state) };
}

/** Returns the types of the dispatched events. */
function events(effects: readonly Effect[]): string[] {
  return effects.flatMap((effect) => (effect.do === 'dispatch' ? [effect.event.type] : []));
}

describe('The published state', () => {
  const toAudio = [SPEAK, OPENED, OPEN, audio(1)];
  const cases: readonly [string, readonly PlaybackInput[], SpeakerState][] = [
    ['is idle at first', [], 'idle'],
    ['is connecting while the output opens', [SPEAK], 'connecting'],
    ['is connecting until the socket is open', [SPEAK, OPENED], 'connecting'],
    ['is buffering once the socket is open', [SPEAK, OPENED, OPEN], 'buffering'],
    ['is playing while sound plays', [...toAudio, PLAYING], 'playing'],
    ['is buffering after an underrun', [...toAudio, PLAYING, STALLED], 'buffering'],
    [
      'is buffering after an underrun, even if the socket is closed',
      [...toAudio, PLAYING, CLOSED, STALLED],
      'buffering',
    ],
    ['is paused after pause()', [...toAudio, PLAYING, { type: 'pause' }], 'paused'],
    ['stays paused when speech is added', [...toAudio, { type: 'pause' }, SPEAK], 'paused'],
    ['is blocked if the browser requires a gesture', [SPEAK, { type: 'opened', isAllowed: false }], 'blocked'],
    [
      'is connecting after that gesture',
      [SPEAK, { type: 'opened', isAllowed: false }, { type: 'gesture' }],
      'connecting',
    ],
    ['is ended when everything has been heard', [...toAudio, received(1, 1), PLAYING, end(1), DRAINED], 'ended'],
    ['is idle after cancel()', [...toAudio, PLAYING, { type: 'cancel', ids: null, message: '' }], 'idle'],
    [
      'is error when nothing is left to play',
      [SPEAK, OPENED, { type: 'failed', serials: [1], error: FAILURE }],
      'error',
    ],
    [
      'is playing while received speech of a failed utterance plays',
      [...toAudio, PLAYING, { type: 'failed', serials: [1], error: FAILURE }],
      'playing',
    ],
    [
      'is connecting again after an error',
      [SPEAK, OPENED, { type: 'failed', serials: [1], error: FAILURE }, SPEAK],
      'connecting',
    ],
    ['is idle after close()', [...toAudio, PLAYING, { type: 'close' }], 'idle'],
  ];
  for (const [name, inputs, expected] of cases) {
    it(name, () => assert.equal(run(inputs).published, expected));
  }

  it('is announced once per change, after the media events', () => {
    const { effects } = run([...toAudio, received(1, 1), PLAYING, end(1), DRAINED]);
    assert.deepEqual(events(effects), [
      'loadstart',
      'play',
      'waiting',
      'statechange',
      'durationchange',
      'loadedmetadata',
      'statechange',
      'canplay',
      'progress',
      'durationchange',
      'playing',
      'statechange',
      'utteranceend',
      'timeupdate',
      'pause',
      'ended',
      'statechange',
    ]);
  });
});

describe('The duration', () => {
  it('is Infinity while more may arrive, and the sum of the utterances once all were received', () => {
    const begun = run([SPEAK, SPEAK, OPENED, session(1), OPEN, received(1, 1.5)]);
    assert.equal(begun.state.timeline.duration, Number.POSITIVE_INFINITY);
    const { state, effects } = run([received(2, 1)], begun.state);
    assert.equal(state.timeline.duration, 2.5);
    assert.deepEqual(events(effects), ['progress', 'durationchange']);
  });

  it('becomes shorter when speech that is still to come is dropped', () => {
    const { state } = run([SPEAK, SPEAK, OPENED, session(1), OPEN, received(1, 1), received(2, 2)]);
    assert.equal(run([{ type: 'cancel', ids: [2], message: '' }], state).state.timeline.duration, 1);
  });

  it('is not announced again for a rounding error', () => {
    const { state } = run([
      SPEAK,
      SPEAK,
      OPENED,
      session(1),
      OPEN,
      audio(1),
      received(1, 0.1),
      received(2, 0.2),
      PLAYING,
    ]);
    assert.deepEqual(events(run([end(1)], state, 0.1).effects), ['utteranceend']);
    assert.deepEqual(events(run([{ type: 'cancel', ids: [9], message: '' }], state).effects), []);
  });

  it('follows the count of the audio thread if an utterance was cut short', () => {
    const playing = run([SPEAK, SPEAK, OPENED, session(1), OPEN, audio(1), audio(2), PLAYING]).state;
    const cut = run([{ type: 'cancel', ids: [1], message: '' }], playing, 2).state;
    assert.equal(cut.timeline.reached, 2);
    // The fade lasts 4 ms.
    const { state } = run([received(2, 1), end(2), DRAINED], cut, 3.004);
    assert.equal(state.timeline.duration, 3.004);
  });

  it('ends exactly at the sum, even if the latest report of the audio thread is older', () => {
    const { state } = run([SPEAK, OPENED, session(1), OPEN, audio(1), received(1, 2), PLAYING]);
    assert.equal(run([end(1), DRAINED], state, 1.9).state.timeline.reached, 2);
  });
});

describe('A session', () => {
  const needed: PlaybackInput = { type: 'connection-needed', serial: 1 };

  it('is requested with the reason of its utterance', () => {
    const { effects } = run([{ type: 'play', utterance: { words: 'session', hasText: false } }, OPENED, needed]);
    assert.deepEqual(effects.at(-1), { do: 'request-session', serial: 1, reason: 'play' });
  });

  it('is not requested for an utterance that is over', () => {
    const { effects } = run([SPEAK, OPENED, { type: 'cancel', ids: null, message: '' }]);
    assert.deepEqual(run([needed], run([SPEAK, OPENED, { type: 'cancel', ids: null, message: '' }]).state).effects, []);
    assert.ok(effects.some((effect) => effect.do === 'release-session'));
  });

  it('opens the node and the connection at once: samples wait in the worker', () => {
    const { effects } = run([session(1)], run([SPEAK, OPENED, needed]).state);
    assert.deepEqual(
      effects.map((effect) => effect.do),
      ['hold-session', 'open-node', 'connect'],
    );
  });

  it('of another sample rate waits until everything before it has been heard', () => {
    const { state } = run([SPEAK, SPEAK, OPENED, needed, session(1), { type: 'node-opened' }, audio(1), PLAYING]);
    const waiting = run([session(2, 'auto 48000')], state);
    assert.deepEqual(
      waiting.effects.map((effect) => effect.do),
      ['hold-session'],
    );
    const { effects } = run([received(1, 1), end(1)], waiting.state);
    assert.deepEqual(
      effects.filter((effect) => effect.do !== 'dispatch').map((effect) => effect.do),
      ['note-heard', 'time-updates', 'settle', 'close-node', 'open-node', 'connect'],
    );
  });
});
