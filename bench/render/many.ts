/**
 * Times the playouts of many speakers on one audio thread: `many.ts <mode> <count>` prints the microseconds that one
 * quantum of all of them takes, as JSON. `mode` is one of the names in stage.ts.
 */
import { quantile, rounded, time } from '../timing.js';
import { modes, Stage } from './stage.js';

const RUNS = 30;
/** Minimum number of quanta per playout in a run. */
const QUANTA = 200;

const [mode = '', count = ''] = process.argv.slice(2);
const stages = Array.from({ length: Number(count) }, () => new Stage(modes[mode]!));
const runs = Array.from({ length: RUNS }, () => {
  let milliseconds = 0;
  for (let i = 0; i < QUANTA; i++) {
    for (const stage of stages) stage.feed();
    milliseconds += time(() => {
      for (const stage of stages) stage.render();
    });
  }
  return (milliseconds * 1000) / QUANTA;
});
// Without the first third, in which the engine compiles. The 10th percentile excludes disturbances by other programs.
console.log(JSON.stringify(rounded(quantile(runs.slice(RUNS / 3), 0.1), 2)));
