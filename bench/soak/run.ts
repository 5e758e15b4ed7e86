/**
 * Plays a bad day in Chromium in real time, with each transport at the same time: `npm run soak`, two hours. Prints a
 * table of what was counted, and exits with 1 if something grew, a sample was lost, an utterance did not settle as it
 * must, or a socket was left open.
 *
 * The day: bad networks, stalled and cut connections, errors of the service, cancels, pauses, speakers that come and go,
 * a page that is busy, hidden or frozen, a computer that sleeps, and devices that change (with PulseAudio). Each
 * utterance that is finished is compared with what was sent, sample by sample.
 *
 * Options:
 * - `--minutes 120`;
 * - `--seed 1`: the same seed gives the same day;
 * - `--transports shared,message`;
 * - `--only 'a pause'`: plays only this scene;
 * - `--article`: plays one article instead, which is read aloud all the time;
 * - `--verbose`: prints each scene before it is played;
 * - `--fault socket`: plants a fault of `faults.ts` or of `test/demo/faults.ts`, to see that it is found.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { ensurePrograms } from '../../scripts/programs.mjs';
import { Random } from '../../src/testing/random.js';
import { FAULTS } from '../../test/demo/faults.js';
import type { Fault } from '../../test/demo/faults.js';
import { badDay, longArticle } from './day.js';
import { SOAK_FAULTS } from './faults.js';
import type { SceneReport } from './scene.js';
import { SoakedPage, type Reading, type Transport } from './soaked-page.js';
import { rowsOf } from './verdict.js';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '120' },
    seed: { type: 'string', default: '1' },
    transports: { type: 'string', default: 'shared,message' },
    only: { type: 'string' },
    article: { type: 'boolean', default: false },
    verbose: { type: 'boolean', default: false },
    fault: { type: 'string' },
  },
});
const faults: Record<string, Fault> = { ...FAULTS, ...SOAK_FAULTS };
if (values.fault !== undefined && !faults[values.fault]) {
  throw new Error(`There is no fault ${values.fault}. There are: ${Object.keys(faults).join(', ')}.`);
}

/** Readings in a run. */
const READINGS = 40;

/** Time after which a scene does not end, in milliseconds. A scene takes some seconds. */
const SCENE_LIMIT_MS = 60_000;

const missing = await ensurePrograms(['chromium', 'sound']);
if (missing.includes('chromium')) throw new Error('There is no Chromium. Install it, or set SVC_CHROMIUM.');
const hasDevices = missing.length === 0;
if (!hasDevices) console.log('There is no PulseAudio: the scenes with sound devices are left out.');

const results = await Promise.all(values.transports.split(',').map((transport) => soak(transport as Transport)));
for (const { transport, scenes, utterances, outcomes, readings, found } of results) {
  const rows = rowsOf(readings);
  console.log(`\n${transport}: ${scenes} scenes, ${utterances} utterances (${JSON.stringify(outcomes)})`);
  console.table(rows.map(({ isFault, ...row }) => ({ ...row, verdict: isFault ? 'GROWS' : 'flat' })));
  for (const { quantity, isFault } of rows) if (isFault) found.push(`${quantity} grows, or is above its limit`);
  for (const fault of found) console.log(`  FAULT: ${fault}`);
  if (found.length > 0) process.exitCode = 1;
}
console.log(process.exitCode === 1 ? '\nsoak failed' : '\nsoak passed');

async function soak(transport: Transport) {
  const fault = values.fault === undefined ? undefined : faults[values.fault];
  const page = await SoakedPage.open({ transport, hasDevices, fault });
  const totalMs = Number(values.minutes) * 60_000;
  const startedAt = performance.now();
  const found: string[] = [];
  const readings: Reading[] = [];
  const outcomes: Record<string, number> = {};
  let [scenes, utterances] = [0, 0];
  const random = new Random(Number(values.seed));
  const { url } = page.gateway;
  const day = values.article ? [longArticle(random, url, totalMs / 1000)] : badDay(random, url, hasDevices);
  for (const scene of day) {
    if (values.only !== undefined && scene.name !== values.only) continue;
    const elapsed = performance.now() - startedAt;
    if (elapsed >= (readings.length * totalMs) / READINGS) readings.push(await page.read());
    if (elapsed >= totalMs) break;
    if (values.verbose) console.log(`${(elapsed / 1000).toFixed(1)} s ${transport}: ${JSON.stringify(scene)}`);
    const played = page.play(scene);
    played.catch(() => {}); // reported below, unless the time is over
    const waitMs = values.article ? totalMs / READINGS : SCENE_LIMIT_MS;
    const report = await endOf(
      played,
      waitMs,
      async () => values.article && readings.push(await page.read()) < 2 * READINGS,
    );
    if (!report) {
      found.push(`a scene does not end: ${await page.describe()}`);
      break;
    }
    scenes++;
    utterances += scene.utterances;
    for (const outcome of report.outcomes) outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    for (const sentence of report.faults) found.push(`scene ${scenes}, ${scene.name}: ${sentence}`);
  }
  await page.close();
  return { transport, scenes, utterances, outcomes, readings, found };
}

/** Waits for a report; null if it does not come in `ms`, nor after any wait that `goOn` allows. */
async function endOf(
  played: Promise<SceneReport>,
  ms: number,
  goOn: () => Promise<boolean>,
): Promise<SceneReport | null> {
  for (;;) {
    const report = await Promise.race([played, sleep(ms, null, { ref: false })]);
    if (report || !(await goOn())) return report;
  }
}
