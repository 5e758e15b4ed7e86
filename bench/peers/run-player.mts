import type { BenchServer } from './bench-server.mjs';
import type { Chromium } from './chromium.mjs';
import type { Plan } from './plan.mjs';
import type { Player } from './players.mjs';
import type { Recording } from './recording.mjs';
import { SOURCE_RATE } from './speech-signal.mjs';

/** What came of one run. */
export interface RunResult {
  readonly recording: Recording;
  /** When the first frame was sent, in milliseconds of the system's clock. */
  readonly firstFrameAtMs: number;
  /** Processor time of all the browser's processes while it spoke, in seconds. */
  readonly processorSeconds: number;
}

/** Beyond the length of the speech: loading, lead, gaps, the silence at the end. */
const PATIENCE_MS = 25_000;

/** What runs are done with. */
export interface Bench {
  readonly chromium: Chromium;
  readonly server: BenchServer;
  /** Whether the server has hume's worklet; its player is used without one else. */
  readonly hasHumeWorklet: boolean;
}

/**
 * Runs one player once, in a page of its own in a profile of its own.
 *
 * @throws {Error} If the player cannot be had, makes no sound, or does not end; says which.
 */
export async function runPlayer(bench: Bench, player: Player, plan: Plan): Promise<RunResult> {
  const { chromium, server, hasHumeWorklet } = bench;
  const run = server.prepare(player, plan);
  const speechMs = (plan.source.length * 1000) / SOURCE_RATE;
  const timer = setTimeout(() => run.fail('It did not come to an end.'), speechMs + PATIENCE_MS);
  const closePage = await chromium.open(
    run.url + (plan.recorded ? '' : '&untapped') + (hasHumeWorklet ? '' : '&buffered'),
  );
  try {
    await run.ready;
    const before = await chromium.processorSeconds();
    run.start();
    const finished = await run.finished;
    const after = await chromium.processorSeconds();
    const used = [...after].reduce((sum, [id, seconds]) => sum + seconds - (before.get(id) ?? 0), 0);
    return { ...finished, processorSeconds: used };
  } finally {
    clearTimeout(timer);
    await closePage();
  }
}
