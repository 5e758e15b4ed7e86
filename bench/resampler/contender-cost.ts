/**
 * Times a contender on request: `contender-cost.ts <name> <from> <to>`, forked. It answers each message with
 * nanoseconds per output sample, measured over some quanta of 128 output samples.
 */
import { time } from '../timing.js';
import { contenders } from './contenders.js';

const QUANTUM = 128;
/** Quanta that refill caches and branch predictors, and quanta that are timed. */
const WARM = 8;
const TIMED = 64;

const [name = '', from = '', to = ''] = process.argv.slice(2);
const contender = await contenders[name]!(Number(from), Number(to));
const inputs = (QUANTUM * Number(from)) / Number(to);
let quantum = 0;

process.on('message', () => {
  run(WARM);
  let outputs = 0;
  const milliseconds = time(() => (outputs = run(TIMED)));
  process.send!((milliseconds * 1e6) / outputs);
});

function run(quanta: number): number {
  let outputs = 0;
  for (let i = 0; i < quanta; i++, quantum++) {
    outputs += contender.run(Math.floor((quantum + 1) * inputs) - Math.floor(quantum * inputs));
  }
  return outputs;
}
