import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildThreads } from './build-threads.mjs';
import { checkPackage } from './check-package.mjs';
import { runNode } from './command.mjs';
import { ROOT } from './root.mjs';

/** Rooms that become the package; each brings along the rooms that it refers to. `service` is checked, and built apart. */
const PACKAGE_PROJECTS = [
  'src',
  'src/backend',
  'src/inspector',
  'src/testing',
  'src/react',
  'src/vue',
  'worklet',
  'service',
];

/**
 * Builds everything that `npm pack` ships, and the service: thread files, JavaScript and types, the service's program,
 * the custom-elements manifest; then checks what came out.
 *
 * @param {object} [options]
 * @param {boolean} [options.clean] - Begins with an empty `dist`, so that files of sources that are gone are gone too.
 * @throws {Error} If a step fails; its own output says why.
 */
export async function buildAll({ clean = false } = {}) {
  if (clean) await Promise.all([deleteFolder('dist'), deleteFolder('.cache/tsc')]);
  await step('thread files', buildThreads);
  await step('JavaScript and types', compile);
  await step('service', buildServiceProgram);
  await step('custom-elements manifest', describeElements);
  await step('checks', checkPackage);
}

/**
 * @param {string} name
 * @param {() => Promise<void>} work
 */
async function step(name, work) {
  const started = performance.now();
  await work();
  console.log(`built ${name} (${((performance.now() - started) / 1000).toFixed(1)} s)`);
}

async function compile() {
  // The compiler trusts its own notes about what it wrote; without the output they are wrong.
  if (!existsSync(join(ROOT, 'dist', 'index.js'))) await deleteFolder('.cache/tsc');
  const compiler = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
  await mustRun('tsc', [compiler, '-b', ...PACKAGE_PROJECTS]);
}

async function buildServiceProgram() {
  const script = join(ROOT, 'service', 'build.mjs');
  const { buildService } = await import(pathToFileURL(script).href);
  await buildService();
}

async function describeElements() {
  const analyzer = join(ROOT, 'node_modules', '@custom-elements-manifest', 'analyzer', 'cem.js');
  await mustRun('cem analyze', [analyzer, 'analyze', '--config', 'custom-elements-manifest.config.mjs', '--quiet']);
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
  const code = await runNode(args);
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
