import type { RunMetrics } from './metrics.js';
import { mean, quantile } from './statistics.js';

/**
 * Results of one player for one trace, over runs with different seeds: the mean, unless stated otherwise. "Per minute"
 * means per minute of speech. See `RunMetrics` for the results of one run.
 */
export interface Summary {
  readonly player: string;
  readonly trace: string;
  readonly seeds: number;
  readonly startupMs: number;
  readonly gapsPerMin: number;
  readonly silentMsPerMin: number;
  /** Maximum. */
  readonly worstGapMs: number;
  readonly concealedMsPerMin: number;
  /** Minimum interruption that any player can achieve, see bound.ts. */
  readonly boundMsPerMin: number;
  /** Silence and concealment as reported by the player: all, and the parts in first and rare outages (outages.ts). */
  readonly interruptedMsPerMin: number;
  readonly firstMsPerMin: number;
  readonly rareMsPerMin: number;
  readonly stretchedPercent: number;
  readonly insertedPercent: number;
  readonly removedPercent: number;
  /** This value and the next three: from the run in which the magnitude is largest. */
  readonly droppedMs: number;
  readonly balanceMs: number;
  readonly silenceBalanceMs: number;
  readonly lostMs: number;
  readonly delayMeanMs: number;
  readonly delayP95Ms: number;
  readonly delayDriftMs: number;
  /** Maximum. */
  readonly positionErrorMs: number;
  /** This value and the next four: 95th percentile over all edges or splices; NaN if there are none. See click.ts. */
  readonly edgeDb: number;
  readonly faintEdgeDb: number;
  readonly spliceDb: number;
  readonly faintSpliceDb: number;
  readonly cleanSpliceDb: number;
}

/**
 * Combines the runs of one player for one trace.
 *
 * @param runs - At least one.
 */
export function summarize(player: string, trace: string, runs: readonly RunMetrics[]): Summary {
  const over = (pick: (run: RunMetrics) => number): number => mean(runs.map(pick));
  const perMinute = (pick: (run: RunMetrics) => number): number => over((run) => (pick(run) * 60_000) / run.speechMs);
  const largest = (pick: (run: RunMetrics) => number): number =>
    runs.map(pick).reduce((most, value) => (Math.abs(value) > Math.abs(most) ? value : most));
  const level = (pick: (run: RunMetrics) => readonly number[]): number => quantile(runs.flatMap(pick), 0.95);
  return {
    player,
    trace,
    seeds: runs.length,
    startupMs: over((run) => run.startupMs),
    gapsPerMin: perMinute((run) => run.gaps),
    silentMsPerMin: perMinute((run) => run.silentMs),
    worstGapMs: largest((run) => run.worstGapMs),
    concealedMsPerMin: perMinute((run) => run.concealedMs),
    boundMsPerMin: perMinute((run) => run.boundMs),
    interruptedMsPerMin: perMinute((run) => run.interruptedMs),
    firstMsPerMin: perMinute((run) => run.firstMs),
    rareMsPerMin: perMinute((run) => run.rareMs),
    stretchedPercent: 100 * over((run) => run.stretchedShare),
    insertedPercent: 100 * over((run) => run.insertedShare),
    removedPercent: 100 * over((run) => run.removedShare),
    droppedMs: largest((run) => run.droppedMs),
    balanceMs: largest((run) => run.balanceMs),
    silenceBalanceMs: largest((run) => run.silenceBalanceMs),
    lostMs: largest((run) => run.lostMs),
    delayMeanMs: over((run) => run.delayMeanMs),
    delayP95Ms: over((run) => run.delayP95Ms),
    delayDriftMs: over((run) => run.delayDriftMs),
    positionErrorMs: largest((run) => run.positionErrorMs),
    edgeDb: level((run) => run.edgesDb),
    faintEdgeDb: level((run) => run.faintEdgesDb),
    spliceDb: level((run) => run.splicesDb),
    faintSpliceDb: level((run) => run.faintSplicesDb),
    cleanSpliceDb: level((run) => run.cleanSplicesDb),
  };
}
