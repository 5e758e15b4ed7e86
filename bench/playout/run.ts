/**
 * The playout simulator: `node --import tsx bench/playout/run.ts`. Plays streams of speech through the real ring and
 * playout, faster than real time, and prints what a listener would have heard, measured from the output.
 *
 * Options:
 * - `--parts traces,operations,day`: parts to run; only `traces` if traces or players are given;
 * - `--seeds 20`, or `101-140`: runs per trace, each with its own network and its own place in the speech;
 * - `--seconds 6`: only the beginning of each trace, in seconds of speech, to compare how playback starts;
 * - `--traces wifi,lte`: a selection from traces.ts;
 * - `--players adaptive:120,fixed:120,plain`: the speaker with a target delay in ms, or a player without a buffer; the
 *   targets apply to the first one;
 * - `--taps 128`: filter length of the resampler; with 16 it is several times faster, the start-up is 2 ms shorter, and
 *   little else changes;
 * - `--hours 24`: length of the endless streams;
 * - `--wav DIR`: writes recordings and pictures of each trace instead;
 * - `--recording FILE`: replays the arrivals of a recording of `<svc-speaker-inspector>` instead, with the recorded
 *   settings or with `--players`, and prints the recorded and replayed results; with `--wav DIR` it also writes WAV
 *   files;
 * - `--threads 2`; `--json`: all results as JSON after the tables.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { parseRecording, type SpeakerRecording } from '../../src/inspector/recording.js';
import { encodeWav } from '../../src/testing/wav.js';
import { makeBench } from './bench.js';
import type { DayJob, DayMetrics } from './day-job.js';
import { type OperationMetrics, OPERATIONS, type Operation } from './operation-job.js';
import { checkMeter } from './meter-check.js';
import type { RunMetrics } from './metrics.js';
import { writePictures } from './pictures.js';
import { runJobs } from './pool.js';
import { playerOf, printReplay, replay } from './replay.js';
import {
  printBound,
  printChecks,
  printComparison,
  printDays,
  printOperations,
  printTargets,
  printTraces,
} from './report.js';
import { OUTPUT_RATE } from './simulate.js';
import { summarize, type Summary } from './summary.js';
import { dayTargets, operationTargets, type Target, traceTargets } from './targets.js';
import { makePlayer, type TraceJob } from './trace-job.js';
import { TRACES } from './traces.js';

/** Trials of each operation. */
const TRIALS = 400;
/** Filter length for the endless streams. Nothing that could grow depends on it, and a short one saves an hour. */
const DAY_TAPS = 16;

const { values } = parseArgs({
  options: {
    parts: { type: 'string' },
    seeds: { type: 'string', default: '20' },
    seconds: { type: 'string' },
    traces: { type: 'string' },
    players: { type: 'string' },
    taps: { type: 'string', default: '128' },
    hours: { type: 'string', default: '24' },
    wav: { type: 'string' },
    recording: { type: 'string' },
    threads: { type: 'string', default: String(Math.min(4, availableParallelism())) },
    json: { type: 'boolean', default: false },
  },
});
const [firstSeed, lastSeed] = seedRange(values.seeds);
const threads = Number(values.threads);
const players = (values.players ?? 'adaptive,adaptive:60,fixed:120,fixed:250,plain')
  .split(',')
  .map((name) => (name === 'adaptive' ? 'adaptive:120' : name));
const traces = (values.traces ?? TRACES.map(({ name }) => name).join(',')).split(',');
const some = values.traces !== undefined || values.players !== undefined;
const parts = (values.parts ?? (some ? 'traces' : 'traces,operations,day')).split(',');
const recorded = values.recording === undefined ? null : readRecording(values.recording);
const bench = await makeBench(Number(values.taps), recorded ? 1 : undefined);
const targets: Target[] = [];
const json: Record<string, unknown> = { bench: 'playout', node: process.version };

// A replay is measured by counters and silence, which do not need the meter.
if (!recorded) checkMeter(bench);
if (recorded) {
  replayRecording(recorded);
} else if (values.wav !== undefined) {
  writePictures(values.wav, bench, players[0]!, traces);
} else {
  if (parts.includes('traces')) await runTraces();
  if (parts.includes('operations')) await runOperations();
  if (parts.includes('day')) await runDays();
  printTargets(targets);
  if (values.json) console.log(JSON.stringify({ ...json, targets }));
}

/** @param file - Path, relative to the folder from which `npm run` was called. */
function readRecording(file: string): SpeakerRecording {
  return parseRecording(readFileSync(resolve(process.env['INIT_CWD'] ?? '', file), 'utf8'));
}

