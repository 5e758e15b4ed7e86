import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { SpeakerError } from '../../../src/base/speaker-error.js';
import type { PlaybackInput } from '../../../src/playback/input.js';
import { step } from '../../../src/playback/machine.js';
import {
  INITIAL_STATE,
  isPaused,
  NetworkState,
  type PlaybackState,
  publishedState,
  ReadyState,
  TRANSITIONS,
} from '../../../src/playback/state.js';
import { placed, seekableRange } from '../../../src/playback/timeline.js';
import type { Effect, MachineEvent } from '../../../src/playback/effect.js';

/** Number of random runs that each test checks, and number of those that are checked for everything. */
const RUNS = 1000;
const LONG_RUNS = 1_000_000;

const serial = fc.integer({ min: 1, max: 8 });
const id = fc.integer({ min: 1, max: 8 });
const error = fc.constantFrom(new SpeakerError('socket-closed', 'Gone.'), new SpeakerError('session-invalid', 'No.'));
const greeting = ['greeting', 'more'].map((context_id) => ({ type: 'end', context_id }) as const);
const messages = fc.constantFrom([], [{ type: 'end', context_id: 'turn-1' } as const], greeting);

/** Any call of the page and any report of another thread. They may come at any time. */
const anyInput: fc.Arbitrary<PlaybackInput> = fc.oneof(
  fc.record({
    type: fc.constantFrom('play' as const, 'speak' as const),
    utterance: fc.constantFrom<{ words: 'own' | 'session' | 'audio'; hasText: boolean }>(
      { words: 'audio', hasText: false },
      { words: 'own', hasText: true },
      { words: 'own', hasText: false },
      { words: 'session', hasText: false },
    ),
  }),
  fc.constantFrom<PlaybackInput>(
    { type: 'pause' },
    { type: 'gesture' },
    { type: 'close' },
    { type: 'load' },
    { type: 'clear-history' },
    { type: 'source-changed' },
    { type: 'opened', isAllowed: true },
    { type: 'opened', isAllowed: true },
    { type: 'opened', isAllowed: false },
    { type: 'output-moving' },
    { type: 'output-still', isStill: true },
    { type: 'output-still', isStill: false },
    { type: 'output-blocked' },
    { type: 'node-opened' },
    { type: 'socket-open' },
    { type: 'stream-close' },
    { type: 'socket-close', code: 1000, reason: '', openMs: 1 },
    { type: 'timeupdate' },
    { type: 'heard', event: { event: 'playing', at: 1 } },
    { type: 'heard', event: { event: 'stalled', at: 1 } },
    { type: 'heard', event: { event: 'drained', at: 1 } },
    { type: 'heard', event: { event: 'underrun', durationMs: 3, at: 1 } },
  ),
  fc.record({ type: fc.constant('first-text' as const), id }),
  fc.record({ type: fc.constant('text-failed' as const), id, error }),
  fc.record({
    type: fc.constant('cancel' as const),
    ids: fc.option(fc.array(id, { maxLength: 2 })),
    message: fc.constant(''),
  }),
  fc.record({ type: fc.constant('output-failed' as const), error }),
  fc.record({ type: fc.constant('session-failed' as const), serial, error }),
  fc.record({ type: fc.constant('failed' as const), serials: fc.array(serial, { maxLength: 3 }), error }),
  fc.record({ type: fc.constant('connection-needed' as const), serial }),
  fc.record({
    type: fc.constant('session' as const),
    serial,
    session: fc.record({
      url: fc.constant('wss://example.test/'),
      sampleRate: fc.constantFrom(24000, 48000),
      messages,
    }),
    key: fc.constantFrom('auto 24000', 'auto 48000'),
    reason: fc.constantFrom('speak' as const, 'retry' as const),
  }),
  fc.record({
    type: fc.constant('stream-open' as const),
    serial,
    sampleRate: fc.constantFrom(24000, 48000),
    key: fc.constantFrom('auto 24000', 'auto 48000'),
  }),
  fc.record({ type: fc.constant('first-audio' as const), serial }),
  fc.record({ type: fc.constant('received' as const), serial, samples: fc.constantFrom(0, 24000, 48000) }),
  fc.record({
    type: fc.constant('progress' as const),
    nowMs: fc.integer({ min: 0, max: 2000 }),
    oldest: fc.option(fc.record({ serial, sample: fc.nat(24000) })),
    newest: fc.option(fc.record({ serial, sample: fc.nat(24000) })),
    quiet: fc.constant([]),
  }),
  fc.record({
    type: fc.constant('seek' as const),
    seconds: fc.integer({ min: -4, max: 32 }).map((quarters) => quarters / 4),
  }),
  fc.record({ type: fc.constant('replay' as const), id }),
  fc.record({ type: fc.constant('sought' as const), number: fc.integer({ min: 1, max: 4 }), isKept: fc.boolean() }),
  fc.record({
    type: fc.constant('heard' as const),
    event: fc.record({
      event: fc.constantFrom('start' as const, 'end' as const),
      serial,
      playedSamples: fc.constant(0),
      at: fc.constant(1),
    }),
  }),
);

