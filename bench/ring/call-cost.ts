/**
 * Times one operation in turn with the limit: `call-cost.ts <operation> <samples>` prints a `CallCost` as JSON.
 */
import { median, rounded, time } from '../timing.js';
import { limits, type Operation, operations } from './operations.js';

/** Nanoseconds per call, medians of many runs. */
export interface CallCost {
  ns: number;
  limitNs: number;
  /** Median over runs of the ratio to the adjacent run of the limit. */
  ratio: number;
}

/** Runs for warming up, and runs that count. */
const WARM = 200;
const RUNS = 700;
/** A run of fewer calls is too short for the clock, so it is repeated. */
const CALLS = 1024;

const [name = '', size = ''] = process.argv.slice(2);
const operation = repeated(operations[name]!(Number(size)));
const limit = repeated(limits[name.includes('push') ? 'push' : 'pop'](Number(size)));
const pairs: [number, number][] = [];
for (let i = 0; i < WARM + RUNS; i++) {
  const pair: [number, number] = [nsPerCall(operation), nsPerCall(limit)];
  if (i >= WARM) pairs.push(pair);
}
const cost: CallCost = {
  ns: rounded(median(pairs.map(([ns]) => ns)), 1),
  limitNs: rounded(median(pairs.map(([, ns]) => ns)), 1),
  ratio: rounded(median(pairs.map(([ns, limitNs]) => ns / limitNs)), 2),
};
console.log(JSON.stringify(cost));

function repeated({ calls, run }: Operation): Operation {
  const times = Math.ceil(CALLS / calls);
  return {
    calls: calls * times,
    run() {
      for (let i = 0; i < times; i++) run();
    },
  };
}

function nsPerCall({ calls, run }: Operation): number {
  return (time(run) * 1e6) / calls;
}
