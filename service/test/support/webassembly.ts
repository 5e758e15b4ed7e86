import { setFlagsFromString } from 'node:v8';

/** Flag with which V8 compiles WebAssembly quickly, and never optimizes it. */
const LIFTOFF_ONLY = '--liftoff-only';

/** The same flag, for a process to be started. */
export const COMPILED_ONCE: readonly string[] = [LIFTOFF_ONLY];

/**
 * Wraps a function that opens an embedded database so that V8 does not optimize the database. Optimizing costs one or
 * two seconds of processor time, and no test runs long enough to gain that back.
 */
export function compiledOnce<Args extends unknown[], Result>(open: (...args: Args) => Promise<Result>) {
  return async (...args: Args): Promise<Result> => {
    setFlagsFromString(LIFTOFF_ONLY);
    try {
      return await open(...args);
    } finally {
      setFlagsFromString('--no-liftoff-only'); // speech is faster when optimized
    }
  };
}
