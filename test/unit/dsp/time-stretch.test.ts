import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TimeStretch } from '../../../src/dsp/index.js';

const RATE = 24000;
const SPEECH = RATE;

describe('TimeStretch', () => {
  /** Plays a second of a loud tone and then a pause, and returns the splices that lengthen the pause, in samples. */
  function splicesInPause(pause: number): number[] {
    const stretch = new TimeStretch(RATE);
    const samples = new Int16Array(SPEECH + pause + stretch.ahead);
    for (let i = 0; i < SPEECH; i++) samples[i] = 9000 * Math.sin((2 * Math.PI * 150 * i) / RATE);
    stretch.setPace(1, 0.5, false);
    stretch.pass(samples, 0, SPEECH);
    const lengths: number[] = [];
    for (let at = SPEECH; at < SPEECH + pause;) {
      const isFarIn = at >= SPEECH + stretch.behind; // A splice compares with what was before.
      const lag = isFarIn && stretch.wait === 0 ? stretch.splice(samples, at, stretch.behind, stretch.ahead) : 0;
      if (lag < 0) {
        lengths.push(-lag);
        stretch.pass(samples, at + lag + stretch.overlap, -lag - stretch.overlap);
      } else {
        const count = isFarIn ? Math.max(1, Math.min(stretch.wait, 64)) : 64;
        stretch.pass(samples, at, count);
        at += count;
      }
    }
    return lengths;
  }

  it('does not make up in the next pause for all that was due in speech', () => {
    assert.equal(splicesInPause(0.025 * RATE).length, 1);
  });

  it('makes a long pause twice as long at pace 0.5', () => {
    const inserted = splicesInPause(2 * RATE).reduce((sum, length) => sum + length, 0);
    assert.ok(Math.abs(inserted - 2 * RATE) < 0.05 * RATE, `${inserted}`);
  });
});