/** Inputs that speak `count` utterances, of which `heard` have ended. Random inputs alone seldom reach such a state. */
function story(count: number, heard: number): PlaybackInput[] {
  const serials = Array.from({ length: count }, (_, index) => index + 1);
  const session = { url: 'wss://example.test/', sampleRate: 24000, messages: [], isBareUrl: false };
  const utterance = { words: 'own', hasText: true } as const;
  return [
    ...serials.map(() => ({ type: 'speak', utterance }) as const),
    { type: 'opened', isAllowed: true },
    { type: 'session', serial: 1, session, key: 'auto 24000', reason: 'speak' },
    { type: 'node-opened' },
    { type: 'socket-open' },
    ...serials.flatMap((one): PlaybackInput[] => [
      { type: 'first-audio', serial: one },
      { type: 'received', serial: one, samples: 24000 },
    ]),
    {
      type: 'progress',
      nowMs: 1,
      oldest: { serial: 1, sample: 0 },
      newest: { serial: count, sample: 24000 },
      quiet: [],
    },
    { type: 'heard', event: { event: 'playing', at: 1 } },
    ...serials.slice(0, heard).flatMap((one): PlaybackInput[] => [
      { type: 'heard', event: { event: 'start', serial: one, playedSamples: 0, at: 1 } },
      { type: 'heard', event: { event: 'end', serial: one, playedSamples: 0, at: 1 } },
    ]),
    ...(heard === count ? [{ type: 'heard', event: { event: 'drained', at: 1 } } as const] : []),
  ];
}

const anyStory = fc.constantFrom(
  [],
  ...[
    [1, 0],
    [1, 1],
    [3, 1],
    [3, 2],
    [3, 3],
  ].map(([count, heard]) => story(count!, heard!)),
);

