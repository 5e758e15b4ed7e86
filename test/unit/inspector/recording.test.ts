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

/** The file, after a change to what it says. */
function changed(change: (file: Record<string, any>) => void): string {
  const file = JSON.parse(stringifyRecording(recording)) as Record<string, unknown>;
  change(file);
  return JSON.stringify(file);
}

describe('A recording', () => {
  it('is read as it was written', () => assert.deepEqual(parseRecording(stringifyRecording(recording)), recording));

  it('may be empty', () => {
    const empty = { ...recording, readings: [], events: [] };
    assert.deepEqual(parseRecording(stringifyRecording(empty)), empty);
  });

  it('is written to a hundredth of a millisecond', () => {
    const fine = { ...recording, readings: readingsOf({ bufferedSeconds: 0.123456789 }) };
    assert.equal(parseRecording(stringifyRecording(fine)).readings[0]!.bufferedSeconds, 0.12346);
  });

  it('may have fields and columns that are not known, in any order', () => {
    const text = changed((file) => {
      file['later'] = true;
      file['columns'] = ['later', ...file['columns'].toReversed()];
      file['readings'] = file['readings'].map((row: number[]) => ['x', ...row.toReversed()]);
    });
    assert.deepEqual(parseRecording(text), recording);
  });

  const faults: [string, (file: Record<string, any>) => void, string][] = [
    [
      'of another format',
      (file) => (file['format'] = 'har'),
      'no recording of <svc-speaker>: "format" is "har", not "svc-',
    ],
    ['of a later version', (file) => (file['version'] = 2), '"version" is 2; this inspector reads version 1'],
    ['without settings', (file) => delete file['settings'], '"settings" is missing, not an object'],
    [
      'with a mode that there is not',
      (file) => (file['settings'].jitterBuffer = 'x'),
      '"settings.jitterBuffer" is "x", not one',
    ],
    [
      'with a target of no buffer',
      (file) => (file['settings'].jitterBufferTarget = 4001),
      'is 4001, not a number from 0 to 4000',
    ],
    ['without a column', (file) => file['columns'].splice(1, 1), '"columns" has no "bufferedSeconds"'],
    [
      'with a row that is short',
      (file) => file['readings'][1].pop(),
      '"outputSeconds" in "readings" row 1 is missing, not a number',
    ],
    [
      'with a time below 0',
      (file) => (file['readings'][0][1] = -1),
      '"bufferedSeconds" in "readings" row 0 is -1, not a number 0',
    ],
    [
      'that goes back in time',
      (file) => (file['readings'][2][0] = 0.01),
      '"readings" row 2 is earlier than the row before',
    ],
    [
      'with an event of no type',
      (file) => delete file['events'][1].type,
      '"type" in "events" number 1 is missing, not a string',
    ],
    [
      'with an odd event',
      (file) => (file['events'][1].durationMs = '12'),
      '"durationMs" in "events" number 1 is "12", not a number',
    ],
    ['with rows that are none', (file) => (file['readings'] = { 0: [] }), '"readings" is {"0":[]}, not a list'],
  ];
  for (const [what, change, message] of faults) {
    it(`is refused ${what}, which is said`, () => {
      assert.throws(
        () => parseRecording(changed(change)),
        (error: unknown) => error instanceof TypeError && error.message.includes(message),
      );
    });
  }

  it('is refused if it is no JSON, with what the browser says of it', () => {
    assert.throws(() => parseRecording('{"format":'), /^TypeError: The recording is not JSON: ./);
  });
});
