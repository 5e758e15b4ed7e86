import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildCdn } from './build-cdn.mjs';
import { buildThreads } from './build-threads.mjs';
import { runNode } from './command.mjs';
import { ensureInstalled } from './install.mjs';
import { ROOT } from './root.mjs';

/** Package that writes the custom-elements manifest. */
const MANIFEST = 'scripts/manifest';

/** TypeScript projects of the package and of the service; each builds those that it references. */
const PROJECTS = ['tsconfig/page.json', 'tsconfig/testing.json', 'tsconfig/node.json'];

/**
 * Builds everything that `npm pack` ships, and the service: thread files, JavaScript and types, the service's program,
 * the custom-elements manifest, and the single file for CDNs. Prints on stderr only, because `npm pack --json` prints its
 * result on stdout.
 *
 * @param {object} [options]
 * @param {boolean} [options.clean] - Empties `dist` first, which removes the output of sources that no longer exist.
 * @throws {Error} If a step fails; its output contains the reason.
 */
export async function buildAll({ clean = false } = {}) {
  if (clean) await Promise.all([deleteFolder('dist'), deleteFolder('.cache/tsc')]);
  // What the compiler reads. It lists its files once, when it starts.
  await Promise.all([step('thread files', buildThreads), step('resampling kernel', assembleResamplingKernel)]);
  await Promise.all([
    step('JavaScript and types', compile),
    step('service', buildServiceProgram),
    step('custom-elements manifest', describeElements),
  ]);
  await Promise.all([step('types of the service', copyServiceTypes), step('single file for CDNs', buildCdn)]);
}

/**
 * @param {string} name
 * @param {() => Promise<void>} work
 */
async function step(name, work) {
  const started = performance.now();
  await work();
  console.error(`built ${name} (${((performance.now() - started) / 1000).toFixed(1)} s)`);
}

async function compile() {
  // The compiler's incremental state does not notice that its output was deleted.
  if (!existsSync(join(ROOT, 'dist', 'index.js'))) await deleteFolder('.cache/tsc');
  const compiler = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
  await mustRun('tsc', [compiler, '-b', ...PROJECTS]);
}

async function assembleResamplingKernel() {
  const { assembleKernel } = await import(pathToFileURL(join(ROOT, 'service', 'build.mjs')).href);
  await assembleKernel();
}

async function buildServiceProgram() {
  const { buildService } = await import(pathToFileURL(join(ROOT, 'service', 'build.mjs')).href);
  await buildService();
}

async function copyServiceTypes() {
  const { copyTypes } = await import(pathToFileURL(join(ROOT, 'service', 'types.mjs')).href);
  await copyTypes(join(ROOT, '.cache', 'types', 'service', 'src'), join(ROOT, 'service', 'dist'));
}

async function describeElements() {
  await ensureInstalled(MANIFEST);
  const analyzer = join(ROOT, MANIFEST, 'node_modules', '@custom-elements-manifest', 'analyzer', 'cem.js');
  const config = `${MANIFEST}/custom-elements-manifest.config.mjs`;
  await mustRun('cem analyze', [analyzer, 'analyze', '--config', config, '--quiet']);
}

/** @param {string} folder */
async function deleteFolder(folder) {
  await rm(join(ROOT, folder), { recursive: true, force: true });
}

/**
 * @param {string} name
 * @param {string[]} args
 */
async function mustRun(name, args) {
  const code = await runNode(args, { stdout: 2 });
  if (code !== 0) throw new Error(`${name} ended with code ${code}.`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  try {
    await buildAll({ clean: process.argv.includes('--clean') });
  } catch (error) {
    console.error('Build failed:', error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
