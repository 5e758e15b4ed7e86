import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  FORMAT,
  parseRecording,
  type SpeakerRecording,
  stringifyRecording,
  VERSION,
} from '../../../src/inspector/recording.js';
import { readingsOf } from './readings.js';

const recording: SpeakerRecording = {
  format: FORMAT,
  version: VERSION,
  recordedAt: '2026-11-22T00:00:00.000Z',
  browser: 'any',
  resolution: { readingsMs: 20, arrivalsMs: 100 },
  settings: { jitterBuffer: 'low-delay', jitterBufferTarget: 60, playbackRate: 1.25, resampler: 'eco' },
  pipeline: { transport: 'message', audioBackend: null, sampleRate: null, contextSampleRate: null },
  readings: readingsOf({}, { arrivedSeconds: 0.04, bufferedSeconds: 0.04 }, { playedSeconds: 0.02, underruns: 1 }),
  events: [
    { atSeconds: 0.01, type: 'playing' },
    { atSeconds: 0.02, type: 'underrun', durationMs: 12.5 },
    { atSeconds: 0.03, type: 'socketclose', code: 1006 },
    { atSeconds: 0.04, type: 'error', reason: 'socket-closed' },
  ],
};

/** Returns the file of `recording` after a change. */
function changed(change: (file: Record<string, any>) => void): string {
  const file = JSON.parse(stringifyRecording(recording)) as Record<string, unknown>;
  change(file);
  return JSON.stringify(file);
}

describe('parseRecording', () => {
  it('reads a stringified recording', () => assert.deepEqual(parseRecording(stringifyRecording(recording)), recording));

  it('accepts a recording without readings and events', () => {
    const empty = { ...recording, readings: [], events: [] };
    assert.deepEqual(parseRecording(stringifyRecording(empty)), empty);
  });

  it('is exact to 0.01 ms', () => {
    const fine = { ...recording, readings: readingsOf({ bufferedSeconds: 0.123456789 }) };
    assert.equal(parseRecording(stringifyRecording(fine)).readings[0]!.bufferedSeconds, 0.12346);
  });

  it('ignores unknown fields and columns, in any order', () => {
    const text = changed((file) => {
      file['later'] = true;
      file['columns'] = ['later', ...file['columns'].toReversed()];
      file['readings'] = file['readings'].map((row: number[]) => ['x', ...row.toReversed()]);
    });
    assert.deepEqual(parseRecording(text), recording);
  });

  const faults: [string, (file: Record<string, any>) => void, string][] = [
    [
      'another format',
      (file) => (file['format'] = 'har'),
      'not a recording of <svc-speaker>: "format" is "har", not "svc-',
    ],
    ['a later version', (file) => (file['version'] = 2), '"version" is 2; this inspector reads version 1'],
    ['missing settings', (file) => delete file['settings'], '"settings" is missing, not an object'],
    ['an unknown mode', (file) => (file['settings'].jitterBuffer = 'x'), '"settings.jitterBuffer" is "x", not one'],
    [
      'a target that is too large',
      (file) => (file['settings'].jitterBufferTarget = 4001),
      'is 4001, not a number from 0 to 4000',
    ],
    ['a missing column', (file) => file['columns'].splice(1, 1), '"columns" has no "bufferedSeconds"'],
    [
      'a short row',
      (file) => file['readings'][1].pop(),
      '"outputSeconds" in "readings" row 1 is missing, not a number',
    ],
    [
      'a negative time',
      (file) => (file['readings'][0][1] = -1),
      '"bufferedSeconds" in "readings" row 0 is -1, not a number 0',
    ],
    [
      'readings out of order',
      (file) => (file['readings'][2][0] = 0.01),
      '"readings" row 2 is earlier than the row before',
    ],
    [
      'an event without a type',
      (file) => delete file['events'][1].type,
      '"type" in "events" number 1 is missing, not a string',
    ],
    [
      'an event with a wrong field',
      (file) => (file['events'][1].durationMs = '12'),
      '"durationMs" in "events" number 1 is "12", not a number',
    ],
    ['readings that are no array', (file) => (file['readings'] = { 0: [] }), '"readings" is {"0":[]}, not an array'],
  ];
  for (const [what, change, message] of faults) {
    it(`rejects ${what} and names it`, () => {
      assert.throws(
        () => parseRecording(changed(change)),
        (error: unknown) => error instanceof TypeError && error.message.includes(message),
      );
    });
  }

  it('rejects a text that is not JSON, with the parser’s message', () => {
    assert.throws(() => parseRecording('{"format":'), /^TypeError: The recording is not JSON: ./);
  });
});
