import { setFlagsFromString } from 'node:v8';

/**
 * Wraps a function that opens an embedded database so that V8 compiles it once, quickly, and never optimizes it. That
 * costs a second of processor time or two, which no test runs long enough to gain back.
 */
export function compiledOnce<Args extends unknown[], Result>(open: (...args: Args) => Promise<Result>) {
  return async (...args: Args): Promise<Result> => {
    setFlagsFromString('--liftoff-only');
    try {
      return await open(...args);
    } finally {
      setFlagsFromString('--no-liftoff-only'); // speech is the faster for being optimized
    }
  };
}
