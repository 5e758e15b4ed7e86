/** Pseudo-random choices, the same for the same seed. */
export interface Random {
  /** Returns an integer in [0, limit). */
  below(limit: number): number;
  pick<Value>(values: readonly Value[]): Value;
  /** Returns true with this probability. */
  chance(probability: number): boolean;
}

/** Creates a generator (mulberry32). */
export function randomOf(seed: number): Random {
  let state = seed * 0x9e3779b1;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return { below, pick: (values) => values[below(values.length)]!, chance: (probability) => next() < probability };
}
