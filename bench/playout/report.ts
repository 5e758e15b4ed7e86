import type { DayJob, DayMetrics } from './day-job.js';
import type { OperationJob, OperationMetrics } from './operation-job.js';
import { mean, quantile } from './statistics.js';
import type { Summary } from './summary.js';
import type { Target } from './targets.js';

/** Prints the results of one player for each trace: means over the seeds. summary.ts explains the columns. */
export function printTraces(rows: readonly Summary[]): void {
  print(rows, (row) => ({
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

/** Prints the player's losses, and the differences between its counters and its output. */
export function printChecks(rows: readonly Summary[]): void {
  print(rows, (row) => ({
    'dropped ms': round(row.droppedMs, 1),
    'sound balance ms': round(row.balanceMs, 1),
    'silence balance ms': round(row.silenceBalanceMs, 1),
    'not found ms': round(row.lostMs, 1),
    'position error ms': round(row.positionErrorMs, 2),
  }));
}

/**
 * Prints the player's distance from the clairvoyant bound, split by cause: the first outage, which is unforeseeable;
 * outages long after the previous one; all others.
 */
export function printBound(rows: readonly Summary[]): void {
  print(rows, (row) => ({
    'silent ms/min': round(row.silentMsPerMin, 1),
    'silent + concealed': round(row.interruptedMsPerMin, 1),
    bound: round(row.boundMsPerMin, 1),
    above: round(row.interruptedMsPerMin - row.boundMsPerMin, 1),
    'first outage': round(row.firstMsPerMin, 1),
    'rare outages': round(row.rareMsPerMin, 1),
    others: round(row.interruptedMsPerMin - row.firstMsPerMin - row.rareMsPerMin, 1),
  }));
}

/** Prints the results of the operations. */
export function printOperations(jobs: readonly OperationJob[], results: readonly OperationMetrics[]): void {
  console.log('\noperations on an adaptive player, half of them while speech comes at 0.9 of real time');
  console.table(
    Object.fromEntries(
      results.map(({ latenciesMs, clicksDb, faintDb, beside }, index) => [
        jobs[index]!.operation,
        {
          trials: clicksDb.length,
          'mean ms': round(mean(latenciesMs), 1),
          'most ms': round(quantile(latenciesMs, 1), 1),
          'click p95 dB': round(quantile(clicksDb, 0.95), 1),
          '>10 kHz': round(quantile(faintDb, 0.95), 1),
          'speech beside it dB': round(quantile(beside, 0.95), 1),
        },
      ]),
    ),
  );
}

/** Prints the results of the endless streams. */
export function printDays(jobs: readonly DayJob[], results: readonly DayMetrics[]): void {
  console.log(`\n${jobs[0]!.hours} hours through an adaptive player`);
  console.table(
    Object.fromEntries(
      results.map((day, index) => [
        jobs[index]!.name,
        {
          'delay at first ms': round(day.delayFirstMs, 1),
          'at last ms': round(day.delayLastMs, 1),
          'silent ms': round(day.silentMs, 1),
          'concealed ms': round(day.concealedMs, 1),
          'position error ms': round(day.positionErrorMs, 3),
          checks: day.positionChecks,
          'heap growth bytes': day.heapGrowthBytes,
          'took s': round(day.seconds),
        },
      ]),
    ),
  );
}

/** Prints the targets and whether they are met. */
export function printTargets(targets: readonly Target[]): void {
  console.log('\ntargets');
  console.table(
    targets.map(({ what, most, measured, unit, reference }) => ({
      what,
      target: `<= ${round(most, 2)} ${unit}`,
      measured: round(measured, 2),
      reference: reference === null ? '' : round(reference, 1),
      met: measured <= most ? 'yes' : 'MISSED',
    })),
  );
}

function print(rows: readonly Summary[], columns: (row: Summary) => Record<string, number>): void {
  console.table(Object.fromEntries(rows.map((row) => [row.trace, columns(row)])));
}

function round(value: number, digits = 0): number {
  return Number(value.toFixed(digits));
}
