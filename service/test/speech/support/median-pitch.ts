/** Shortest and longest period of a voice, in seconds. */
const PERIOD = { least: 1 / 500, most: 1 / 55 } as const;

/**
 * Median pitch of speech, in Hz; 0 if none is voiced. The period of a stretch of 40 ms is its shortest delay at which
 * the normalised autocorrelation peaks above 90 % of its maximum. Silent and unvoiced stretches are left out.
 */
export function medianPitch(samples: Int16Array, sampleRate: number): number {
  const length = Math.round(0.04 * sampleRate);
  const [least, most] = [Math.round(PERIOD.least * sampleRate), Math.round(PERIOD.most * sampleRate)];
  /** Energy of all samples before each index. */
  const energies = new Float64Array(samples.length + 1);
  samples.forEach((sample, at) => (energies[at + 1] = energies[at]! + sample ** 2));
  const energyAt = (at: number): number => energies[at + length]! - energies[at]!;
  const likenessAt = (at: number, delay: number): number => {
    let sum = 0;
    for (let i = at; i < at + length; i++) sum += samples[i]! * samples[i + delay]!;
    return sum / Math.sqrt(energyAt(at) * energyAt(at + delay) + 1);
  };
  const found: number[] = [];
  for (let at = 0; at + length + most < samples.length; at += length >> 1) {
    if (energyAt(at) < length * 1000 ** 2) continue;
    const likeness = Array.from({ length: most + 1 }, (_, delay) => (delay < least ? 0 : likenessAt(at, delay)));
    const best = Math.max(...likeness);
    if (best < 0.7) continue;
    const first = likeness.findIndex(
      (each, delay) => each > 0.9 * best && each >= likeness[delay - 1]! && each >= (likeness[delay + 1] ?? 0),
    );
    if (first > least) found.push(sampleRate / first);
  }
  return found.sort((a, b) => a - b)[found.length >> 1] ?? 0;
}
