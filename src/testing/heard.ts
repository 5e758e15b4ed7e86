/** Sound that a page has played. */
export interface Heard {
  /** Mono, in [-1, 1], silence included: the mean of the channels. */
  readonly samples: Float32Array;
  /** Left and right, each as long as `samples`. Left out if it was played as mono. */
  readonly channels?: readonly Float32Array[];
  /** In Hz. */
  readonly sampleRate: number;
}

/** Samples `[from, to)` of a recording. */
export interface Range {
  /** Index of the first sample. */
  readonly from: number;
  /** Index after the last sample. */
  readonly to: number;
}

/** A sample up to this is silence: three steps of 16 bits, more than what keeps a browser's output awake. */
export const AUDIBLE = 1e-4;

/** From the first audible sample of any channel to the last; empty at the end of the recording if there is none. */
export function soundOf({ samples, channels = [samples] }: Heard): Range {
  let from = samples.length;
  let to = 0;
  for (const channel of channels) {
    let first = 0;
    while (first < from && Math.abs(channel[first]!) <= AUDIBLE) first++;
    from = Math.min(from, first);
    let last = channel.length;
    while (last > to && Math.abs(channel[last - 1]!) <= AUDIBLE) last--;
    to = Math.max(to, last);
  }
  return from < to ? { from, to } : { from: samples.length, to: samples.length };
}

/** Stretches of silence inside the sound, of at least `minSeconds`. */
export function silencesOf(heard: Heard, minSeconds: number): Range[] {
  const { samples, sampleRate } = heard;
  const sound = soundOf(heard);
  const ranges: Range[] = [];
  let from = sound.from;
  for (let at = sound.from; at < sound.to; at++) {
    if (Math.abs(samples[at]!) <= AUDIBLE) continue;
    if (at - from >= minSeconds * sampleRate) ranges.push({ from, to: at });
    from = at + 1;
  }
  return ranges;
}
