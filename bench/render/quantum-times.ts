/**
 * Times `Playout.render` quantum by quantum: `quantum-times.ts <mode>` prints `QuantumTimes` as JSON.
 *
 * Several separate playouts render the same quanta. Other programs on the machine disturb different quanta each time,
 * so the minimum of a quantum's times is the cost of its work. "Raw" figures include the disturbances.
 */
import { quantile, rounded } from '../timing.js';
import { modes, Stage } from './stage.js';

/** Microseconds per quantum. */
export interface QuantumTimes {
  p50: number;
  p99: number;
  max: number;
  rawP99: number;
  rawMax: number;
  quanta: number;
  /** Samples that the stretch has inserted or removed, in percent of the output. */
  stretchedPercent: number;
}

const RUNS = 5;
/** 21 s each. */
const QUANTA = 8000;

const mode = process.argv[2] ?? '';
run(); // compiles
const runs = Array.from({ length: RUNS }, run);
// In the dry mode, only concealed quanta count.
const places = Array.from({ length: QUANTA }, (_, i) => i).filter((i) => mode !== 'dry' || runs[0]!.concealed[i] === 1);
const work = places.map((i) => Math.min(...runs.map((one) => one.us[i]!)));
const raw = runs.flatMap((one) => places.map((i) => one.us[i]!));
const times: QuantumTimes = {
  p50: rounded(quantile(work, 0.5), 1),
  p99: rounded(quantile(work, 0.99), 1),
  max: rounded(Math.max(...work), 1),
  rawP99: rounded(quantile(raw, 0.99), 1),
  rawMax: rounded(Math.max(...raw), 1),
  quanta: work.length,
  stretchedPercent: rounded(runs[0]!.stretchedPercent, 1),
};
console.log(JSON.stringify(times));

function run(): { us: Float64Array; concealed: Uint8Array; stretchedPercent: number } {
  const stage = new Stage(modes[mode]!);
  const us = new Float64Array(QUANTA);
  const concealed = new Uint8Array(QUANTA);
  for (let i = 0; i < QUANTA; i++) {
    stage.feed();
    const before = stage.concealed;
    const start = performance.now();
    stage.render();
    us[i] = (performance.now() - start) * 1000;
    if (stage.concealed > before) concealed[i] = 1;
  }
  return { us, concealed, stretchedPercent: (stage.stretched / (QUANTA * 64)) * 100 };
}
