import type { TimedPhone } from './speech-engine.js';

interface Span {
  readonly start: number;
  readonly end: number;
}

/** Returns something that is spoken, such as a word, with other times. */
export function mapTimes<Timed extends Span & { readonly phones: readonly TimedPhone[] }>(
  spoken: Timed,
  map: (seconds: number) => number,
): Timed {
  const change = <One extends Span>(one: One): One => ({ ...one, start: map(one.start), end: map(one.end) });
  return { ...change(spoken), phones: spoken.phones.map(change) };
}
