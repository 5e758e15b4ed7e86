import type { Bench } from './bench.js';
import { FaultyPlayer } from './faulty-player.js';
import { inOrder, SAMPLES_PER_MS } from './arrivals.js';
import { ClickMeter } from './click.js';
import { measure } from './metrics.js';
import { Recorder } from './simulate.js';
import { quantile } from './statistics.js';

/** Length of the speech, and largest total error, in milliseconds. */
const SPEECH_MS = 30_000;
const TOLERANCE_MS = 0.5;

/** Minimum level of hard cuts above the noise, where nothing hides them. 95 % of fades are below 0. */
const HARD_CUT_DB = 12;

/**
 * Tests the measurements with a player whose faults are known.
 *
 * @throws {Error} If they do not find the faults.
 */
export function checkMeter({ speeches }: Bench): void {
  const speech = speeches[0]!;
  const player = new FaultyPlayer(speech);
  const arrivals = inOrder(
    SPEECH_MS / 20,
    20,
    () => 0,
    (sent) => sent,
  );
  const recording = new Recorder().record(player, arrivals, speech.samples.length, 0);
  const run = measure(recording, arrivals, player, speech.clean, 0, new ClickMeter(speech.clean));
  const droppedMs = player.droppedSamples / SAMPLES_PER_MS;
  const silentMs = player.silentConcealedSamples / SAMPLES_PER_MS;
  const near = (what: string, measured: number, expected: number): void => {
    if (Math.abs(measured - expected) <= TOLERANCE_MS) return;
    throw new Error(`The meter finds ${measured} ms of ${what} where there are ${expected}`);
  };
  near('speech dropped', run.droppedMs, droppedMs);
  near('silence', run.silentMs, silentMs);
  near('uncounted sound', run.balanceMs, -droppedMs);
  near('sound without a place', run.lostMs, 0);
  near('error of the position', run.positionErrorMs, 0);
  const click = quantile(run.faintEdgesDb, 0.95);
  if (!(click > HARD_CUT_DB)) throw new Error(`The meter finds hard cuts to be at ${click} dB`);
}
