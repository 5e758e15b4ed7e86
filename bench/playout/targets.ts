import type { DayMetrics } from './day-job.js';
import type { Operation, OperationMetrics } from './operation-job.js';
import { OUTPUT_PER_MS, QUANTUM } from './simulate.js';
import { mean, quantile } from './statistics.js';
import type { Summary } from './summary.js';
import { DISTURBED } from './traces.js';

/** A value that is not to be exceeded, and the one measured. */
export interface Target {
  readonly what: string;
  readonly most: number;
  readonly measured: number;
  readonly unit: string;
  /** The same of `fixed:120`, of clicks that of `plain`; null if it was not run or says nothing. */
  readonly reference: number | null;
}

const QUANTUM_MS = QUANTUM / OUTPUT_PER_MS;

/** Most silence a minute, in milliseconds, by trace. */
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
 * What is promised of playout over a disturbed network, as far as these traces were run.
 *
 * @param rows - Of the player that the targets are for.
 * @param reference - Of `fixed:120`; empty if it was not run.
 * @param plain - Of `plain`, likewise.
 */
export function traceTargets(
  rows: readonly Summary[],
  reference: readonly Summary[],
  plain: readonly Summary[],
): Target[] {
  const targets: Target[] = [];
  const of = (list: readonly Summary[], trace: string): Summary | undefined => list.find((row) => row.trace === trace);
  for (const [trace, most] of Object.entries(SILENT)) {
    const row = of(rows, trace);
    if (!row) continue;
    const measured = row.silentMsPerMin;
    const other = of(reference, trace)?.silentMsPerMin ?? null;
    targets.push({ what: `silence, ${trace}`, most, measured, unit: 'ms/min', reference: other });
  }
  if (DISTURBED.every((trace) => of(rows, trace))) {
    const over = (list: readonly Summary[], pick: (row: Summary) => number): number | null =>
      list.length === 0 ? null : mean(DISTURBED.map((trace) => pick(of(list, trace)!)));
    const silent = (row: Summary): number => row.silentMsPerMin;
    const both = (row: Summary): number => row.silentMsPerMin + row.concealedMsPerMin;
    const what = 'mean of the eight disturbed traces';
    targets.push(
      {
        what: `${what}, silent`,
        most: 20,
        measured: over(rows, silent)!,
        unit: 'ms/min',
        reference: over(reference, silent),
      },
      {
        what: `${what}, silent + concealed`,
        most: 60,
        measured: over(rows, both)!,
        unit: 'ms/min',
        reference: over(reference, both),
      },
    );
  }
  const worst = (list: readonly Summary[], pick: (row: Summary) => number): Summary | undefined =>
    list.filter((row) => !Number.isNaN(pick(row))).toSorted((a, b) => pick(b) - pick(a))[0];
  const hardCut = worst(plain, (row) => row.edgeDb)?.edgeDb ?? null;
  const edge = worst(rows, (row) => row.edgeDb);
  if (edge) targets.push(click(`at edges, worst trace (${edge.trace})`, edge.edgeDb, hardCut));
  const splice = worst(rows, (row) => row.spliceDb);
  if (splice) targets.push(click(`at splices, worst trace (${splice.trace})`, splice.spliceDb, hardCut));
  const most = (what: string, limit: number, pick: (row: Summary) => number): void => {
    const measured = Math.max(...rows.map(pick));
    targets.push({ what, most: limit, measured, unit: 'ms', reference: null });
  };
  most('speech lost, worst trace', 0, (row) => row.droppedMs);
  most('position told, 99 % of quanta, worst trace', QUANTUM_MS, (row) => row.positionErrorMs);
  return targets;
}

/** What is promised of operations. */
export function operationTargets(results: Readonly<Record<Operation, OperationMetrics>>): Target[] {
  const slowest = (operation: Operation): number => quantile(results[operation].latenciesMs, 1);
  const unit = 'ms';
  return [
    { what: 'first frame in to first sound', most: QUANTUM_MS + 3, measured: slowest('start'), unit, reference: null },
    { what: 'cancel to silence', most: QUANTUM_MS + 5, measured: slowest('cancel'), unit, reference: null },
    ...Object.entries(results).map(([operation, { clicksDb }]) => click(`of ${operation}`, quantile(clicksDb, 0.95))),
  ];
}

/** What is promised of a day: the delay may wander by the jitter of the network, 3 ms, and a splice or two. */
export function dayTargets(name: string, day: DayMetrics): Target[] {
  return [
    {
      what: `day, ${name}: growth of the delay`,
      most: 30,
      measured: day.delayLastMs - day.delayFirstMs,
      unit: 'ms',
      reference: null,
    },
    {
      what: `day, ${name}: growth of the heap`,
      most: 64,
      measured: day.heapGrowthBytes / 1024,
      unit: 'KiB',
      reference: null,
    },
    {
      what: `day, ${name}: position error`,
      most: QUANTUM_MS,
      measured: day.positionErrorMs,
      unit: 'ms',
      reference: null,
    },
    { what: `day, ${name}: silence`, most: 0, measured: day.silentMs, unit: 'ms', reference: null },
  ];
}

/** An energy at edges, of which 95 % must not exceed what clean speech has in 99 % of the time. */
function click(where: string, measured: number, reference: number | null = null): Target {
  return { what: `click ${where}`, most: 0, measured, unit: 'dB', reference };
}
