/** Sound that a page has played. */
export interface Heard {
  /** Mono, in [-1, 1], including silence: the mean of the channels. */
  readonly samples: Float32Array;
  /** Left and right channel, each as long as `samples`. Omitted if the sound was mono. */
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

/**
 * Highest absolute value of a silent sample: three steps of 16 bits, more than the signal that keeps a browser's output
 * awake.
 */
export const AUDIBLE = 1e-4;

/**
 * Returns the range from the first to the last audible sample of any channel; an empty range at the end if none is
 * audible.
 */
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

/** Returns the ranges of silence inside the sound that last at least `minSeconds`. */
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
