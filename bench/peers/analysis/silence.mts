/** A sample below this is silent: -80 dBFS. The sent signal never stays below it for a millisecond. */
const SILENT = 1e-4;
/** Shorter silence is not counted. */
const SHORTEST_GAP_MS = 1;

/** A range of samples in a recording; `to` is one past its end. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Returns the range from the first to the last sample that is not silent; null if all are. */
export function soundSpan(samples: Float32Array, threshold: number = SILENT): Span | null {
  const from = samples.findIndex((sample) => Math.abs(sample) >= threshold);
  if (from < 0) return null;
  return { from, to: samples.findLastIndex((sample) => Math.abs(sample) >= threshold) + 1 };
}

/**
 * Finds silence inside the sound.
 *
 * @param samples - At the recorded rate: conversion would smear the edges.
 * @param rate - Sample rate, in Hz.
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

/** Returns the parts of the sound between the gaps. */
export function soundBetween(samples: Float32Array, gaps: readonly Span[]): Span[] {
  const span = soundSpan(samples);
  if (!span) return [];
  const starts = [span.from, ...gaps.map((gap) => gap.to)];
  const ends = [...gaps.map((gap) => gap.from), span.to];
  return starts.map((from, index) => ({ from, to: ends[index]! }));
}
