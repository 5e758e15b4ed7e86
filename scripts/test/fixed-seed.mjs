/**
 * Loaded before Node's tests. Makes random inputs the same in each run, so that a passing test keeps passing.
 * `npm run test:long` uses different inputs each time; fast-check prints the seed with a failure.
 */
import fc from 'fast-check';

if (!process.env.SVC_LONG) fc.configureGlobal({ seed: 1 });