function replayRecording(recording: SpeakerRecording): void {
  const { settings, pipeline, recordedAt, browser } = recording;
  console.log(`recorded ${recordedAt} by ${browser}`);
  console.log(`${settings.jitterBuffer}, target ${settings.jitterBufferTarget} ms, rate ${settings.playbackRate}`);
  console.log(`${pipeline.transport} transport; arrivals to ${recording.resolution.arrivalsMs} ms`);
  const speech = bench.speeches[0]!;
  const named = values.players === undefined ? [playerOf(recording)] : players;
  json['replays'] = named.map((player) => {
    const passages = [];
    for (const { output, ...passage } of replay(
      recording,
      () => makePlayer(player, bench, speech),
      speech.samples.length,
    )) {
      passages.push(passage);
      if (values.wav === undefined) continue;
      const name = `${player.replace(':', '-')}-${passage.atSeconds.toFixed(2)}s.wav`;
      mkdirSync(values.wav, { recursive: true });
      writeFileSync(join(values.wav, name), encodeWav(output, OUTPUT_RATE));
    }
    printReplay(player, passages);
    return { player, passages };
  });
  if (values.json) console.log(JSON.stringify(json));
}

function seedRange(seeds: string): [number, number] {
  const [, from, to] = /^(?:(\d+)-)?(\d+)$/.exec(seeds) ?? [];
  const range: [number, number] = [Number(from ?? 1), Number(to)];
  if (!(range[0] >= 1 && range[1] >= range[0])) throw new RangeError(`Seeds are 20 or 101-140, not ${seeds}`);
  return range;
}

async function runTraces(): Promise<void> {
  const found = traces.map((name) => {
    const one = TRACES.find((trace) => trace.name === name);
    if (one) return one;
    throw new RangeError(`There is no trace ${name}; there are ${TRACES.map((trace) => trace.name).join(', ')}`);
  });
  const jobs: TraceJob[] = [];
  const part = values.seconds === undefined ? {} : { seconds: Number(values.seconds) };
  // The longest first, so that no thread ends up alone with a long job.
  for (const { name: trace, seedsMax } of found.toSorted((a, b) => b.speechMs - a.speechMs)) {
    const end = Math.min(lastSeed, firstSeed + seedsMax - 1);
    for (const player of players)
      for (let seed = firstSeed; seed <= end; seed++) jobs.push({ player, trace, seed, ...part });
  }
  const began = performance.now();
  const runs = await runJobs<RunMetrics>('trace-thread.ts', bench, jobs, threads);
  const seconds = (performance.now() - began) / 1000;
  const summaries = new Map<string, Summary[]>();
  for (const player of players) {
    const rows = traces.map((trace) =>
      summarize(
        player,
        trace,
        runs.filter((_, i) => jobs[i]!.player === player && jobs[i]!.trace === trace),
      ),
    );
    summaries.set(player, rows);
    printTraces(player, rows);
  }
  const [first] = players;
  const rows = summaries.get(first!)!;
  printComparison(found, summaries);
  printBound(rows);
  printChecks(rows);
  const speech = runs.reduce((sum, run) => sum + run.speechMs, 0) / 1000;
  console.log(
    `\n${jobs.length} runs, ${(speech / 3600).toFixed(1)} h of speech in ${seconds.toFixed(0)} s: ` +
      `${(speech / seconds).toFixed(0)} times real time`,
  );
  targets.push(...traceTargets(rows, summaries.get('fixed:120') ?? [], summaries.get('plain') ?? []));
  json['traces'] = [...summaries.values()].flat();
}

async function runOperations(): Promise<void> {
  const jobs = OPERATIONS.map((operation) => ({ operation, count: TRIALS }));
  const results = await runJobs<OperationMetrics>('operation-thread.ts', bench, jobs, threads);
  printOperations(jobs, results);
  const byName = Object.fromEntries(OPERATIONS.map((operation, i) => [operation, results[i]!]));
  targets.push(...operationTargets(byName as Record<Operation, OperationMetrics>));
}

async function runDays(): Promise<void> {
  const hours = Number(values.hours);
  const jobs: DayJob[] = [
    { name: 'lan', hours, sourcePace: 1 },
    { name: 'drift+', hours, sourcePace: 1 - 200e-6 },
    { name: 'drift-', hours, sourcePace: 1 + 200e-6 },
  ];
  const results = await runJobs<DayMetrics>('day-thread.ts', await makeBench(DAY_TAPS), jobs, threads);
  printDays(jobs, results);
  targets.push(...jobs.flatMap(({ name }, i) => dayTargets(name, results[i]!)));
  json['days'] = results;
}
