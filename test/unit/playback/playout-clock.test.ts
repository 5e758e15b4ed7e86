import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { PlayoutClock } from '../../../src/playback/playout-clock.js';
import { FakeNode, FakeOutput } from './fake-output.js';

const RATE = 24000;

function followed(): { clock: PlayoutClock; node: FakeNode; output: FakeOutput } {
  const clock = new PlayoutClock();
  const node = nodeAt(RATE);
  const output = new FakeOutput();
  output.currentTime = 0;
  clock.follow(node, output, 0);
  return { clock, node, output };
}

function nodeAt(sampleRate: number): FakeNode {
  return new FakeNode(sampleRate, () => {});
}

function assertNear(actual: number, expected: number): void {
  assert.ok(Math.abs(actual - expected) < 1e-9, `${actual}, not ${expected}`);
}

describe('PlayoutClock', () => {
  it('is at 0 before there is an audio node', () => {
    assert.equal(new PlayoutClock().seconds(false), 0);
  });

  it('is the count of the audio thread minus the output latency', () => {
    const { clock, node, output } = followed();
    node.counted = { ...node.counted, emittedSamples: RATE, emittedAt: 1 };
    output.currentTime = 1;
    output.latency = 0.03;
    assertNear(clock.seconds(true), 0.97);
  });

  it('is extrapolated between two reports of the audio thread', () => {
    const { clock, node, output } = followed();
    node.counted = { ...node.counted, emittedSamples: RATE, emittedAt: 1, bufferedSamples: 2 * RATE };
    output.latency = 0;
    for (const now of [1.1, 2.5]) {
      output.currentTime = now;
      assertNear(clock.seconds(true), now);
    }
  });

  it('is not extrapolated beyond what was buffered, for a page that was blocked when the speech ended', () => {
    const { clock, node, output } = followed();
    node.counted = { ...node.counted, emittedSamples: RATE, emittedAt: 1, bufferedSamples: 0.05 * RATE };
    output.latency = 0;
    output.currentTime = 1.2133;
    assertNear(clock.seconds(true), 1.05);
  });

  it('returns the position of a number of samples that were played since the last seek', () => {
    const { clock, node } = followed();
    node.counted = { ...node.counted, emittedSamples: RATE, pace: 0.8 };
    assert.equal(clock.secondsOf(RATE / 2), 0.5);
    clock.restart();
    assert.equal(clock.secondsOf(1.5 * RATE), 0.5);
    clock.seek(3);
    assert.equal(clock.secondsOf(RATE), 4);
  });

  it('moves at the pace of playback, also for the sound that is not heard yet', () => {
    for (const pace of [0.5, 0.8, 2]) {
      const { clock, node, output } = followed();
      node.counted = { ...node.counted, emittedSamples: RATE, emittedAt: 1, pace };
      output.latency = 0.03;
      output.currentTime = 1.02;
      // The sound of 30 ms ago is heard now; the report is 20 ms old.
      assertNear(clock.seconds(true), 1 - 0.01 * pace);
    }
  });

  it('reaches the end of the sound when it is heard, even if later reports count no more samples', () => {
    const { clock, node, output } = followed();
    output.latency = 0.03;
    clock.note({ event: 'end', serial: 1, playedSamples: RATE, at: 1 });
    for (const [now, position] of [
      [1.01, 0.98],
      [1.02, 0.99],
      [1.05, 1],
    ] as const) {
      node.counted = { ...node.counted, emittedSamples: RATE, emittedAt: now };
      output.currentTime = now;
      assertNear(clock.seconds(true), position);
    }
  });

  it('does not pass the end of the sound, however old the latest report is', () => {
    const { clock, node, output } = followed();
    output.latency = 0.03;
    node.counted = { ...node.counted, emittedSamples: 0.9 * RATE, emittedAt: 0.9, bufferedSamples: RATE };
    clock.note({ event: 'stalled', at: 1 });
    output.currentTime = 1.1;
    assertNear(clock.seconds(true), 1);
  });

  it('continues when the next utterance starts at once', () => {
    const { clock, node, output } = followed();
    output.latency = 0.03;
    node.counted = { ...node.counted, emittedSamples: 1.1 * RATE, emittedAt: 1.1 };
    clock.note({ event: 'end', serial: 1, playedSamples: RATE, at: 1 });
    clock.note({ event: 'start', serial: 2, playedSamples: RATE, at: 1 });
    output.currentTime = 1.1;
    assertNear(clock.seconds(true), 1.07);
  });

  it('stands still while the sound is held, at any pace', () => {
    const { clock, node, output } = followed();
    node.counted = { ...node.counted, emittedSamples: RATE, emittedAt: 1, pace: 2 };
    output.currentTime = 1.2;
    assert.equal(clock.seconds(false), 1);
  });

  it('does not count the silence before the sound, however old the latest report is', () => {
    const { clock, node, output } = followed();
    node.counted = { ...node.counted, emittedSamples: 0, emittedAt: 1, bufferedSamples: RATE };
    output.latency = 0.03;
    clock.heard({ event: 'playing', at: 7 });
    output.currentTime = 7.05;
    assertNear(clock.seconds(true), 0.02);
  });

  it('does not count rendered sound before it is heard, even if the page does not know of it yet', () => {
    const { clock, node, output } = followed();
    output.latency = 0.05;
    node.counted = { ...node.counted, emittedSamples: 0.04 * RATE, emittedAt: 1.04 };
    for (const [now, position] of [
      [1, 0],
      [1.06, 0.01],
      [1.09, 0.04],
      [2, 0.04],
    ] as const) {
      output.currentTime = now;
      assertNear(clock.seconds(false), position);
    }
    assertNear(clock.seconds(false, -1), 0.04);
  });

  it('is at the end of the sound once that is heard, even if the clock of the page is late', () => {
    const { clock, node, output } = followed();
    output.latency = 0.05;
    node.counted = { ...node.counted, emittedSamples: RATE, emittedAt: 1.04 };
    clock.note({ event: 'stalled', at: 1 });
    output.currentTime = 1.045;
    assertNear(clock.seconds(false), 0.995);
    clock.heard({ event: 'stalled', at: 1 });
    assertNear(clock.seconds(false), 1);
  });

  it('forgets when sound played on another output', () => {
    const { clock, output } = followed();
    clock.heard({ event: 'playing', at: 80 });
    const next = nodeAt(RATE);
    next.counted = { ...next.counted, emittedSamples: RATE, emittedAt: 1 };
    clock.follow(next, output, 3);
    output.currentTime = 2;
    assert.equal(clock.seconds(false), 4);
  });

  it('continues from the same position on another node, at any sample rate', () => {
    const { clock, node, output } = followed();
    node.counted.emittedSamples = RATE;
    const next = nodeAt(48000);
    clock.follow(next, output, clock.seconds(false, -1));
    assert.equal(clock.seconds(false, -1), 1);
    next.counted.emittedSamples = 48000;
    assert.equal(clock.seconds(false, -1), 2);
  });

  it('restarts at 0 on an audio node that has played before', () => {
    const { clock, node } = followed();
    node.counted.emittedSamples = RATE;
    clock.restart();
    assert.equal(clock.seconds(false, -1), 0);
    assert.equal(clock.seconds(false), 0);
    node.counted.emittedSamples = 1.5 * RATE;
    assert.equal(clock.seconds(false, -1), 0.5);
  });
});
