import { existsSync } from 'node:fs';
import { run } from './command.mjs';

/** True where packages can be installed: we are root, on Debian or what is made of it. */
export function canInstall() {
  return process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
}

/**
 * Installs packages for the tests. Whether that worked shows when one looks for what was to be installed.
 *
 * @param {readonly string[]} packages - Names of Debian.
 * @param {{ quiet?: boolean, timeoutMs?: number }} [options] - Of each command; see `run`.
 */
export async function installPackages(packages, options = {}) {
  console.log(`Installing ${packages.join(', ')} for the tests …`);
  const all = { ...options, env: { DEBIAN_FRONTEND: 'noninteractive' } };
  await run('apt-get', ['update', '-q'], all);
  await run('apt-get', ['install', '-y', '-q', '--no-install-recommends', ...packages], all);
}
