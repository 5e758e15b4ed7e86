import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
// @ts-expect-error: a script without types
import { buildService } from '../../build.mjs';
import { compiledOnce } from './webassembly.js';

const ROOT = new URL('../../../', import.meta.url);

/** Everything that the built service is made of, except for packages. */
const SOURCES = [
  'src/protocol',
  'src/dsp',
  'service/src',
  'service/dashboard',
  'service/build.mjs',
  'service/embedded-template.mjs',
];

/** Age in milliseconds after which builds of other sources are deleted. No run lasts that long. */
const OLD_MS = 3_600_000;

/**
 * Folder of the built service, with a trailing slash: `SVC_TEST_DIST`, such as `service/dist`, or a build of the
 * current sources, which is made once and cached in `.cache`.
 */
export const BUILT = fileURLToPath(
  process.env.SVC_TEST_DIST ? new URL(`${process.env.SVC_TEST_DIST}/`, ROOT) : await findBuild(),
);

const service = (await import(`file://${BUILT}index.js`)) as typeof import('../../src/index.js');

/** The service as it is shipped, with the types of its source. */
export const { createAccounts, createAvatars, createFliteEngine, createService, SpeechError } = service;

/** The service's `openDatabase`, but it starts faster. */
export const openDatabase = compiledOnce(service.openDatabase);

async function findBuild(): Promise<URL> {
  const builds = new URL('.cache/service-test/', ROOT);
  const build = new URL(`${hashSources()}/`, builds);
  if (existsSync(build)) return build;
  const mine = new URL(`${process.pid}/`, builds);
  await (buildService as (folder: string) => Promise<void>)(fileURLToPath(mine));
  for (const name of readdirSync(builds)) {
    const other = new URL(`${name}/`, builds);
    const madeAt = statSync(other, { throwIfNoEntry: false })?.mtimeMs ?? Infinity;
    if (Date.now() - madeAt > OLD_MS) rmSync(other, { recursive: true, force: true });
  }
  try {
    renameSync(mine, build);
  } catch {
    rmSync(mine, { recursive: true }); // another test file was faster
  }
  return build;
}

function hashSources(): string {
  const hash = createHash('sha256');
  for (const source of SOURCES) {
    const path = new URL(source, ROOT);
    const files = source.includes('.') ? [''] : readdirSync(path, { recursive: true, encoding: 'utf8' }).sort();
    for (const file of files) {
      const url = new URL(file === '' ? source : `${source}/${file}`, ROOT);
      if (statSync(url).isFile()) hash.update(`${file}\0`).update(readFileSync(url)).update('\0');
    }
  }
  return hash.digest('hex').slice(0, 16);
}
