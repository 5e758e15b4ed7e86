import { setFlagsFromString } from 'node:v8';

/**
 * Flags with which V8 compiles WebAssembly quickly and never optimizes it, and validates a function when it is first
 * called. They save a fifth of the processor time of opening an embedded database.
 */
const FLAGS = ['liftoff-only', 'wasm-lazy-validation'] as const;

/** The same flags, for a process to be started. */
export const COMPILED_ONCE: readonly string[] = FLAGS.map((flag) => `--${flag}`);

/**
 * Wraps a function that opens an embedded database so that V8 does not optimize the database. Optimizing costs one or
 * two seconds of processor time, and no test runs long enough to gain that back.
 */
export function compiledOnce<Args extends unknown[], Result>(open: (...args: Args) => Promise<Result>) {
  return async (...args: Args): Promise<Result> => {
    for (const flag of FLAGS) setFlagsFromString(`--${flag}`);
    try {
      return await open(...args);
    } finally {
      for (const flag of FLAGS) setFlagsFromString(`--no-${flag}`); // speech is faster when optimized
    }
  };
}
