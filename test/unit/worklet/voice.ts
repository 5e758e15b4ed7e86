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
    for (let i = 0; i < length && at < out.length; i++, at++) {
      const envelope = Math.sin((Math.PI * i) / length) ** 0.5;
      phase += (pitch * (1 + ((glide - 1) * i) / length)) / rate;
      let sample = (random() - 0.5) * 0.001;
      if (kind < 0.6) {
        for (let k = 1; k < 20; k++) sample += (Math.sin(2 * Math.PI * k * phase) * Math.exp(-k / brightness)) / 5;
      } else if (kind < 0.8) {
        sample += (random() - 0.5) * 0.3;
      }
      out[at] = Math.round(Math.max(-1, Math.min(1, sample * envelope)) * 32767);
    }
  }
  return out;
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
