import { show } from '../show.js';
import type { DayJob, DayMetrics } from './day-job.js';
import type { OperationJob, OperationMetrics } from './operation-job.js';
import { mean, quantile } from './statistics.js';
import type { Summary } from './summary.js';
import type { Target } from './targets.js';
import type { Trace } from './traces.js';

/** Prints the results of one player for each trace: means over the seeds. summary.ts explains the columns. */
export function printTraces(player: string, rows: readonly Summary[]): void {
  print(player, rows, (row) => ({
    'start ms': round(row.startupMs),
    'gaps/min': round(row.gapsPerMin, 1),
    'silent ms/min': round(row.silentMsPerMin, 1),
    'worst ms': round(row.worstGapMs),
    'concealed ms/min': round(row.concealedMsPerMin, 1),
    'stretched %': round(row.stretchedPercent, 1),
    'inserted %': round(row.insertedPercent, 2),
    'removed %': round(row.removedPercent, 2),
    'delay ms': round(row.delayMeanMs),
    'p95 ms': round(row.delayP95Ms),
    'drift ms': round(row.delayDriftMs),
    'edges dB': round(row.edgeDb, 1),
    '>10k': round(row.faintEdgeDb, 1),
    'splices dB': round(row.spliceDb, 1),
    '(clean)': round(row.cleanSpliceDb, 1),
    ' >10k': round(row.faintSpliceDb, 1),
  }));
}

/** Players that the reader of the documentation compares, and what they are called there. */
const COMPARED: Readonly<Record<string, string>> = {
  'adaptive:120': 'ours',
  'fixed:120': 'fixed 120',
  plain: 'no buffer',
};

/** Prints silence and concealed speech of some players side by side, the delay of ours, and what the traces are. */
export function printComparison(traces: readonly Trace[], summaries: ReadonlyMap<string, readonly Summary[]>): void {
  const compared = [...summaries].filter(([player]) => player in COMPARED);
  show(
    'playout: traces',
    traces.map(({ name, what }, index) => {
      const heard = compared.map(([player, rows]) => {
        const { concealedMsPerMin, silentMsPerMin } = rows[index]!;
        const cell = `${round(silentMsPerMin, 1)} + ${round(concealedMsPerMin, 1)}`;
        return [`${COMPARED[player]}, silent + concealed ms/min`, cell];
      });
      const delay = compared[0]?.[1][index]!.delayMeanMs;
      return { trace: name, arrivals: what, ...Object.fromEntries(heard), 'delay ms': round(delay ?? NaN) };
    }),
  );
}

/** Prints the player's losses, and the differences between its counters and its output. */
export function printChecks(rows: readonly Summary[]): void {
  print('checks', rows, (row) => ({
    'dropped ms': round(row.droppedMs, 1),
    'sound balance ms': round(row.balanceMs, 1),
    'silence balance ms': round(row.silenceBalanceMs, 1),
    'not found ms': round(row.lostMs, 1),
    'position error ms': round(row.positionErrorMs, 2),
  }));
}

/**
 * Prints the player's distance from the bound of a clairvoyant with the same start-up and stretch, in ms of interruption a
 * minute, split by cause: the first outage, which is unforeseeable; outages long after the previous one; all others.
 */
export function printBound(rows: readonly Summary[]): void {
  print('bound', rows, (row) => ({
    'silent ms/min': round(row.silentMsPerMin, 1),
    'silent + concealed': round(row.interruptedMsPerMin, 1),
    bound: round(row.boundMsPerMin, 1),
    above: round(row.interruptedMsPerMin - row.boundMsPerMin, 1),
    'first outage': round(row.firstMsPerMin, 1),
    'rare outages': round(row.rareMsPerMin, 1),
    others: round(row.interruptedMsPerMin - row.firstMsPerMin - row.rareMsPerMin, 1),
  }));
}

/** Prints the results of the operations on an adaptive player, half of them while speech comes at 0.9 of real time. */
export function printOperations(jobs: readonly OperationJob[], results: readonly OperationMetrics[]): void {
  show(
    'playout: operations',
    results.map(({ latenciesMs, clicksDb, faintDb, beside }, index) => ({
      operation: jobs[index]!.operation,
      trials: clicksDb.length,
      'mean ms': round(mean(latenciesMs), 1),
      'most ms': round(quantile(latenciesMs, 1), 1),
      'click p95 dB': round(quantile(clicksDb, 0.95), 1),
      'above 10 kHz': round(quantile(faintDb, 0.95), 1),
      'speech beside it dB': round(quantile(beside, 0.95), 1),
    })),
  );
}

/** Prints the results of the endless streams through an adaptive player. */
export function printDays(jobs: readonly DayJob[], results: readonly DayMetrics[]): void {
  show(
    'playout: days',
    results.map((day, index) => ({
      network: jobs[index]!.name,
      hours: jobs[index]!.hours,
      'delay at first ms': round(day.delayFirstMs, 1),
      'at last ms': round(day.delayLastMs, 1),
      'silent ms': round(day.silentMs, 1),
      'concealed ms': round(day.concealedMs, 1),
      'position error ms': round(day.positionErrorMs, 3),
      checks: day.positionChecks,
      'heap growth bytes': day.heapGrowthBytes,
      'took s': round(day.seconds),
    })),
  );
}

/** Prints the targets and whether they are met. */
export function printTargets(targets: readonly Target[]): void {
  show(
    'playout: targets',
    targets.map(({ what, most, measured, unit, reference }) => ({
      what,
      target: `<= ${round(most, 2)} ${unit}`,
      measured: round(measured, 2),
      reference: reference === null ? null : round(reference, 1),
      met: measured <= most ? 'yes' : 'MISSED',
    })),
  );
}

function print(table: string, rows: readonly Summary[], columns: (row: Summary) => Record<string, number>): void {
  show(
    `playout: ${table}`,
    rows.map((row) => ({ trace: row.trace, ...columns(row) })),
  );
}

function round(value: number, digits = 0): number {
  return Number(value.toFixed(digits));
}