/** Counterexamples that earlier random runs found. */
const FOUND: [begin: PlaybackInput[], list: PlaybackInput[]][] = [
  // The text stream of an utterance fails after its end, while it is about to be replayed.
  [
    story(1, 0),
    [
      { type: 'output-failed', error: new SpeakerError('output-failed', 'Gone.') },
      { type: 'speak', utterance: { words: 'audio', hasText: false } },
      { type: 'first-audio', serial: 2 },
      { type: 'output-failed', error: new SpeakerError('output-failed', 'Gone.') },
      { type: 'replay', id: 1 },
      { type: 'text-failed', id: 2, error: new SpeakerError('aborted', 'Gone.') },
    ],
  ],
  // A seek after the end of speech of which an utterance was cancelled before it was heard.
  [
    story(3, 1),
    [
      { type: 'cancel', ids: [2], message: '' },
      { type: 'heard', event: { event: 'end', serial: 3, playedSamples: 0, at: 1 } },
      { type: 'heard', event: { event: 'drained', at: 1 } },
      { type: 'seek', seconds: 1.25 },
    ],
  ],
  // A session brings speech for an utterance that turned out to be empty, after all the rest was received.
  [
    story(1, 0),
    [
      { type: 'speak', utterance: { words: 'own', hasText: false } },
      { type: 'received', serial: 2, samples: 0 },
      {
        type: 'session',
        serial: 2,
        session: { url: 'wss://example.test/', sampleRate: 24000, messages: greeting },
        key: 'auto 24000',
        reason: 'speak',
      },
      { type: 'received', serial: 3, samples: 48000 },
      { type: 'seek', seconds: 1.25 },
    ],
  ],
  // The session of another utterance fails after one that has arrived whole, without a sample.
  [
    story(1, 1),
    [
      { type: 'speak', utterance: { words: 'audio', hasText: false } },
      { type: 'seek', seconds: 0 },
      { type: 'opened', isAllowed: true },
      { type: 'progress', nowMs: 0, oldest: { serial: 1, sample: 0 }, newest: { serial: 2, sample: 1 }, quiet: [] },
      { type: 'received', serial: 2, samples: 0 },
      { type: 'session-failed', serial: 3, error: new SpeakerError('session-invalid', 'No.') },
      { type: 'seek', seconds: 1.25 },
    ],
  ],
];

interface Turn {
  readonly input: PlaybackInput;
  readonly before: PlaybackState;
  readonly after: PlaybackState;
  readonly effects: readonly Effect[];
}

/** Runs random inputs through the machine at an advancing position. Calls `check` for each turn. */
function run(inputs: readonly PlaybackInput[], check: (turn: Turn) => void): Turn[] {
  let state = INITIAL_STATE;
  let position = 0;
  return inputs.flatMap((input) => {
    // An empty speaker has no socket.
    if (/^(socket|stream)-open$/.test(input.type) && state.networkState === NetworkState.empty) return [];
    // Samples come with a session.
    if (input.type === 'received' && input.samples > 0 && Number.isNaN(state.sampleRate)) return [];
    // The worker reports the length of an utterance once.
    const { utterances } = state;
    if (input.type === 'received' && utterances.some((one) => one.serial === input.serial && one.seconds !== null)) {
      return [];
    }
    // No session is requested for an utterance of which all was received.
    if (
      input.type === 'session-failed' &&
      utterances.some((one) => one.serial === input.serial && one.seconds !== null)
    ) {
      return [];
    }
    // The worker knows only utterances that were enqueued.
    if (input.type === 'progress' && input.newest && input.newest.serial > state.lastSerial) return [];
    if (input.type === 'progress' && input.oldest && input.oldest.serial > state.lastSerial) return [];
    position = Math.max(position + (state.mode === 'playing' ? 0.1 : 0), state.timeline.reached);
    const { state: after, effects } = step(state, input, { shown: position, counted: position });
    for (const effect of effects) {
      if (effect.do === 'seek') position = effect.seconds;
      if (effect.do === 'forget') position = Math.max(0, position - effect.seconds);
      if (effect.do === 'restart-clock' || effect.do === 'discard-events') position = 0;
    }
    const turn = { input, before: state, after, effects };
    check(turn);
    state = after;
    return [turn];
  });
}

interface Check {
  readonly turn: (turn: Turn) => void;
  /** Checks all turns of a run together. */
  readonly whole: (turns: readonly Turn[]) => void;
}

/** Runs random inputs through the machine, and makes the checks. */
function assertRandom(checks: readonly Check[], numRuns: number): void {
  const inputs = fc.array(anyInput, { maxLength: 60, size: 'max' });
  const property = fc.property(anyStory, inputs, (begin, list) => {
    const turns = run([...begin, ...list], (turn) => checks.forEach((check) => check.turn(turn)));
    for (const { whole } of checks) whole(turns);
  });
  fc.assert(property, { numRuns, examples: FOUND });
}

