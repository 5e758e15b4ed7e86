/**
 * Synthesises a signal similar to speech: voiced syllables with a varying pitch, hisses between them, and pauses. The
 * same arguments give the same samples.
 *
 * @param seed - Selects the voice.
 * @param rate - Sample rate, in Hz.
 * @returns int16 samples.
 */
export function voice(seconds: number, seed = 1, rate = 24000): Int16Array {
  const random = generator(seed);
  const out = new Int16Array(Math.round(seconds * rate));
  let phase = 0;
  let at = 0;
  while (at < out.length) {
    const kind = random();
    const length = Math.round((0.06 + 0.2 * random()) * rate);
    const pitch = 90 + 120 * random();
    const glide = 0.8 + 0.4 * random();
    const brightness = 2 + 10 * random();
    const levels = Array.from({ length: 19 }, (_, k) => Math.exp(-(k + 1) / brightness) / 5);
    for (let i = 0; i < length && at < out.length; i++, at++) {
      const envelope = Math.sin((Math.PI * i) / length) ** 0.5;
      phase += (pitch * (1 + ((glide - 1) * i) / length)) / rate;
      let sample = (random() - 0.5) * 0.001;
      if (kind < 0.6) {
        sample += harmonics(2 * Math.PI * phase, levels);
      } else if (kind < 0.8) {
        sample += (random() - 0.5) * 0.3;
      }
      out[at] = Math.round(Math.max(-1, Math.min(1, sample * envelope)) * 32767);
    }
  }
  return out;
}

/** Returns the sum of `levels[k - 1] * Math.sin(k * angle)`, by the recurrence of Chebyshev, which needs one sine. */
function harmonics(angle: number, levels: readonly number[]): number {
  const twice = 2 * Math.cos(angle);
  let before = 0;
  let sine = Math.sin(angle);
  let sum = 0;
  for (const level of levels) {
    sum += level * sine;
    const next = twice * sine - before;
    before = sine;
    sine = next;
  }
  return sum;
}

/** Returns a Mulberry32 generator of numbers in [0, 1). */
export function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
