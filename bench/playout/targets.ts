import type { DayMetrics } from './day-job.js';
import type { Operation, OperationMetrics } from './operation-job.js';
import { OUTPUT_PER_MS, QUANTUM } from './simulate.js';
import { mean, quantile } from './statistics.js';
import type { Summary } from './summary.js';
import { DISTURBED, GENERATED } from './traces.js';

/** An upper limit and the measured value. */
export interface Target {
  readonly what: string;
  readonly most: number;
  readonly measured: number;
  readonly unit: string;
  /** The same value for `fixed:120` (for clicks: for `plain`); null if it was not run or has none. */
  readonly reference: number | null;
}

const QUANTUM_MS = QUANTUM / OUTPUT_PER_MS;

/** Maximum silence per minute, in milliseconds, by trace. */
const SILENT: Readonly<Record<string, number>> = {
  lan: 0,
  'drift+': 0,
  'drift-': 0,
  lte: 5,
  gpu80: 5,
  bloat: 5,
  g3: 5,
  ttsburst: 2,
  ttsslow: 20,
  wifi: 25,
  wifi5: 40,
  rto: 40,
  slow95: 0,
  slow91: 0,
  slow85: 0,
};

/**
 * Returns the targets of playout over disturbed networks for the traces that were run.
 *
 * @param rows - Results of the player that the targets apply to; at least one.
 * @param fixed - Results of `fixed:120`; empty if it was not run.
 * @param plain - Results of `plain`; empty if it was not run.
 */
export function traceTargets(rows: readonly Summary[], fixed: readonly Summary[], plain: readonly Summary[]): Target[] {
  const targets: Target[] = [];
  const silent = (row: Summary): number => row.silentMsPerMin;
  const interrupted = (row: Summary): number => row.silentMsPerMin + row.concealedMsPerMin;
  for (const { trace } of rows) {
    const most = SILENT[trace];
    const only = (list: readonly Summary[]): number | null => meanOf(list, [trace], silent);
    if (most !== undefined) targets.push(target(`silence, ${trace}`, most, only(rows)!, 'ms/min', only(fixed)));
  }
  for (const [what, most, pick] of [
    ['silent', 20, silent],
    ['silent + concealed', 60, interrupted],
  ] as const) {
    const measured = meanOf(rows, DISTURBED, pick);
    if (measured === null) continue;
    const name = `mean of the eight disturbed traces, ${what}`;
    targets.push(target(name, most, measured, 'ms/min', meanOf(fixed, DISTURBED, pick)));
  }
  const edges = worst(plain, (row) => row.edgeDb);
  const faintEdges = worst(plain, (row) => row.faintEdgeDb);
  for (const [what, pick, hardCut] of [
    ['click at edges', (row: Summary) => row.edgeDb, edges],
    ['click at splices', (row: Summary) => row.spliceDb, edges],
    ['click at edges, above 10 kHz', (row: Summary) => row.faintEdgeDb, faintEdges],
    ['click at splices, above 10 kHz', (row: Summary) => row.faintSpliceDb, faintEdges],
  ] as const) {
    const most = worst(rows, pick);
    if (most) targets.push(target(`${what}, worst trace (${most.trace})`, 0, most.value, 'dB', hardCut?.value ?? null));
  }
  const dropped = worst(rows, (row) => row.droppedMs)!;
  targets.push(target('speech lost, worst trace', 0, dropped.value, 'ms'));
  const hurried = worst(
    rows.filter(({ trace }) => GENERATED.includes(trace)),
    (row) => row.removedPercent,
  );
  if (hurried) {
    targets.push(target(`sped up though it is not paced in real time (${hurried.trace})`, 0, hurried.value, '%'));
  }
  const position = worst(rows, (row) => row.positionErrorMs);
  if (position) {
    targets.push(target('error of the position told, 99 %, worst trace', QUANTUM_MS, position.value, 'ms'));
  }
  return targets;
}

/** Returns the targets of the operations. */
export function operationTargets(results: Readonly<Record<Operation, OperationMetrics>>): Target[] {
  const slowest = (operation: Operation): number => quantile(results[operation].latenciesMs, 1);
  const targets = [
    target('first frame in to first sound', QUANTUM_MS + 3, slowest('start'), 'ms'),
    target('cancel to silence', QUANTUM_MS + 5, slowest('cancel'), 'ms'),
  ];
  for (const [operation, { clicksDb, faintDb }] of Object.entries(results)) {
    targets.push(target(`click of ${operation}`, 0, quantile(clicksDb, 0.95), 'dB'));
    targets.push(target(`click of ${operation}, above 10 kHz`, 0, quantile(faintDb, 0.95), 'dB'));
  }
  return targets;
}

/**
 * Returns the targets of an endless stream. The delay may vary by the network's jitter and a splice. The heap may grow
 * by what the engine itself keeps, which is negligible next to the 4 GB of samples that pass through.
 */
export function dayTargets(name: string, day: DayMetrics): Target[] {
  return [
    target(`day, ${name}: change of the delay`, 20, Math.abs(day.delayLastMs - day.delayFirstMs), 'ms'),
    target(`day, ${name}: growth of the heap`, 64, day.heapGrowthBytes / 1024, 'KiB'),
    target(`day, ${name}: error of the position told`, QUANTUM_MS, day.positionErrorMs, 'ms'),
    target(`day, ${name}: silence`, 0, day.silentMs, 'ms'),
  ];
}

function target(what: string, most: number, measured: number, unit: string, reference: number | null = null): Target {
  return { what, most, measured, unit, reference };
}

/** Returns the mean over some traces; null unless all of them were run. */
function meanOf(rows: readonly Summary[], traces: readonly string[], pick: (row: Summary) => number): number | null {
  const values = traces.map((trace) => rows.find((row) => row.trace === trace));
  return values.every((row) => row !== undefined) ? mean(values.map(pick)) : null;
}

/** Returns the largest value and its trace; undefined if there is none. */
function worst(rows: readonly Summary[], pick: (row: Summary) => number): { trace: string; value: number } | undefined {
  return rows
    .map((row) => ({ trace: row.trace, value: pick(row) }))
    .filter(({ value }) => !Number.isNaN(value))
    .toSorted((a, b) => b.value - a.value)[0];
}
