import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Fade } from '../../../worklet/fade.js';

/** Length of a ramp, 4 ms at 48 kHz. */
const LENGTH = 192;
/** Largest second difference of a raised cosine of that length. */
const CURVE = (Math.PI / LENGTH) ** 2 / 2;

/** Returns the gains of a fade that rises or falls for the samples of each span. The run ends with the last span. */
function gains(spans: readonly { samples: number; isFalling: boolean }[]): number[] {
  const fade = new Fade(LENGTH);
  let remaining = spans.reduce((sum, { samples }) => sum + samples, 0);
  return spans.flatMap(({ samples, isFalling }) => {
    const block = new Float32Array(samples).fill(1);
    fade.apply(block, samples, isFalling, remaining);
    remaining -= samples;
    return [...block];
  });
}

function largestCurve(values: readonly number[]): number {
  let largest = 0;
  for (let i = 2; i < values.length; i++) {
    largest = Math.max(largest, Math.abs(values[i]! - 2 * values[i - 1]! + values[i - 2]!));
  }
  return largest;
}

describe('Fade', () => {
  it('rises from 0, stays at 1, and falls to 0 at the last sample', () => {
    const values = gains([{ samples: 3 * LENGTH, isFalling: false }]);
    assert.equal(values[0], 0);
    assert.deepEqual(
      values.slice(LENGTH, 2 * LENGTH),
      Array.from({ length: LENGTH }, () => 1),
    );
    assert.equal(values.at(-1), 0);
    assert.ok(largestCurve([0, 0, ...values, 0, 0]) < 1.1 * CURVE);
  });

  it('falls within one ramp, and without a kink, wherever in a rise the fall begins', () => {
    for (let risen = 1; risen <= LENGTH + 1; risen++) {
      const values = gains([
        { samples: risen, isFalling: false },
        { samples: 2 * LENGTH, isFalling: true },
      ]);
      assert.ok(values.slice(risen + LENGTH - 1).every((gain) => gain === 0));
      assert.ok(largestCurve([0, 0, ...values]) < 2 * CURVE, `after ${risen} samples: ${largestCurve(values)}`);
    }
  });

  it('rises again without a kink, wherever in a fall the rise is asked for', () => {
    for (let fallen = 1; fallen <= LENGTH; fallen++) {
      const values = gains([
        { samples: LENGTH + 10, isFalling: false },
        { samples: fallen, isFalling: true },
        { samples: 4 * LENGTH, isFalling: false },
      ]);
      assert.ok(values.slice(LENGTH + 10).includes(1), `not at full gain again after a fall of ${fallen} samples`);
      assert.ok(largestCurve([0, 0, ...values, 0, 0]) < 2 * CURVE, `after ${fallen} samples: ${largestCurve(values)}`);
    }
  });

  it('is above 0 in a run that is shorter than a ramp', () => {
    const values = gains([{ samples: 50, isFalling: false }]);
    assert.ok(values.slice(1, -1).every((gain) => gain > 0));
    assert.equal(values[0], 0);
    assert.equal(values.at(-1), 0);
  });
});
