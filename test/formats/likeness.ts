/** Largest shift between two recordings, in seconds. */
const SHIFT_SECONDS = 0.03;
/** Length of the parts that are compared, and the most by which their shifts differ: joins are rounded to samples. */
const PART_SECONDS = 0.1;
const DRIFT_SECONDS = 0.001;

/**
 * Correlation of two sounds of the same sample rate, at the shift where it is highest: 1 if they differ in level only.
 *
 * @param heard - Samples at any scale.
 */
export function likeness(heard: ArrayLike<number>, right: ArrayLike<number>, sampleRate: number): number {
  const most = Math.ceil(SHIFT_SECONDS * sampleRate);
  const shift = bestShift(heard, right, 0, Math.min(right.length, sampleRate), [-most, most], 3);
  const drift = Math.ceil(DRIFT_SECONDS * sampleRate);
  const length = Math.ceil(PART_SECONDS * sampleRate);
  let total = { product: 0, one: 0, other: 0 };
  for (let from = 0; from < right.length; from += length) {
    const to = Math.min(right.length, from + length);
    const own = bestShift(heard, right, from, to, [shift - drift, shift + drift], 1);
    const { product, one, other } = sums(heard, right, own, from, to, 1);
    total = { product: total.product + product, one: total.one + one, other: total.other + other };
  }
  return correlation(total);
}

function bestShift(
  heard: ArrayLike<number>,
  right: ArrayLike<number>,
  from: number,
  to: number,
  [least, most]: readonly [number, number],
  step: number,
): number {
  let best = { shift: 0, value: -Infinity };
  for (let shift = least; shift <= most; shift++) {
    const value = correlation(sums(heard, right, shift, from, to, step));
    if (value > best.value) best = { shift, value };
  }
  return best.shift;
}

function sums(
  heard: ArrayLike<number>,
  right: ArrayLike<number>,
  shift: number,
  from: number,
  to: number,
  step: number,
): { product: number; one: number; other: number } {
  let [product, one, other] = [0, 0, 0];
  for (let i = from; i < to; i += step) {
    const sample = heard[i + shift] ?? 0;
    product += sample * right[i]!;
    one += sample * sample;
    other += right[i]! * right[i]!;
  }
  return { product, one, other };
}

function correlation({ product, one, other }: { product: number; one: number; other: number }): number {
  return product / Math.sqrt(one * other || 1);
}
