import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { run, runNode } from './command.mjs';
import { ROOT } from './root.mjs';

/**
 * Returns true if `node_modules` contains the packages of `package-lock.json`.
 *
 * npm leaves a list of the installed packages in `node_modules/.package-lock.json`. Comparing versions with that list,
 * not file dates, also works after a fresh checkout with an old `node_modules`.
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
 * Installs the packages of `package-lock.json` if they are missing. Uses only Node and npm.
 *
 * @param {string} [folder] - Folder of another package than the root's, relative to the root.
 * @throws {Error} If npm fails.
 */
export async function ensureInstalled(folder = '.') {
  if (isInstalled(folder)) return;
  console.log('Installing packages …');
  const quiet = ['--no-audit', '--no-fund', '--prefix', folder];
  if ((await npm(['ci', ...quiet])) === 0) return;
  console.log(
    '`npm ci` failed; trying `npm install`, which also updates a lock file that does not match package.json.',
  );
  if ((await npm(['install', ...quiet])) !== 0) throw new Error('npm could not install the packages; see above.');
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

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await ensureInstalled();
