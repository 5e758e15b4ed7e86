import { mean, quantile, type RunMetrics } from './metrics.js';

/** The runs of one player over one trace: means over the seeds; per minute is per minute of speech. */
export interface Summary {
  readonly player: string;
  readonly trace: string;
  readonly seeds: number;
  readonly startupMs: number;
  readonly gapsPerMin: number;
  readonly silentMsPerMin: number;
  readonly worstGapMs: number;
  readonly concealedMsPerMin: number;
  readonly boundMsPerMin: number;
  readonly firstSilentMsPerMin: number;
  readonly rareSilentMsPerMin: number;
  readonly stretchedPercent: number;
  readonly alteredPercent: number;
  /** The largest of all seeds, like the two that follow. */
  readonly droppedMs: number;
  readonly balanceMs: number;
  readonly lostMs: number;
  readonly delayMeanMs: number;
  readonly delayP95Ms: number;
  readonly delayDriftMs: number;
  readonly positionErrorMs: number;
  /** 95 % of all edges, and of all splices, are below; NaN if there are none. */
  readonly edgeDb: number;
  readonly spliceDb: number;
}

/** @param runs - At least one. */
export function summarize(player: string, trace: string, runs: readonly RunMetrics[]): Summary {
  const over = (pick: (run: RunMetrics) => number): number => mean(runs.map(pick));
  const perMinute = (pick: (run: RunMetrics) => number): number => over((run) => (pick(run) * 60_000) / run.speechMs);
  const largest = (pick: (run: RunMetrics) => number): number =>
    runs.map(pick).reduce((most, value) => (Math.abs(value) > Math.abs(most) ? value : most));
  const level = (values: number[]): number => (values.length > 0 ? quantile(values, 0.95) : Number.NaN);
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
    firstSilentMsPerMin: perMinute((run) => run.firstSilentMs),
    rareSilentMsPerMin: perMinute((run) => run.rareSilentMs),
    stretchedPercent: 100 * over((run) => run.stretchedShare),
    alteredPercent: 100 * over((run) => run.alteredShare),
    droppedMs: largest((run) => run.droppedMs),
    balanceMs: largest((run) => run.balanceMs),
    lostMs: largest((run) => run.lostMs),
    delayMeanMs: over((run) => run.delayMeanMs),
    delayP95Ms: over((run) => run.delayP95Ms),
    delayDriftMs: over((run) => run.delayDriftMs),
    positionErrorMs: largest((run) => run.positionErrorMs),
    edgeDb: level(runs.flatMap((run) => run.edgesDb)),
    spliceDb: level(runs.flatMap((run) => run.splicesDb)),
  };
}
