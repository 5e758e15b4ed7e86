import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SERVER_APPS } from './server-apps.js';

/** Root folder of the repository. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const APPS = fileURLToPath(new URL('apps', import.meta.url));

/** Folders that get the sources of another folder, for another version of the framework or the bundler. */
const SHARED_SOURCES = { 'react-18': 'react', 'react-19': 'react', 'vite-7': 'vite', rspack: 'webpack' };

/** Examples of the docs, relative to `docs/examples`, and where the apps have them. */
const EXAMPLES = {
  'testing/jest.config.js': 'jest/jest.config.js',
  'stackblitz/index.html': 'stackblitz/index.html',
  'stackblitz/main.js': 'stackblitz/main.js',
  'stackblitz/recording.wav': 'stackblitz/recording.wav',
  'stackblitz/vite.config.js': 'stackblitz/vite.config.js',
};

/** Matches npm's output if the network failed, rather than the request. */
export const NO_NETWORK =
  /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT|ENOTCACHED|ERR_SOCKET_TIMEOUT|EIDLETIMEOUT)\b/;

/** The tarball, and apps in which it is installed, outside the repository so that no import resolves to its files. */
export interface Consumers {
  readonly tarball: string;
  /** Paths of the files in the tarball, relative to the package's root. */
  readonly files: readonly string[];
  /** Copy of `test/consumers/apps` with its packages installed; null if no registry can be reached. */
  readonly apps: string | null;
  remove(): Promise<void>;
}

/**
 * Packs the built package with `npm pack`, and installs it in the apps.
 *
 * @param more - Further folders of `apps/` to install, for packages that only some tests need.
 * @throws {Error} If packing fails, or if installing fails for a reason other than the network.
 */
export async function installConsumers(more: readonly string[] = []): Promise<Consumers> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'svc-speaker-package-')));
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true, maxRetries: 3 });
  try {
    // Test the existing build: npm's scripts would build the package again before packing.
    const packed = await npm(ROOT, ['pack', '--ignore-scripts', '--json', '--pack-destination', folder]);
    if (packed.code !== 0) throw new Error(`npm pack failed:\n${packed.errors}`);
    const { filename, files } = parsePacked(packed.output);
    const tarball = join(folder, basename(filename));
    return { tarball, files, apps: await install(join(folder, 'apps'), tarball, more), remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Parses the report of `npm pack --json`. */
export function parsePacked(output: string): { filename: string; files: string[] } {
  const report = JSON.parse(output) as unknown;
  // npm 12 reports an object with package names as keys; older versions report an array.
  const [packed] = Object.values(report as object) as [{ filename: string; files: { path: string }[] }];
  return { filename: packed.filename, files: packed.files.map(({ path }) => path) };
}

/** @param more - Folders beside `apps` itself. */
async function install(apps: string, tarball: string, more: readonly string[]): Promise<string | null> {
  await cp(APPS, apps, { recursive: true, filter: (path) => !['node_modules', 'dist'].includes(basename(path)) });
  for (const [name, sources] of Object.entries(SHARED_SOURCES)) {
    await cp(join(APPS, sources), join(apps, name), { recursive: true, force: false });
  }
  const examples = join(ROOT, 'docs', 'examples');
  for (const [from, to] of Object.entries(EXAMPLES)) await cp(join(examples, from), join(apps, to));
  for (const { folder } of SERVER_APPS) {
    await cp(join(examples, 'backend', basename(folder)), join(apps, folder), { recursive: true });
    for (const file of ['speech.js', 'users.js']) await cp(join(examples, 'backend', file), join(apps, folder, file));
  }
  const quick = ['--no-audit', '--no-fund', '--prefer-offline', '--ignore-scripts'];
  const installed = (name: string, options: readonly string[]): Promise<Ran> =>
    npm(join(apps, name), ['install', ...quick, ...options, tarball]);
  const first = await installed('.', [
    '--fetch-retries=1',
    '--fetch-retry-mintimeout=500',
    '--fetch-retry-maxtimeout=500',
  ]);
  if (first.code !== 0 && NO_NETWORK.test(first.errors)) return null;
  // A registry answers, so what fails is a fault. Few at a time: many that share a core would wait too long for answers.
  const waiting = more.values();
  const next = async (): Promise<Ran[]> => {
    const results: Ran[] = [];
    for (const name of waiting) results.push(await installed(name, []));
    return results;
  };
  const results = await Promise.all(Array.from({ length: availableParallelism() }, next));
  for (const { code, errors } of [first, ...results.flat()]) {
    if (code !== 0) throw new Error(`npm install failed:\n${errors}`);
  }
  return apps;
}

/** Output and exit code of a program. */
export interface Ran {
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
}

/** Runs npm in a folder. */
export function npm(folder: string, args: readonly string[]): Promise<Ran> {
  const script = process.env['npm_execpath'];
  if (script !== undefined && basename(script) === 'npm-cli.js') return runNode(folder, [script, ...args]);
  return runProgram(folder, 'npm', args, process.platform === 'win32');
}

/** Runs a JavaScript file in a folder, with the Node.js binary of this process. */
export function runNode(folder: string, args: readonly string[]): Promise<Ran> {
  return runProgram(folder, process.execPath, args, false);
}

/** Runs a program that is installed for one app or for all: `runTool(apps, 'vue', 'vite/bin/vite.js', ['build'])`. */
export function runTool(apps: string, folder: string, file: string, args: readonly string[]): Promise<Ran> {
  const [program] = [folder, '.'].map((one) => join(apps, one, 'node_modules', file)).filter(existsSync);
  return runNode(join(apps, folder), [program ?? file, ...args]);
}

function runProgram(folder: string, program: string, args: readonly string[], shell: boolean): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: folder, shell, env: environment(), stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    let errors = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output, errors }));
  });
}

/** Variables that turn off the telemetry of frameworks. */
const NO_TELEMETRY = { ASTRO_TELEMETRY_DISABLED: '1', NEXT_TELEMETRY_DISABLED: '1', NUXT_TELEMETRY_DISABLED: '1' };

/**
 * Returns the environment without the variables of the test runner, npm and the backend, since users build apps without
 * them.
 */
export function environment(): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = { ...process.env, ...NO_TELEMETRY, NO_COLOR: '1' };
  for (const name of Object.keys(env)) {
    if (
      /^(NODE_TEST_CONTEXT|NODE_OPTIONS|NODE_ENV|FORCE_COLOR|SVC_BASE_URL|SVC_API_KEY|npm_(package|lifecycle)_.*|npm_config_local_prefix)$/.test(
        name,
      )
    ) {
      delete env[name];
    }
  }
  return env;
}

/** Copies the thread files of the installed package into `threads/` of an app, as docs/deployment.md recommends. */
export async function copyThreads(apps: string, folder: string): Promise<void> {
  const target = join(apps, folder, 'threads');
  await mkdir(target, { recursive: true });
  await cp(join(apps, 'node_modules', 'svc-speaker', 'dist', 'threads'), target, { recursive: true });
}
