import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  currentWait,
  frameToEar,
  indexAt,
  type LatencyPart,
  longestWait,
  paceAt,
  underrunsOf,
  untilSound,
} from '../../../src/inspector/measures.js';
import { stepFor } from '../../../src/inspector/picture.js';
import type { SpeakerEventRecord } from '../../../src/inspector/recording.js';
import { readingsOf } from './readings.js';

const setup = {
  settings: { jitterBuffer: 'adaptive', jitterBufferTarget: 120, playbackRate: 1, resampler: 'fine' },
  pipeline: { transport: 'shared', audioBackend: 'native', sampleRate: 16000, contextSampleRate: 48000 },
} as const;

/** Returns the parts by name, in whole milliseconds. */
function roundedMs(parts: readonly LatencyPart[]): Record<string, number | null> {
  return Object.fromEntries(parts.map(({ name, seconds }) => [name, seconds && Math.round(seconds * 1000)]));
}

const event = (atSeconds: number, type: string, durationMs?: number): SpeakerEventRecord =>
  durationMs === undefined ? { atSeconds, type } : { atSeconds, type, durationMs };

describe('frameToEar', () => {
  it('subtracts the look-ahead of the resampler from the buffer', () => {
    const [reading] = readingsOf({ bufferedSeconds: 0.1 });
    // 64 of 128 taps at 16 kHz.
    assert.deepEqual(roundedMs(frameToEar(reading, setup)), { buffer: 96, resampler: 4, output: 30 });
    const eco = { ...setup, settings: { ...setup.settings, resampler: 'eco' as const } };
    assert.deepEqual(roundedMs(frameToEar(reading, eco)), { buffer: 98, resampler: 2, output: 30 });
    const same = { ...setup, pipeline: { ...setup.pipeline, contextSampleRate: 16000 } };
    assert.deepEqual(roundedMs(frameToEar(reading, same)), { buffer: 100, resampler: 0, output: 30 });
  });

  it('is unknown before the first session', () => {
    const [reading] = readingsOf({});
    const idle = { ...setup, pipeline: { ...setup.pipeline, sampleRate: null } };
    assert.deepEqual(roundedMs(frameToEar(reading, idle)), { buffer: null, resampler: null, output: null });
  });

  it('is unknown before the first reading', () => {
    assert.deepEqual(roundedMs(frameToEar(undefined, setup)), { buffer: null, resampler: null, output: null });
  });
});

describe('untilSound', () => {
  /** The first start of a page: three steps at the same time, then the socket. */
  const first = [
    event(1, 'loadstart'),
    event(1, 'play'),
    event(1.05, 'context', 45),
    event(1.06, 'worker', 50),
    event(1.2, 'session', 200),
    event(1.3, 'socket', 80),
    event(1.3, 'loadedmetadata'),
    event(1.4, 'canplay'),
    event(1.55, 'playing'),
  ];
  /** A reading before the first sound; its output latency is 30 ms. */
  const readings = readingsOf({ atSeconds: 1.5 });

  /** Returns where each known part begins, relative to the request, and its length, in whole milliseconds. */
  function barsOf(events: readonly SpeakerEventRecord[], atSeconds: number): Record<string, readonly [number, number]> {
    const known = untilSound(readings, events, atSeconds).parts.filter(({ seconds }) => seconds !== null);
    return Object.fromEntries(
      known.map(({ name, fromSeconds, seconds }) => [name, [ms(fromSeconds!), ms(seconds!)] as const]),
    );
  }
  const ms = (seconds: number): number => Math.round(seconds * 1000);

  it('places each part between the request and the ear', () => {
    assert.deepEqual(barsOf(first, 9), {
      context: [5, 45],
      worker: [10, 50],
      session: [0, 200],
      socket: [220, 80],
      service: [300, 100],
      start: [400, 120],
      output: [520, 30],
    });
    assert.equal(ms(untilSound(readings, first, 9).seconds!), 550);
  });

  it('omits parts that are not over yet', () => {
    assert.deepEqual(Object.keys(barsOf(first, 1.25)), ['context', 'worker', 'session']);
    assert.equal(untilSound(readings, first, 1.45).seconds, null);
  });

  it('keeps its parts after the end until the next request', () => {
    const both = [...first, event(5, 'ended'), event(6, 'loadstart'), event(6.1, 'session', 90)];
    assert.deepEqual(barsOf(both, 5.5), barsOf(first, 9));
    assert.deepEqual(barsOf(both, 7), { session: [10, 90] });
  });

  it('shows what was prepared before the request', () => {
    const prepared = [event(0.95, 'context', 40), event(0.97, 'worker', 50), event(1, 'play'), event(1.2, 'playing')];
    assert.deepEqual(barsOf(prepared, 9), { context: [-90, 40], worker: [-80, 50] });
  });

  it('ignores steps for later sentences of the same speech', () => {
    const long = [...first, event(3, 'session', 100), event(3.1, 'socket', 50)];
    assert.deepEqual(barsOf(long, 9), barsOf(first, 9));
    const next = [...long, event(5, 'ended'), event(6, 'play'), event(6.2, 'canplay'), event(6.3, 'playing')];
    assert.deepEqual(Object.keys(barsOf(next, 9)), ['service', 'start', 'output']);
  });

  it('counts the service from the request if the socket was open', () => {
    const kept = [...first, event(5, 'ended'), event(6, 'play'), event(6.2, 'canplay'), event(6.3, 'playing')];
    assert.deepEqual(barsOf(kept, 9)['service'], [0, 200]);
  });

  it('ignores the sound after an underrun', () => {
    assert.deepEqual(barsOf([...first, event(3, 'waiting'), event(4, 'playing')], 9), barsOf(first, 9));
  });

  it('ignores the sound after a pause', () => {
    const again = [...first, event(3, 'pause'), event(5, 'play'), event(5.1, 'playing')];
    assert.deepEqual(barsOf(again, 9), barsOf(first, 9));
  });

  it('includes the time for which the clock was stopped', () => {
    const waited = [event(1, 'loadstart'), event(1.2, 'idle', 2000), event(1.25, 'session', 2240)];
    assert.deepEqual(barsOf(waited, 9), { session: [10, 2240] });
  });
});

