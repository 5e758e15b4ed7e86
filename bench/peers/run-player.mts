import type { BenchServer } from './bench-server.mjs';
import type { Chromium } from './chromium.mjs';
import type { Plan } from './plan.mjs';
import type { Player } from './players.mjs';
import type { Recording } from './recording.mjs';
import { SOURCE_RATE } from './speech-signal.mjs';

/** Result of one run. */
export interface RunResult {
  readonly recording: Recording;
  /** Time at which the first frame was sent, in milliseconds of the system clock. */
  readonly firstFrameAtMs: number;
  /** CPU time of all the browser's processes while the player spoke, in seconds. */
  readonly processorSeconds: number;
}

/** Time limit in addition to the length of the speech, for loading, lead time, gaps and the final silence. */
const PATIENCE_MS = 25_000;

/** Resources for runs. */
export interface Bench {
  readonly chromium: Chromium;
  readonly server: BenchServer;
  /** True if the server has hume's worklet; otherwise its player runs without one. */
  readonly hasHumeWorklet: boolean;
}

/**
 * Runs one player once, in a new page in a new profile.
 *
 * @throws {Error} If the player cannot be loaded, makes no sound, or does not end. The message gives the reason.
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
