/** Below this a sample is silence: -80 dBFS. Nothing that is sent stays below it for a millisecond. */
const SILENT = 1e-4;
/** Shorter silence is not counted. */
const SHORTEST_GAP_MS = 1;

/** A stretch of a recording, in samples: `to` is one past its end. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** First to last sample that is not silent; null if all are. */
export function soundSpan(samples: Float32Array, threshold: number = SILENT): Span | null {
  const from = samples.findIndex((sample) => Math.abs(sample) >= threshold);
  if (from < 0) return null;
  return { from, to: samples.findLastIndex((sample) => Math.abs(sample) >= threshold) + 1 };
}

/**
 * Stretches of silence inside the sound.
 *
 * @param samples - As recorded: at another rate the edges would be smeared.
 * @param rate - Of the samples, in Hz.
 */
export function findGaps(samples: Float32Array, rate: number): Span[] {
  const span = soundSpan(samples);
  if (!span) return [];
  const gaps: Span[] = [];
  const shortest = (rate * SHORTEST_GAP_MS) / 1000;
  let from = -1;
  for (let index = span.from; index < span.to; index++) {
    if (Math.abs(samples[index]!) < SILENT) {
      if (from < 0) from = index;
    } else if (from >= 0) {
      if (index - from >= shortest) gaps.push({ from, to: index });
      from = -1;
    }
  }
  return gaps;
}

/** What is left of the sound between the gaps. */
export function soundBetween(samples: Float32Array, gaps: readonly Span[]): Span[] {
  const span = soundSpan(samples);
  if (!span) return [];
  const starts = [span.from, ...gaps.map((gap) => gap.to)];
  const ends = [...gaps.map((gap) => gap.from), span.to];
  return starts.map((from, index) => ({ from, to: ends[index]! }));
}
