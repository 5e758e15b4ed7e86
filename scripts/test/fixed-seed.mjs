/**
 * Loaded before Node's tests: random inputs are the same ones in each run, so that a test that passes goes on passing.
 * `npm run test:long` tries others each time; fast-check prints the seed with a failure.
 */
import fc from 'fast-check';

if (!process.env.SVC_LONG) fc.configureGlobal({ seed: 1 });
