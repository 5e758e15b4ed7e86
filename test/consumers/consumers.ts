import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Of the repository. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const APPS = fileURLToPath(new URL('apps', import.meta.url));

/** Folders of `apps/` that are always installed. React 18 cannot be installed beside the rest. */
const INSTALLS = ['.', 'react-18'];

/** Folders with the sources of another, each with its own version of the framework or the bundler. */
const SHARED_SOURCES = { 'react-18': 'react', 'react-19': 'react', 'vite-7': 'vite' };

/** What npm says when it is the network that fails, not what we ask for. */
export const NO_NETWORK =
  /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT|ENOTCACHED|ERR_SOCKET_TIMEOUT|EIDLETIMEOUT)\b/;

/** The tarball, and apps that have it installed, outside of the repository: there nothing of ours is found by chance. */
export interface Consumers {
  readonly tarball: string;
  /** Paths of the files in the tarball, from the package's root. */
  readonly files: readonly string[];
  /** A copy of `test/consumers/apps` with its packages; null where there is no registry to get them from. */
  readonly apps: string | null;
  remove(): Promise<void>;
}

/**
 * Packs what was built, as `npm pack` does, and installs it into the apps.
 *
 * @param more - Folders of `apps/` with packages that only some tests need.
 * @throws {Error} If npm refuses for another reason than a network that is not there.
 */
export async function installConsumers(more: readonly string[] = []): Promise<Consumers> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'svc-speaker-package-')));
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true, maxRetries: 3 });
  try {
    // What was built is what is tested: the script that runs before packing would build it again.
    const packed = await npm(ROOT, ['pack', '--ignore-scripts', '--json', '--pack-destination', folder]);
    if (packed.code !== 0) throw new Error(`npm pack failed:\n${packed.errors}`);
    const { filename, files } = parsePacked(packed.output);
    const tarball = join(folder, basename(filename));
    return { tarball, files, apps: await install(join(folder, 'apps'), tarball, [...INSTALLS, ...more]), remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Reads what `npm pack --json` reports. */
export function parsePacked(output: string): { filename: string; files: string[] } {
  const report = JSON.parse(output) as unknown;
  // npm 12 names the packages, older ones list them.
  const [packed] = Object.values(report as object) as [{ filename: string; files: { path: string }[] }];
  return { filename: packed.filename, files: packed.files.map(({ path }) => path) };
}

async function install(apps: string, tarball: string, folders: readonly string[]): Promise<string | null> {
  await cp(APPS, apps, { recursive: true, filter: (path) => !['node_modules', 'dist'].includes(basename(path)) });
  for (const [name, sources] of Object.entries(SHARED_SOURCES)) {
    await cp(join(APPS, sources), join(apps, name), { recursive: true, force: false });
  }
  // As docs/testing.md shows it.
  await cp(join(ROOT, 'docs/examples', 'testing/jest.config.js'), join(apps, 'jest', 'jest.config.js'));
  const retries = ['--fetch-retries=1', '--fetch-retry-mintimeout=500', '--fetch-retry-maxtimeout=500'];
  const quick = ['--no-audit', '--no-fund', '--prefer-offline', '--ignore-scripts', ...retries];
  const results = await Promise.all(folders.map((name) => npm(join(apps, name), ['install', ...quick, tarball])));
  for (const { code, errors } of results) {
    if (code === 0) continue;
    if (NO_NETWORK.test(errors)) return null;
    throw new Error(`npm install failed:\n${errors}`);
  }
  return apps;
}

/** What a program printed, and how it ended. */
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

/** Runs a JavaScript file in a folder, with the Node that runs us. */
export function runNode(folder: string, args: readonly string[]): Promise<Ran> {
  return runProgram(folder, process.execPath, args, false);
}

/** Runs the program of a package that an app has, or all have: `runTool(apps, 'vue', 'vite/bin/vite.js', ['build'])`. */
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

/** Ours without what the test runner and npm tell their children: an app is built by somebody who has neither. */
export function environment(): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = { ...process.env, NO_COLOR: '1' };
  for (const name of Object.keys(env)) {
    if (
      /^(NODE_TEST_CONTEXT|NODE_OPTIONS|NODE_ENV|FORCE_COLOR|npm_(package|lifecycle)_.*|npm_config_local_prefix)$/.test(
        name,
      )
    ) {
      delete env[name];
    }
  }
  return env;
}

/** Copies the thread files of the installed package, as docs/csp.md says. */
export async function copyThreads(apps: string, folder: string): Promise<void> {
  const target = join(apps, folder, 'threads');
  await mkdir(target, { recursive: true });
  await cp(join(apps, 'node_modules', 'svc-speaker', 'dist', 'threads'), target, { recursive: true });
}
