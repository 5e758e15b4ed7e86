import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { frameToEar, type LatencyPart, longestWait, untilSound } from '../../../src/inspector/latency.js';
import type { SpeakerEventRecord } from '../../../src/inspector/recording.js';
import { paceAt } from '../../../src/inspector/pace.js';
import { underrunsOf } from '../../../src/inspector/underruns.js';
import { readingsOf } from './readings.js';

const terms = {
  settings: { jitterBuffer: 'adaptive', jitterBufferTarget: 120, playbackRate: 1, resampler: 'fine' },
  pipeline: { transport: 'shared', audioBackend: 'native', sampleRate: 16000, contextSampleRate: 48000 },
} as const;

/** In whole milliseconds, by name. */
function rounded(parts: readonly LatencyPart[]): Record<string, number | null> {
  return Object.fromEntries(parts.map(({ name, seconds }) => [name, seconds && Math.round(seconds * 1000)]));
}

const event = (atSeconds: number, type: string, durationMs?: number): SpeakerEventRecord =>
  durationMs === undefined ? { atSeconds, type } : { atSeconds, type, durationMs };

describe('From frame to ear', () => {
  it('takes the look-ahead of the resampler out of what is held', () => {
    const [reading] = readingsOf({ bufferedSeconds: 0.1 });
    // 64 of 128 taps at 16 kHz.
    assert.deepEqual(rounded(frameToEar(reading, terms)), { buffer: 96, resampler: 4, output: 30 });
    const eco = { ...terms, settings: { ...terms.settings, resampler: 'eco' as const } };
    assert.deepEqual(rounded(frameToEar(reading, eco)), { buffer: 98, resampler: 2, output: 30 });
    const same = { ...terms, pipeline: { ...terms.pipeline, contextSampleRate: 16000 } };
    assert.deepEqual(rounded(frameToEar(reading, same)), { buffer: 100, resampler: 0, output: 30 });
  });

  it('is not known before the first reading', () => {
    assert.deepEqual(rounded(frameToEar(undefined, terms)), { buffer: null, resampler: null, output: null });
  });
});

describe('The time until the first sound', () => {
  const first = [
    event(1, 'loadstart'),
    event(1, 'play'),
    event(1.3, 'loadedmetadata'),
    event(1.4, 'canplay'),
    event(1.55, 'playing'),
  ];

  it('is cut where the page was told', () => {
    assert.deepEqual(rounded(untilSound(first, 9)), { session: 300, service: 100, start: 150 });
  });

  it('is known as far as it has come', () => {
    assert.deepEqual(rounded(untilSound(first, 1.45)), { session: 300, service: 100, start: null });
  });

  it('stays when all is over, and is that of the next one then', () => {
    const both = [...first, event(5, 'ended'), event(6, 'loadstart'), event(6.1, 'loadedmetadata')];
    assert.deepEqual(rounded(untilSound(both, 5.5)), { session: 300, service: 100, start: 150 });
    assert.deepEqual(rounded(untilSound(both, 7)), { session: 100, service: null, start: null });
  });

  it('is that of the first sound, not of one after an underrun', () => {
    assert.deepEqual(rounded(untilSound([...first, event(3, 'waiting'), event(4, 'playing')], 9))['start'], 150);
  });

  it('is that of the first sound, not of one after a pause', () => {
    const again = [...first, event(3, 'pause'), event(5, 'play'), event(5.1, 'playing')];
    assert.deepEqual(rounded(untilSound(again, 9)), { session: 300, service: 100, start: 150 });
  });

  it('counts the time in which nothing happened', () => {
    const waited = [event(1, 'loadstart'), event(1.2, 'idle', 2000), event(1.3, 'loadedmetadata')];
    assert.equal(rounded(untilSound(waited, 9))['session'], 2300);
  });
});

describe('The longest wait for a frame', () => {
  it('is that between two of the same utterance', () => {
    const came = { arrivedSeconds: 0.04, bufferedSeconds: 0.04 };
    const held = { bufferedSeconds: 0.02 };
    const readings = readingsOf(came, held, held, came, held, held, held, held);
    assert.equal(longestWait(readings, 7), 0.06);
    assert.equal(longestWait(readings, 2), 0);
  });

  it('is none between utterances', () => {
    const readings = readingsOf({ arrivedSeconds: 0.04, bufferedSeconds: 0.04 }, {}, {}, { arrivedSeconds: 0.04 });
    assert.equal(longestWait(readings, 3), 0);
  });
});

describe('The pace', () => {
  it('is what left for what was heard of it', () => {
    const slow = { playedSeconds: 0.016, insertedSeconds: 0.004 };
    assert.equal(paceAt(readingsOf(slow, slow, slow), 2)!.toFixed(3), '0.800');
    const fast = { playedSeconds: 0.03, removedSeconds: 0.01 };
    assert.equal(paceAt(readingsOf(fast, fast), 1)!.toFixed(3), '1.500');
  });

  it('is none while nothing leaves', () => assert.equal(paceAt(readingsOf({}, {}), 1), null));
});

describe('An underrun', () => {
  it('was before it was told, by the delay of the output and its own length', () => {
    const readings = readingsOf({}, { outputSeconds: 0.01 });
    const [dry] = underrunsOf(readings, [event(2, 'playing'), event(3, 'underrun', 400)]);
    assert.equal(dry!.toSeconds.toFixed(3), '2.990');
    assert.equal(dry!.fromSeconds.toFixed(3), '2.590');
  });
});