describe('longestWait', () => {
  it('is the longest interval between two arrivals of one utterance', () => {
    const arrival = { arrivedSeconds: 0.04, bufferedSeconds: 0.04 };
    const held = { bufferedSeconds: 0.02 };
    const readings = readingsOf(arrival, held, held, arrival, held, held, held, held);
    assert.equal(longestWait(readings, 7), 0.06);
    assert.equal(longestWait(readings, 2), 0);
  });

  it('ignores the interval between two utterances', () => {
    const readings = readingsOf({ arrivedSeconds: 0.04, bufferedSeconds: 0.04 }, {}, {}, { arrivedSeconds: 0.04 });
    assert.equal(longestWait(readings, 3), 0);
  });
});

describe('currentWait', () => {
  const arrival = { arrivedSeconds: 0.04, bufferedSeconds: 0.04 };
  const held = { bufferedSeconds: 0.02 };
  const readings = readingsOf({}, arrival, held, held, held, held);

  it('is the time since the last arrival', () => {
    assert.equal(currentWait(readings, [event(0, 'canplay')], 5).toFixed(2), '0.08');
    assert.equal(currentWait(readings, [], 0), 0, 'nothing has arrived');
  });

  it('is 0 once all was received, even if the last arrival was seen later', () => {
    assert.equal(currentWait(readings, [event(0.05, 'contextdone')], 5), 0);
    assert.equal(currentWait(readings, [event(0.01, 'contextdone')], 5), 0);
    assert.equal(currentWait(readings, [event(0.09, 'contextdone')], 3).toFixed(2), '0.04', 'not yet');
  });
});

describe('paceAt', () => {
  it('is speech per sound', () => {
    const slow = { playedSeconds: 0.016, insertedSeconds: 0.004 };
    assert.equal(paceAt(readingsOf(slow, slow, slow), 2)!.toFixed(3), '0.800');
    const fast = { playedSeconds: 0.03, removedSeconds: 0.01 };
    assert.equal(paceAt(readingsOf(fast, fast), 1)!.toFixed(3), '1.500');
  });

  it('is null while nothing is played', () => assert.equal(paceAt(readingsOf({}, {}), 1), null));
});

describe('underrunsOf', () => {
  it('places an underrun before its event, by its length and the output latency', () => {
    const readings = readingsOf({}, { outputSeconds: 0.01 });
    const [underrun] = underrunsOf(readings, [event(2, 'playing'), event(3, 'underrun', 400)]);
    assert.equal(underrun!.toSeconds.toFixed(3), '2.990');
    assert.equal(underrun!.fromSeconds.toFixed(3), '2.590');
  });
});

describe('indexAt', () => {
  it('finds the last item at or before a time', () => {
    const items = [1, 2, 2, 4].map((atSeconds) => ({ atSeconds }));
    assert.deepEqual(
      [0, 1, 2, 3, 9].map((at) => indexAt(items, at)),
      [-1, 0, 2, 2, 3],
    );
  });
});

describe('stepFor', () => {
  it('returns the smallest step with no more marks than fit', () => {
    assert.equal(stepFor(10, 10), 1);
    assert.equal(stepFor(10, 9), 2);
    assert.equal(stepFor(1e6, 5), 600);
  });
});
