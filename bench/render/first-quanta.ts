/**
 * Times the first eight quanta of speech in a new process: `first-quanta.ts <mode> <cold|warm|paced>` prints their
 * microseconds as JSON. `mode` is one of the names in stage.ts. `cold`: without the audio thread's warm-up. `warm`:
 * after the warm-up, without pauses. `paced`: as `warm`, but every quantum waits until it is due, so that the engine
 * has time to compile, and caches may be evicted.
 */
import { WarmUp } from '../../worklet/warm-up.js';
import { rounded } from '../timing.js';
import { modes, QUANTUM_US, Stage, table } from './stage.js';

const QUANTA = 8;

const [mode = '', temperature] = process.argv.slice(2);
const bell = new Int32Array(new SharedArrayBuffer(4));
const times = new Float64Array(QUANTA);
const stage = new Stage(modes[mode]!);
if (temperature !== 'cold') {
  const warmUp = new WarmUp(table);
  while (warmUp.step()) rest();
}
// An idle stage first, so that the engine compiles the measuring code. A real speaker is idle before it speaks, too.
run(new Stage(modes['idle']!));
run(stage);
console.log(JSON.stringify([...times].map((us) => rounded(us, 1))));

function run(playing: Stage): void {
  for (let i = 0; i < QUANTA; i++) {
    playing.feed();
    rest();
    const start = performance.now();
    playing.render();
    times[i] = (performance.now() - start) * 1000;
  }
}

/** Waits until the next quantum is due. */
function rest(): void {
  if (temperature === 'paced') Atomics.wait(bell, 0, 0, QUANTUM_US / 1000);
}
