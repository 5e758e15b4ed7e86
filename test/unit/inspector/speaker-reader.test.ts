import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { SpeakerStats } from '../../../src/index.js';
import { type ReadableSpeaker, SpeakerReader } from '../../../src/inspector/speaker-reader.js';

const zero: SpeakerStats = {
  jitterBufferDelay: 0,
  jitterBufferTargetDelay: 0,
  jitterBufferEmittedCount: 0,
  totalSamplesReceived: 0,
  concealedSamples: 0,
  silentConcealedSamples: 0,
  concealmentEvents: 0,
  insertedSamplesForDeceleration: 0,
  removedSamplesForAcceleration: 0,
  bytesReceived: 0,
  framesReceived: 0,
  framesMalformed: 0,
  sequenceGaps: 0,
  timingsMalformed: 0,
  underruns: 0,
  resumptions: 0,
  resumptionSilenceMs: 0,
  firstFrameToSoundMs: null,
  socketOpenMs: 0,
  transport: 'shared',
  audioBackend: 'native',
  sampleRate: 1000,
  contextSampleRate: 48000,
  outputLatency: 0.03,
  headerByteOrder: 'unknown',
};

/** A speaker whose counters the test sets. Its sample rate is 1 kHz: one sample is one millisecond. */
class CountedSpeaker implements ReadableSpeaker {
  stats = zero;
  held = 0;
  jitterBufferTarget = 120;
  readonly #reader = new SpeakerReader(this);

  get buffered(): TimeRanges {
    const { held } = this;
    return { length: held > 0 ? 1 : 0, start: () => 0, end: () => held };
  }

  /** Results of the next calls of `getStats`, before `stats`. */
  torn: SpeakerStats[] = [];
  /** Results of the next reads of `currentTime`, before 0. */
  moving: number[] = [];

  get currentTime(): number {
    return this.moving.shift() ?? 0;
  }

  getStats(): SpeakerStats {
    return this.torn.shift() ?? this.stats;
  }

  /** Changes the counters, then takes a reading at `seconds`. */
  at(seconds: number, change: Partial<SpeakerStats> = {}, held = this.held) {
    this.stats = { ...this.stats, ...change };
    this.held = held;
    return this.#reader.read(seconds);
  }
}

describe('SpeakerReader', () => {
  it('reports speech in the buffer as arrived before the worker has counted it', () => {
    const speaker = new CountedSpeaker();
    speaker.at(0);
    assert.equal(speaker.at(0.02, {}, 0.04).arrivedSeconds, 0.04);
    assert.equal(speaker.at(0.04, { totalSamplesReceived: 40, bytesReceived: 92 }, 0.04).arrivedSeconds, 0);
    assert.equal(speaker.at(0.06, { jitterBufferEmittedCount: 20 }, 0.06).arrivedSeconds, 0.04);
  });

  it('reports speech received and played between two readings', () => {
    const speaker = new CountedSpeaker();
    speaker.at(0);
    const reading = speaker.at(1, { totalSamplesReceived: 900, jitterBufferEmittedCount: 850, bytesReceived: 9 }, 0.05);
    assert.equal(reading.arrivedSeconds, 0.9);
    assert.equal(reading.playedSeconds, 0.85);
    assert.equal(reading.bufferedSeconds, 0.05);
  });

  it('does not report concealment as arrived', () => {
    const speaker = new CountedSpeaker();
    speaker.at(0);
    const dry = speaker.at(0.02, { totalSamplesReceived: 20, concealedSamples: 20, silentConcealedSamples: 5 });
    assert.deepEqual([dry.arrivedSeconds, dry.concealedSeconds, dry.silentSeconds], [0, 0.02, 0.005]);
  });

  it('reports small differences between counters once they add up to an arrival', () => {
    const speaker = new CountedSpeaker();
    speaker.at(0);
    assert.equal(speaker.at(0.02, {}, 0.003).arrivedSeconds, 0);
    assert.equal(speaker.at(0.04, {}, 0.006).arrivedSeconds, 0.006);
  });

  it('reports only the buffered speech at the first reading', () => {
    const speaker = new CountedSpeaker();
    const first = speaker.at(0, { totalSamplesReceived: 5000, jitterBufferEmittedCount: 4800, bytesReceived: 9 }, 0.2);
    assert.equal(first.arrivedSeconds, 0.2);
    assert.equal(first.playedSeconds, 0);
  });

  it('reports arrivals after cancelled speech, which was received and never played', () => {
    const speaker = new CountedSpeaker();
    speaker.at(0);
    speaker.at(0.02, { totalSamplesReceived: 500, jitterBufferEmittedCount: 100, bytesReceived: 9 }, 0.4);
    speaker.at(0.04, {}, 0);
    speaker.at(0.4);
    assert.equal(speaker.at(0.42, {}, 0.06).arrivedSeconds, 0.06);
  });

  it('does not take buffered speech for cancelled if the position moves on while it is read', () => {
    const speaker = new CountedSpeaker();
    speaker.at(0);
    speaker.at(0.02, { totalSamplesReceived: 500, jitterBufferEmittedCount: 490, bytesReceived: 9 }, 0.01);
    speaker.moving = [-0.02, 0.01];
    assert.equal(speaker.at(0.4).bufferedSeconds, 0.01);
    assert.equal(speaker.at(0.42, {}, 0.06).arrivedSeconds, 0.05);
  });

  it('starts again from 0 when the speaker has been emptied', () => {
    const speaker = new CountedSpeaker();
    speaker.at(0);
    speaker.at(0.02, { totalSamplesReceived: 500, jitterBufferEmittedCount: 100, bytesReceived: 9, underruns: 2 }, 0.4);
    const emptied = speaker.at(0.04, zero, 0);
    assert.deepEqual([emptied.arrivedSeconds, emptied.playedSeconds, emptied.underruns], [0, 0, 0]);
    assert.equal(speaker.at(0.06, {}, 0.04).arrivedSeconds, 0.04);
  });

  it('reports the same target if a render quantum ends while the counters are read', () => {
    const speaker = new CountedSpeaker();
    speaker.at(0);
    const played = (count: number, targets = count): Partial<SpeakerStats> => ({
      jitterBufferEmittedCount: count,
      jitterBufferTargetDelay: targets * 0.12,
    });
    // The sum of the targets includes one quantum more than the count.
    speaker.torn = [{ ...zero, ...played(20, 40) }];
    assert.equal(speaker.at(0.02, played(40)).targetSeconds.toFixed(3), '0.120');
    assert.equal(speaker.at(0.04, played(60)).targetSeconds.toFixed(3), '0.120');
  });

  it('reports the target of the speech played, and while nothing is played the last target or the one the page sets', () => {
    const speaker = new CountedSpeaker();
    assert.equal(speaker.at(0).targetSeconds, 0.12);
    const playing = speaker.at(0.02, { jitterBufferEmittedCount: 20, jitterBufferTargetDelay: 20 * 0.4 });
    assert.equal(playing.targetSeconds, 0.4);
    assert.equal(speaker.at(0.04).targetSeconds, 0.4);
    speaker.jitterBufferTarget = 200;
    assert.equal(speaker.at(0.06).targetSeconds, 0.2);
  });
});
