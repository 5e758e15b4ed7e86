import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureBrowser } from './browser.mjs';
import { canInstall, installPackages } from './debian.mjs';

/** The engines that the element is tested in. */
export const ENGINES = /** @type {const} */ (['chromium', 'firefox', 'webkit']);

/**
 * @typedef {(typeof ENGINES)[number]} EngineName
 * @typedef {Record<string, string>} Programs By the variables that name them, see `test/engines/launch`.
 * @typedef {{ packages: string[], find: () => Programs | null }} Installable Debian's packages, and what is there of it.
 */

/** A sound card that can be listened to: only Linux has it. */
const SOUND = ['pulseaudio', 'parec'];

/** Where the libraries are that an architecture of its own has. */
const LIBRARIES = '/usr/lib';

/** @type {Record<'sound' | Exclude<EngineName, 'chromium'>, Installable>} */
const INSTALLABLE = {
  sound: {
    packages: ['pulseaudio', 'pulseaudio-utils'],
    find: () => (SOUND.every(onPath) ? {} : null),
  },
  firefox: {
    packages: ['firefox-esr'],
    find: () => named({ SVC_FIREFOX: onPath('firefox-esr') ?? onPath('firefox') }),
  },
  webkit: {
    packages: [
      'webkit2gtk-driver',
      'xvfb',
      'gstreamer1.0-plugins-base',
      'gstreamer1.0-plugins-good',
      'gstreamer1.0-pulseaudio',
    ],
    find: () =>
      onPath('Xvfb') && library('gstreamer-1.0/libgstautodetect.so') && library('gstreamer-1.0/libgstpulseaudio.so')
        ? named({
            SVC_WEBKIT_DRIVER: onPath('WebKitWebDriver'),
            SVC_WEBKIT: library('webkit2gtk-4.1/MiniBrowser') ?? library('webkitgtk-6.0/MiniBrowser'),
          })
        : null,
  },
};

const INSTALL_TIMEOUT_MS = 240_000;

/**
 * Finds browsers to test the element in, and the sound card that is listened to, and installs what is missing where we
 * are root on Debian. Says loudly what is not to be had. `SVC_FIREFOX`, `SVC_WEBKIT` and `SVC_WEBKIT_DRIVER` name other
 * programs than the system's.
 *
 * @param {readonly EngineName[]} engines
 * @returns {Promise<Partial<Record<EngineName, Programs>>>} Those that are here.
 * @throws {Error} If a variable names what does not exist, or there is no Chromium where one is asked for.
 */
export async function ensureEngines(engines) {
  const wanted = engines.filter((engine) => engine !== 'chromium');
  const missing = /** @type {const} */ (['sound', ...wanted]).filter((name) => INSTALLABLE[name].find() === null);
  if (missing.length > 0 && canInstall()) {
    const packages = missing.flatMap((name) => INSTALLABLE[name].packages);
    await installPackages(packages, { quiet: true, timeoutMs: INSTALL_TIMEOUT_MS });
  }
  /** @type {Partial<Record<EngineName, Programs>>} */
  const found = {};
  const silent = INSTALLABLE.sound.find() === null;
  for (const engine of engines) {
    const programs =
      engine === 'chromium' ? { SVC_CHROMIUM: await ensureBrowser() } : silent ? null : INSTALLABLE[engine].find();
    if (programs !== null && !silent) found[engine] = programs;
    else
      warn(engine, [
        ...(silent ? INSTALLABLE.sound.packages : []),
        ...(engine === 'chromium' ? [] : INSTALLABLE[engine].packages),
      ]);
  }
  return found;
}

/**
 * @param {Record<string, string | null>} programs - What the system has, by the variable that may name another.
 * @returns {Programs | null} Null if one is missing.
 */
function named(programs) {
  /** @type {Programs} */
  const found = {};
  for (const [variable, system] of Object.entries(programs)) {
    const path = process.env[variable] || system;
    if (path === null) return null;
    if (!existsSync(path)) throw new Error(`${variable} names ${path}, which is not there.`);
    found[variable] = path;
  }
  return found;
}

/** @param {string} program */
function onPath(program) {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.map((folder) => join(folder, program)).find((path) => existsSync(path)) ?? null;
}

/** @param {string} file - Path in the folder of an architecture's libraries. */
function library(file) {
  if (!existsSync(LIBRARIES)) return null;
  const folders = [LIBRARIES, ...readdirSync(LIBRARIES).map((name) => join(LIBRARIES, name))];
  return folders.map((folder) => join(folder, file)).find((path) => existsSync(path)) ?? null;
}

/**
 * @param {EngineName} engine
 * @param {string[]} packages
 */
function warn(engine, packages) {
  console.error(`\n!!! The tests in ${engine} are SKIPPED: it takes what Debian calls ${packages.join(', ')}.\n`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) console.log(await ensureEngines(ENGINES));