/** Random runs that all tests check. With a fixed seed, each test would compute the same ones. */
const kept: (readonly Turn[])[] = [];
/** The checks of all tests so far. */
const checks: Check[] = [];

/** Checks random runs: calls `turn` for each turn, and `whole` with the turns of each run. */
function assertAlways(turn: Check['turn'], whole: Check['whole'] = () => {}): void {
  const check = { turn, whole };
  checks.push(check);
  if (kept.length === 0) assertRandom([{ turn: () => {}, whole: (turns) => void kept.push(turns) }], RUNS);
  try {
    for (const turns of kept) {
      turns.forEach(turn);
      whole(turns);
    }
  } catch (cause) {
    // Finds the same run again, and shrinks it.
    assertRandom([check], RUNS);
    throw cause;
  }
}

function eventsOf({ effects }: Turn): MachineEvent['type'][] {
  return effects.flatMap((effect) => (effect.do === 'dispatch' ? [effect.event.type] : []));
}

describe('The playback machine, for any order of inputs', () => {
  it('never contradicts itself in paused, ended, state and queue', () => {
    assertAlways(({ after }) => {
      const published = publishedState(after);
      assert.equal(isPaused(after), !['connecting', 'buffering', 'playing'].includes(published), published);
      assert.equal(published === 'ended', after.mode === 'ended');
      if (published === 'error') assert.notEqual(after.error, null);
      if (['idle', 'ended', 'error'].includes(published)) assert.deepEqual(after.utterances, []);
      if (published === 'playing') assert.ok(after.readyState >= ReadyState.futureData);
    });
  });

  it('changes its mode only as the table of transitions allows', () => {
    assertAlways(({ before, after }) => {
      if (before.mode === after.mode) return;
      assert.ok(TRANSITIONS[before.mode].includes(after.mode), `${before.mode} to ${after.mode}`);
    });
  });

  it('dispatches statechange once for each change of the published state, and only then', () => {
    assertAlways((turn) => {
      const changed = publishedState(turn.before) !== publishedState(turn.after);
      assert.equal(eventsOf(turn).filter((type) => type === 'statechange').length, changed ? 1 : 0);
    });
  });

  it('dispatches play and pause alternately, and ended only while paused', () => {
    assertAlways(
      () => {},
      (turns) => {
        let isPlaying = false;
        for (const turn of turns) {
          if (turn.effects.some((effect) => effect.do === 'discard-events')) isPlaying = false;
          for (const type of eventsOf(turn)) {
            if (type === 'play' || type === 'pause') {
              assert.equal(isPlaying, type === 'pause', type);
              isPlaying = type === 'play';
            }
            if (type === 'ended') assert.equal(isPlaying, false);
          }
          assert.equal(isPlaying, !isPaused(turn.after));
        }
      },
    );
  });

  it('dispatches loadstart, loadedmetadata, canplay and playing in the order of HTML', () => {
    assertAlways(
      () => {},
      (turns) => {
        let seen: string[] = [];
        for (const turn of turns) {
          if (turn.effects.some((effect) => effect.do === 'discard-events')) seen = [];
          for (const type of eventsOf(turn)) {
            if (type === 'playing') assert.ok(seen.includes('canplay'), 'playing before canplay');
            if (type === 'loadedmetadata') assert.ok(seen.includes('loadstart'), 'loadedmetadata before loadstart');
            if (type === 'loadedmetadata') assert.ok(!seen.includes('loadedmetadata'), 'loadedmetadata twice');
            seen.push(type);
          }
        }
      },
    );
  });

  it('settles every requested utterance exactly once, and no other', () => {
    assertAlways(
      () => {},
      (turns) => {
        const settled = new Set<number>();
        for (const { effects, after } of turns) {
          for (const effect of effects) {
            if (effect.do !== 'settle') continue;
            assert.ok(!settled.has(effect.id), `utterance ${effect.id} was settled twice`);
            assert.ok(effect.id <= after.lastId);
            settled.add(effect.id);
          }
          for (const one of after.utterances) assert.equal(settled.has(one.id), one.phase === 'replay');
          for (const one of after.past) assert.ok(settled.has(one.id));
        }
        const { utterances, lastId } = turns.at(-1)?.after ?? INITIAL_STATE;
        const waiting = utterances.filter(({ phase }) => phase !== 'replay');
        assert.equal(settled.size + waiting.length, lastId, 'each one is queued or settled');
      },
    );
  });

  it('gives utterances ascending serials in the order of speech', () => {
    assertAlways(({ after }) => {
      const waiting = after.utterances.filter(({ phase }) => phase !== 'replay');
      const serials = waiting.filter(({ phase }) => phase !== 'queued').map(({ serial: number }) => number);
      assert.deepEqual(
        serials,
        [...serials].sort((a, b) => a - b),
      );
      assert.equal(new Set(serials).size, serials.length);
    });
  });

  it('returns to the initial state after close()', () => {
    assertAlways(({ input, after }) => {
      if (input.type !== 'close') return;
      assert.deepEqual({ ...after, lastId: 0, lastSerial: 0 }, INITIAL_STATE);
      assert.equal(after.networkState, NetworkState.empty);
    });
  });

  it('keeps past utterances in order, before the current ones, on one timeline', () => {
    assertAlways(({ after }) => {
      const list = placed(after);
      for (const [index, { start, utterance }] of list.entries()) {
        const next = list[index + 1];
        assert.ok(start >= 0);
        if (next) assert.ok(next.start >= start + utterance.seconds! - 1e-6, `${next.start} < ${start}`);
      }
      const replays = after.utterances.map(({ phase }) => phase === 'replay');
      assert.ok(!replays.includes(true, replays.indexOf(false) >>> 0), 'what is over comes first');
      const range = seekableRange(after);
      if (range) assert.ok(range.start < range.end);
    });
  });

  it('seeks only to existing positions, and follows seeking with seeked or another seeking', () => {
    assertAlways(
      ({ before, after, input, effects }) => {
        for (const effect of effects) {
          if (effect.do !== 'seek') continue;
          assert.ok(effect.number > before.lastSeek && effect.number <= after.lastSeek);
          const { target } = effect;
          if (target !== 'fresh') {
            const wanted = 'at' in target ? target.at.serial : target.after;
            assert.ok([...after.past, ...after.utterances].some((one) => one.serial === wanted));
            assert.ok(!('at' in target) || target.at.sample >= 0);
          }
          if (input.type === 'seek') {
            const range = seekableRange(before)!;
            assert.ok(effect.seconds >= range.start && effect.seconds <= range.end);
          }
        }
      },
      (turns) => {
        let isSeeking = false;
        for (const turn of turns) {
          if (turn.effects.some((effect) => effect.do === 'discard-events')) isSeeking = false;
          for (const type of eventsOf(turn)) {
            if (type === 'seeking') isSeeking = true;
            if (type === 'seeked') {
              assert.ok(isSeeking);
              isSeeking = false;
            }
          }
          assert.equal(turn.after.seeking > 0, isSeeking);
        }
      },
    );
  });

  it('has a position that is within the timeline', () => {
    assertAlways(({ after }) => {
      const { reached, duration } = after.timeline;
      assert.ok(reached >= 0);
      if (!Number.isNaN(duration)) assert.ok(duration >= reached - 1e-6, `${duration} < ${reached}`);
    });
  });

  it('does all of this in a million runs', { skip: !process.env.SVC_LONG && 'runs in npm run test:long' }, () => {
    assertRandom(checks, LONG_RUNS);
  });
});
