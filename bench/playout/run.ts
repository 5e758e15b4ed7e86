/**
 * The playout simulator: `node --import tsx bench/playout/run.ts`. Plays streams of speech through the real ring and
 * playout, faster than real time, and prints what a listener would have heard of each, measured from the output.
 *
 * Options:
 * - `--seeds 20`: runs per trace, each with a network and a place in the speech of its own;
 * - `--traces wifi,lte`, `--players adaptive:120,fixed:120,plain`: which ones;
 * - `--taps 128`: of the resampler; 16 is several times faster and changes start-up by 2 ms and little else;
 * - `--threads 2`; `--json`: the summaries as JSON after the tables.
 */
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { designResampler } from '../../src/dsp/index.js';
import { SOURCE_RATE } from './arrivals.js';
import type { Job } from './job.js';
import type { RunMetrics } from './metrics.js';
import { runJobs } from './pool.js';
import { OUTPUT_RATE } from './simulate.js';
import { makeSpeech } from './speech.js';
import { summarize, type Summary } from './summary.js';
import { DISTURBED, TRACES } from './traces.js';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '20' },
    traces: { type: 'string', default: TRACES.map(({ name }) => name).join(',') },
    players: { type: 'string', default: 'adaptive:120,adaptive:60,fixed:120,fixed:250,plain' },
    taps: { type: 'string', default: '128' },
    threads: { type: 'string', default: String(Math.min(4, availableParallelism())) },
    json: { type: 'boolean', default: false },
  },
});

const players = values.players.split(',').map((name) => (name === 'adaptive' ? 'adaptive:120' : name));
const traces = values.traces.split(',').map((name) => {
  const found = TRACES.find((one) => one.name === name);
  if (!found) throw new RangeError(`There is no trace ${name}; there are ${TRACES.map((one) => one.name).join(', ')}`);
  return found;
});
const jobs: Job[] = [];
for (const { name: trace, seedsMax } of traces.toSorted((a, b) => b.speechMs - a.speechMs)) {
  for (const player of players) {
    for (let seed = 1; seed <= Math.min(Number(values.seeds), seedsMax); seed++) jobs.push({ player, trace, seed });
  }
}

const table = designResampler(SOURCE_RATE, OUTPUT_RATE, { taps: Number(values.taps) });
const speeches = await makeSpeech(table);
const began = performance.now();
const runs = await runJobs({ table, speeches }, jobs, Number(values.threads));
const seconds = (performance.now() - began) / 1000;

const summaries: Summary[] = [];
for (const player of players) {
  const rows = traces.map(({ name }) => summarize(player, name, runsOf(player, name)));
  summaries.push(...rows);
  console.log(`\n${player}`);
  console.table(Object.fromEntries(rows.map((row) => [row.trace, columns(row)])));
  const disturbed = rows.filter(({ trace }) => DISTURBED.includes(trace));
  if (disturbed.length === DISTURBED.length) {
    const mean = (pick: (row: Summary) => number): string =>
      (disturbed.reduce((sum, row) => sum + pick(row), 0) / disturbed.length).toFixed(1);
    console.log(
      `mean of the eight disturbed traces: silent ${mean((row) => row.silentMsPerMin)} ms/min, ` +
        `silent + concealed ${mean((row) => row.silentMsPerMin + row.concealedMsPerMin)} ms/min`,
    );
  }
}
const simulated = runs.reduce((sum, run) => sum + run.speechMs, 0) / 1000;
console.log(
  `\n${jobs.length} runs, ${(simulated / 3600).toFixed(1)} h of speech in ${seconds.toFixed(0)} s: ` +
    `${(simulated / seconds).toFixed(0)} times real time`,
);
if (values.json) console.log(JSON.stringify({ bench: 'playout', node: process.version, summaries }));

function runsOf(player: string, trace: string): RunMetrics[] {
  return runs.filter((_, index) => jobs[index]!.player === player && jobs[index]!.trace === trace);
}

/** A line of the table; what each column means is in summary.ts and metrics.ts. */
function columns(row: Summary): Record<string, number> {
  const round = (value: number, digits = 0): number => Number(value.toFixed(digits));
  return {
    'start ms': round(row.startupMs),
    'gaps/min': round(row.gapsPerMin, 1),
    'silent ms/min': round(row.silentMsPerMin, 1),
    'worst ms': round(row.worstGapMs),
    'concealed ms/min': round(row.concealedMsPerMin, 1),
    'bound ms/min': round(row.boundMsPerMin, 1),
    'first outage': round(row.firstSilentMsPerMin, 1),
    'rare outage': round(row.rareSilentMsPerMin, 1),
    'stretched %': round(row.stretchedPercent, 1),
    'altered %': round(row.alteredPercent, 2),
    'dropped ms': round(row.droppedMs, 1),
    'balance ms': round(row.balanceMs, 1),
    'lost ms': round(row.lostMs, 1),
    'delay ms': round(row.delayMeanMs),
    'p95 ms': round(row.delayP95Ms),
    'drift ms': round(row.delayDriftMs, 1),
    'pos err ms': round(row.positionErrorMs, 2),
    'edges dB': round(row.edgeDb, 1),
    'splices dB': round(row.spliceDb, 1),
  };
}
