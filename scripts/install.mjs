import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { run, runNode } from './command.mjs';
import { ROOT } from './root.mjs';

/** Installations that run now, by folder. */
const running = new Map();

/**
 * Returns true if `node_modules` contains the packages of `package-lock.json`.
 *
 * npm leaves a list of the installed packages in `node_modules/.package-lock.json`. It deletes `node_modules` at its
 * start and writes the list at its end, so an interrupted installation has none. Comparing versions with that list, not
 * file dates, also works after a fresh checkout with an old `node_modules`.
 *
 * @param {string} [folder] - Folder of both, relative to the root.
 */
export function isInstalled(folder = '.') {
  const installedList = join(ROOT, folder, 'node_modules', '.package-lock.json');
  if (!existsSync(installedList)) return false;
  const installed = JSON.parse(readFileSync(installedList, 'utf8')).packages;
  const wanted = JSON.parse(readFileSync(join(ROOT, folder, 'package-lock.json'), 'utf8')).packages;
  return Object.entries(wanted).every(([path, { version, optional }]) => {
    if (!path.startsWith('node_modules/')) return true;
    const found = installed[path];
    // Packages for other platforms are optional and not installed.
    return found === undefined ? optional === true : found.version === version;
  });
}

/**
 * Installs the packages of `package-lock.json` if they are missing, and prints one line on stderr then. Uses only Node
 * and npm.
 *
 * @param {string} [folder] - Folder of another package than the root's, relative to the root.
 * @returns {Promise<void>} The same for calls during an installation of the folder.
 * @throws {Error} If npm fails.
 */
export function ensureInstalled(folder = '.') {
  const current = running.get(folder);
  if (current) return current;
  if (isInstalled(folder)) return Promise.resolve();
  const installation = install(folder).finally(() => running.delete(folder));
  running.set(folder, installation);
  return installation;
}

/** @param {string} folder */
async function install(folder) {
  console.error(`Installing packages${folder === '.' ? '' : ` of ${folder}/`} …`);
  const args = ['--no-audit', '--no-fund', '--prefix', folder];
  // npm prints warnings and errors on stderr.
  if ((await npm(['ci', ...args], { stdout: 'ignore' })) === 0) return;
  console.error(
    '`npm ci` failed; trying `npm install`, which also updates a lock file that does not match package.json.',
  );
  if ((await npm(['install', ...args], { stdout: 'ignore' })) === 0) return;
  throw new Error(`npm could not install the packages${folder === '.' ? '' : ` of ${folder}/`}; see above.`);
}

/**
 * Runs npm. See `run`.
 *
 * @param {string[]} args
 * @param {Parameters<typeof runNode>[1]} [options]
 */
export function npm(args, options) {
  // In its scripts npm sets the path of its own file, which works even if `npm` is not in `PATH`.
  const script = process.env.npm_execpath;
  if (script !== undefined && basename(script) === 'npm-cli.js') return runNode([script, ...args], options);
  return run('npm', args, { ...options, shell: process.platform === 'win32' });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const folders = process.argv.slice(2);
  for (const folder of folders.length > 0 ? folders : ['.']) await ensureInstalled(folder);
}
