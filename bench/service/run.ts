/**
 * Measures the speech service: `npm run service --prefix bench`. Uses real processes: nodes built as shipped, and
 * separate clients. Prints a table for each part, then the targets; every figure is in
 * `.cache/bench-service/result.json`.
 *
 * Options:
 * - `--only first-audio,live`: a selection of the parts; `--list` prints their names;
 * - `--scale 0.1`: shorter runs and fewer streams, for work on the bench itself;
 * - `--postgres postgres://user@host/postgres`: a server on which the database `svc_bench` may be created and dropped;
 *   by default, the installed server is started; without one, the parts that need it are skipped;
 * - `--cpu-prof FOLDER`: CPU profiles of the nodes.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Bench, Part, PartResult, Target } from './part.js';
import { firstAudio } from './parts/first-audio.js';
import { hostile } from './parts/hostile.js';
import { limits } from './parts/limits.js';
import { live } from './parts/live.js';
import { memory } from './parts/memory.js';
import { money } from './parts/money.js';
import { nodes } from './parts/nodes.js';
import { opens } from './parts/opens.js';
import { sessions } from './parts/sessions.js';
import { sockets } from './parts/sockets.js';
import { talkers } from './parts/talkers.js';
import { findPostgres } from './postgres.js';
import { buildPrograms } from './programs.js';
import { show, whereAndWhen } from '../show.js';

const FOLDER = fileURLToPath(new URL('../../.cache/bench-service/', import.meta.url));

/** Parts by the names that `--only` takes. */
const PARTS: Readonly<Record<string, Part>> = {
  sessions,
  opens,
  'first-audio': firstAudio,
  live,
  talkers,
  hostile,
  sockets,
  memory,
  nodes,
  limits,
  money,
};

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    list: { type: 'boolean', default: false },
    scale: { type: 'string', default: '1' },
    postgres: { type: 'string' },
    'cpu-prof': { type: 'string' },
  },
});

// Run the exit handlers on a signal, so that they end the programs that were started.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));

if (values.list) console.table(Object.fromEntries(Object.entries(PARTS).map(([name, { what }]) => [name, { what }])));
else await runParts(readParts(values.only));

function readParts(only: string | undefined): [string, Part][] {
  return (only?.split(',') ?? Object.keys(PARTS)).map((name) => {
    const part = PARTS[name];
    if (!part) throw new RangeError(`There is no part ${name}; there are ${Object.keys(PARTS).join(', ')}.`);
    return [name, part];
  });
}

async function runParts(parts: readonly [string, Part][]): Promise<void> {
  const profiles = values['cpu-prof'];
  const scale = Number(values.scale);
  if (!(scale > 0 && scale <= 1)) throw new RangeError(`The scale is above 0 and up to 1, not ${values.scale}.`);
  const postgres = await findPostgres(values.postgres);
  const bench: Bench = {
    programs: await buildPrograms(),
    postgres,
    scale,
    flags: profiles === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${resolve(profiles)}`],
  };
  if (!postgres) console.log('There is no PostgreSQL: what needs it is left out.');
  const results: Record<string, PartResult & { load: number }> = {};
  const targets: Target[] = [];
  for (const [name, part] of parts) {
    if (part.needsPostgres && !postgres) continue;
    // Load of the machine in the last minute, which includes the end of the previous part.
    const load = loadavg()[0]!;
    console.log(`\n${name}: ${part.what} (load before: ${load.toFixed(2)})`);
    const result = await part.run(bench);
    show(`service: ${name}`, result.rows);
    results[name] = { ...result, load };
    targets.push(...(result.targets ?? []));
  }
  await postgres?.close();
  if (targets.length > 0) {
    show(
      'service: targets',
      targets.map(({ measured, most, unit, what }) => ({
        what,
        measured,
        most,
        unit,
        met: measured <= most ? 'yes' : 'NO',
      })),
    );
  }
  await mkdir(FOLDER, { recursive: true });
  await writeFile(
    `${FOLDER}result.json`,
    `${JSON.stringify({ bench: 'service', measured: whereAndWhen(), scale, results }, null, 1)}\n`,
  );
  console.log(`Every figure is in ${FOLDER}result.json`);
}
