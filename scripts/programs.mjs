import { existsSync } from 'node:fs';
import { findBrowser, HEADLESS_SHELL } from './browser.mjs';
import { run } from './command.mjs';
import { findEngine, findSoundServer } from './engines.mjs';
import { findProgram, findServers } from './servers.mjs';

/** @typedef {Record<string, string>} Variables Environment variables with the paths of programs, for the tests. */

/**
 * Programs that tests need besides Node: the Debian packages that contain each, a function that finds it, and a file
 * that is installed with it and may be missing elsewhere.
 *
 * @typedef {{ packages: string[], find: () => Variables | null | Promise<Variables | null>, better?: string }} Program
 * @type {Record<string, Program>}
 */
const PROGRAMS = {
  chromium: {
    packages: ['chromium', 'chromium-headless-shell'],
    find: async () => ((await findBrowser({ whole: true })) === null ? null : {}),
    better: HEADLESS_SHELL,
  },
  firefox: { packages: ['firefox-esr'], find: () => findEngine('firefox') },
  webkit: {
    packages: [
      'webkit2gtk-driver',
      'xvfb',
      'gstreamer1.0-plugins-base',
      'gstreamer1.0-plugins-good',
      'gstreamer1.0-pulseaudio',
    ],
    find: () => findEngine('webkit'),
  },
  sound: { packages: ['pulseaudio', 'pulseaudio-utils'], find: findSoundServer },
  postgres: { packages: ['postgresql'], find: () => variable('SVC_POSTGRES_BIN', findServers().postgres) },
  nginx: { packages: ['nginx-light'], find: () => variable('SVC_NGINX', findServers().nginx) },
  ffmpeg: { packages: ['ffmpeg'], find: () => variable('SVC_FFMPEG', findProgram('SVC_FFMPEG', 'ffmpeg')) },
  sox: { packages: ['sox'], find: () => variable('SVC_SOX', findProgram('SVC_SOX', 'sox')) },
};

/**
 * Finds programs, installs missing ones (as root on Debian), and sets the environment variables with which tests find
 * them.
 *
 * @param {Iterable<string>} names - Keys of `PROGRAMS`.
 * @returns {Promise<string[]>} The programs that are still missing.
 * @throws {Error} If an environment variable names a program that does not exist.
 */
export async function ensurePrograms(names) {
  const missing = await findAll(names);
  const incomplete = [...names].filter((name) => missing.includes(name) || !existsSync(PROGRAMS[name]?.better ?? '/'));
  const packages = incomplete.flatMap((name) => PROGRAMS[name]?.packages ?? []);
  if (packages.length > 0 && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    console.log(`Installing ${packages.join(', ')} …`);
    const options = { quiet: true, env: { DEBIAN_FRONTEND: 'noninteractive' } };
    await run('apt-get', ['update', '-q'], options);
    await run('apt-get', ['install', '-y', '-q', '--no-install-recommends', ...packages], options);
  }
  return findAll(missing);
}

/**
 * @param {Iterable<string>} names
 * @returns {Promise<string[]>} The missing programs.
 */
async function findAll(names) {
  const missing = [];
  for (const name of names) {
    const variables = await PROGRAMS[name]?.find();
    if (variables) Object.assign(process.env, variables);
    else missing.push(name);
  }
  return missing;
}

/**
 * @param {string} name
 * @param {string | null} path
 */
function variable(name, path) {
  return path === null ? null : { [name]: path };
}
