/** Shortest and longest period of a voice, in seconds. */
const PERIOD = { least: 1 / 500, most: 1 / 55 } as const;

/**
 * Median pitch of speech, in Hz: that of the shortest delay at which a stretch of 40 ms is nearly as like itself as it
 * gets, by normalised autocorrelation; stretches that are silent or unvoiced are left out.
 */
export function medianPitch(samples: Int16Array, sampleRate: number): number {
  const length = Math.round(0.04 * sampleRate);
  const [least, most] = [Math.round(PERIOD.least * sampleRate), Math.round(PERIOD.most * sampleRate)];
  const found: number[] = [];
  for (let at = 0; at + length + most < samples.length; at += length >> 1) {
    const likeness = Array.from({ length: most + 1 }, (_, delay) =>
      delay < least ? 0 : likenessAt(samples, at, delay, length),
    );
    const best = Math.max(...likeness);
    if (best < 0.7 || energyAt(samples, at, length) < length * 1000 ** 2) continue;
    const first = likeness.findIndex(
      (each, delay) => each > 0.9 * best && each >= likeness[delay - 1]! && each >= (likeness[delay + 1] ?? 0),
    );
    if (first > least) found.push(sampleRate / first);
  }
  return found.sort((a, b) => a - b)[found.length >> 1] ?? 0;
}

function likenessAt(samples: Int16Array, at: number, delay: number, length: number): number {
  let sum = 0;
  for (let i = at; i < at + length; i++) sum += samples[i]! * samples[i + delay]!;
  return sum / Math.sqrt(energyAt(samples, at, length) * energyAt(samples, at + delay, length) + 1);
}

function energyAt(samples: Int16Array, at: number, length: number): number {
  let sum = 0;
  for (let i = at; i < at + length; i++) sum += samples[i]! ** 2;
  return sum;
}
