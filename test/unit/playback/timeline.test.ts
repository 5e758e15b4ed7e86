import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Timeline } from '../../../src/playback/timeline.js';
import { FakeLine, FakeOutput } from './fake-output.js';

const RATE = 24000;

function followed(): { timeline: Timeline; line: FakeLine; output: FakeOutput } {
  const timeline = new Timeline();
  const line = lineAt(RATE);
  const output = new FakeOutput();
  output.currentTime = 0;
  timeline.follow(line, output);
  timeline.extend();
  return { timeline, line, output };
}

function lineAt(sampleRate: number): FakeLine {
  return new FakeLine(sampleRate, () => {});
}

describe('Timeline', () => {
  it('knows nothing at first', () => {
    const timeline = new Timeline();
    assert.equal(timeline.current(false), 0);
    assert.equal(timeline.duration, Number.NaN);
  });

  it('is what the audio thread has played, less what is on its way to the ear', () => {
    const { timeline, line, output } = followed();
    line.counted = { ...line.counted, emittedSamples: RATE, emittedAt: 1 };
    output.currentTime = 1;
    output.latency = 0.03;
    assert.equal(timeline.current(true), 0.97);
  });

  it('goes on between two looks at the audio thread, but not for ever', () => {
    const { timeline, line, output } = followed();
    line.counted = { ...line.counted, emittedSamples: RATE, emittedAt: 1 };
    output.latency = 0;
    output.currentTime = 1.1;
    assert.ok(Math.abs(timeline.current(true) - 1.1) < 1e-9);
    output.currentTime = 5;
    assert.equal(timeline.current(true), 1.25);
  });

  it('goes on at the pace at which speech leaves, and so does what is on its way to the ear', () => {
    for (const pace of [0.5, 0.8, 2]) {
      const { timeline, line, output } = followed();
      line.counted = { ...line.counted, emittedSamples: RATE, emittedAt: 1, pace };
      output.latency = 0.03;
      output.currentTime = 1.02;
      // What left 30 ms ago is heard now; since the look, 20 ms have passed.
      assert.ok(Math.abs(timeline.current(true) - (1 - 0.01 * pace)) < 1e-9);
    }
  });

  it('comes to the end of what has left as that is heard, however often the audio thread says that nothing does', () => {
    const { timeline, line, output } = followed();
    output.latency = 0.03;
    timeline.note({ event: 'end', serial: 1, at: 1 });
    for (const [now, position] of [
      [1.01, 0.98],
      [1.02, 0.99],
      [1.05, 1],
    ] as const) {
      line.counted = { ...line.counted, emittedSamples: RATE, emittedAt: now };
      output.currentTime = now;
      assert.ok(Math.abs(timeline.current(true) - position) < 1e-9, `${timeline.current(true)} at ${now}`);
    }
  });

  it('does not go beyond what has left, however old the last look is', () => {
    const { timeline, line, output } = followed();
    output.latency = 0.03;
    line.counted = { ...line.counted, emittedSamples: 0.9 * RATE, emittedAt: 0.9 };
    timeline.note({ event: 'stalled', at: 1 });
    output.currentTime = 1.1;
    assert.ok(Math.abs(timeline.current(true) - 1) < 1e-9);
  });

  it('goes on where the next utterance begins at once', () => {
    const { timeline, line, output } = followed();
    output.latency = 0.03;
    line.counted = { ...line.counted, emittedSamples: 1.1 * RATE, emittedAt: 1.1 };
    timeline.note({ event: 'end', serial: 1, at: 1 });
    timeline.note({ event: 'start', serial: 2, at: 1 });
    output.currentTime = 1.1;
    assert.ok(Math.abs(timeline.current(true) - 1.07) < 1e-9);
  });

  it('is held at any pace where sound is held', () => {
    const { timeline, line, output } = followed();
    line.counted = { ...line.counted, emittedSamples: RATE, emittedAt: 1, pace: 2 };
    output.currentTime = 1.2;
    assert.equal(timeline.current(false), 1);
  });

  it('does not take the silence before the sound for speech, however long nobody looked', () => {
    const { timeline, line, output } = followed();
    line.counted = { ...line.counted, emittedSamples: 0, emittedAt: 1 };
    output.latency = 0.03;
    timeline.soundFrom(7);
    output.currentTime = 7.05;
    assert.ok(Math.abs(timeline.current(true) - 0.02) < 1e-9);
  });

  it('never goes back, whatever clocks and counters do', () => {
    const { timeline, line, output } = followed();
    let state = 7;
    const random = (): number => (state = (state * 16807) % 2147483647) / 2147483647;
    let last = 0;
    for (let i = 0; i < 2000; i++) {
      line.counted = { ...line.counted, emittedSamples: i * 100 * random(), emittedAt: i * random() };
      output.currentTime = i * random() * 0.01;
      output.latency = random();
      const now = timeline.current(random() < 0.5);
      assert.ok(now >= last, `${now} after ${last}`);
      last = now;
    }
  });

  it('stays below the duration once that is known', () => {
    const { timeline, line, output } = followed();
    timeline.complete(1);
    line.counted = { ...line.counted, emittedSamples: RATE, emittedAt: 1 };
    output.currentTime = 1.2;
    output.latency = 0;
    assert.equal(timeline.current(true), 1);
  });

  it('is Infinity long while more may come', () => {
    const { timeline } = followed();
    assert.equal(timeline.duration, Number.POSITIVE_INFINITY);
    assert.equal(timeline.complete(2.5), true);
    assert.equal(timeline.duration, 2.5);
    assert.equal(timeline.complete(2.5), false);
    assert.equal(timeline.extend(), true);
    assert.equal(timeline.extend(), false);
    assert.equal(timeline.duration, Number.POSITIVE_INFINITY);
  });

  it('ends exactly at the duration, though the last look was a moment ago', () => {
    const { timeline, line } = followed();
    timeline.complete(2);
    line.counted = { ...line.counted, emittedSamples: 1.9 * RATE, emittedAt: 1.9 };
    timeline.pass(2);
    assert.equal(timeline.end(), false);
    assert.equal(timeline.current(false), 2);
    assert.equal(timeline.duration, 2);
  });

  it('is at the end of an utterance when that has been heard, whatever is still being counted', () => {
    const { timeline, line, output } = followed();
    line.counted = { ...line.counted, emittedSamples: RATE, emittedAt: 1 };
    output.currentTime = 1;
    output.latency = 0.03;
    assert.equal(timeline.current(true), 0.97);
    timeline.pass(1);
    assert.equal(timeline.current(true), 1);
  });

  it('does not call rounding a change of duration', () => {
    const { timeline } = followed();
    timeline.complete(0.1 + 0.2);
    timeline.pass(0.1);
    assert.equal(timeline.complete(0.2), false);
  });

  it('follows the audio thread where an utterance was cut short', () => {
    const { timeline, line } = followed();
    timeline.complete(10);
    line.counted.emittedSamples = 2 * RATE;
    timeline.cut();
    timeline.complete(0);
    assert.equal(timeline.duration, 2);
    line.counted.emittedSamples = 2.004 * RATE; // and a ramp
    timeline.extend();
    timeline.complete(1);
    timeline.pass(1);
    line.counted.emittedSamples = 3.004 * RATE;
    assert.equal(timeline.end(), true);
    assert.equal(timeline.current(false), 3.004);
    assert.equal(timeline.duration, 3.004);
  });

  it('gets shorter when something that is still to come is dropped', () => {
    const { timeline } = followed();
    timeline.complete(5);
    assert.equal(timeline.complete(3), true);
    assert.equal(timeline.duration, 3);
  });

  it('goes on over another line, at any rate', () => {
    const { timeline, line, output } = followed();
    line.counted.emittedSamples = RATE;
    const next = lineAt(48000);
    timeline.follow(next, output);
    assert.equal(timeline.current(false), 1);
    next.counted.emittedSamples = 48000;
    assert.equal(timeline.current(false), 2);
  });

  it('begins at 0 again on a line that has played before', () => {
    const { timeline, line } = followed();
    line.counted.emittedSamples = RATE;
    timeline.current(false);
    timeline.reset();
    assert.equal(timeline.current(false), 0);
    assert.equal(timeline.duration, Number.NaN);
    line.counted.emittedSamples = 1.5 * RATE;
    assert.equal(timeline.current(false), 0.5);
  });
});
