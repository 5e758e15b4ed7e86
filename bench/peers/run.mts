/**
 * `npm start --prefix bench/peers`: compares other players with ours, in Chromium, on the same traces. Prints
 * tables, and writes every single figure to `.cache/bench-peers/result.json`. Progress goes to stderr.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { show, whereAndWhen } from '../show.js';
import { startBenchServer } from './bench-server.mjs';
import { openChromium } from './chromium.mjs';
import { humeWorklet } from './hume-worklet.mjs';
import { readOptions, USAGE, type Options } from './options.mjs';
import { gzipBytes, pageScript } from './page-scripts.mjs';
import { FLOOR } from './players.mjs';
import { jsonReport, playerRows, speechRows, toneRows } from './report.mjs';
import { Results } from './results.mjs';
import { runPlayer, type Bench } from './run-player.mjs';
import { openSoundDevice } from './sound-device.mjs';
import { speechSignal } from './speech-signal.mjs';

const FOLDER = fileURLToPath(new URL('../../.cache/bench-peers/', import.meta.url));

// Run the exit handlers on a signal, so that they end the programs that were started.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));

try {
  const options = readOptions(process.argv.slice(2));
  if (options) await main(options);
  else console.log(USAGE);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

async function main(options: Options): Promise<void> {
  const { players, measures, runs } = options;
  const scripts = new Map<string, string>();
  const sizes = new Map<string, number>();
  for (const player of [...players, FLOOR]) scripts.set(player.name, await pageScript(player));
  for (const player of players) sizes.set(player.name, await gzipBytes(player));
  const worklet = await humeWorklet();
  const device = await openSoundDevice();
  const server = await startBenchServer(scripts, worklet);
  const chromium = await openChromium(device.env);
  try {
    const results = await measureAll({ chromium, server, hasHumeWorklet: worklet !== null }, options);
    const preface = [
      `${chromium.version}; the sound goes to ${device.description}. Medians of ${runs} run(s), one of those at twice real time and at 20 x, and of the sines.`,
      ...(worklet === null
        ? ['hume could not load its worklet from its maker’s storage, so it played in its own mode without one.']
        : []),
    ];
    const report = { players, measures, results, sizes };
    show('peers: players', playerRows(report), preface);
    const notes = players.map(({ title, note }) => `- ${title}: ${note}`).join('\n');
    show('peers: speech', speechRows(report), [...preface, notes]);
    show('peers: sines', toneRows(report), preface);
    await mkdir(FOLDER, { recursive: true });
    await writeFile(
      `${FOLDER}result.json`,
      `${JSON.stringify(jsonReport(report, [...preface, whereAndWhen()]), null, 1)}\n`,
    );
    console.error(`Every figure is in ${FOLDER}result.json`);
  } finally {
    await chromium.close();
    await server.close();
    await device.close();
  }
}

/** Runs all players in turn for each measure, so that a busy minute of the machine affects all of them. */
async function measureAll(bench: Bench, { players, measures, runs }: Options): Promise<Results> {
  const results = new Results();
  // The first context of a browser waits for its audio process. A first run keeps that out of the measurements.
  await runPlayer(bench, FLOOR, { source: speechSignal(1, 0), schedule: [0], recorded: false });
  for (let seed = 1; seed <= runs; seed++) {
    for (const measure of measures) {
      if (seed > 1 && !measure.repeated) continue;
      const plan = measure.plan(seed);
      for (const player of measure.name === 'cpu' ? [...players, FLOOR] : players) {
        try {
          const figures = measure.figures(await runPlayer(bench, player, plan), plan);
          results.add(player.name, measure.name, figures);
          console.error(`${measure.name} ${seed} ${player.name}: ${oneLine(figures)}`);
        } catch (error) {
          const reason = error instanceof Error ? error.message : String(error);
          results.addFailure(player.name, measure.name, reason);
          console.error(`${measure.name} ${seed} ${player.name} failed: ${reason}`);
        }
      }
    }
  }
  return results;
}

function oneLine(figures: Readonly<Record<string, number>>): string {
  return Object.entries(figures)
    .map(([name, value]) => `${name} ${Number(value.toFixed(1))}`)
    .join(', ');
}
