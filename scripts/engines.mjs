import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Folder of Debian's libraries, with a subfolder for each processor architecture. */
const LIBRARIES = '/usr/lib';

/**
 * Finds a browser engine other than Chromium. `SVC_FIREFOX`, `SVC_WEBKIT` and `SVC_WEBKIT_DRIVER` name programs to use
 * in place of the system's.
 *
 * @param {'firefox' | 'webkit'} engine
 * @returns {Record<string, string> | null} The same variables, with the paths of the programs; null if one is missing.
 * @throws {Error} If a variable names a program that does not exist.
 */
export function findEngine(engine) {
  if (engine === 'firefox') return named({ SVC_FIREFOX: onPath('firefox-esr') ?? onPath('firefox') });
  const plays = library('gstreamer-1.0/libgstautodetect.so') && library('gstreamer-1.0/libgstpulseaudio.so');
  if (!plays || !onPath('Xvfb')) return null;
  return named({
    SVC_WEBKIT_DRIVER: onPath('WebKitWebDriver'),
    SVC_WEBKIT: library('webkit2gtk-4.1/MiniBrowser') ?? library('webkitgtk-6.0/MiniBrowser'),
  });
}

/**
 * Finds PulseAudio, whose sound cards can be recorded. Only Linux has it.
 *
 * @returns {{} | null} Null if it is missing.
 */
export function findSoundServer() {
  return onPath('pulseaudio') && onPath('parec') ? {} : null;
}

/**
 * @param {Record<string, string | null>} programs - Paths on this system, by the variable that may name another
 *   program.
 */
function named(programs) {
  /** @type {Record<string, string>} */
  const found = {};
  for (const [variable, system] of Object.entries(programs)) {
    const path = process.env[variable] || system;
    if (path === null) return null;
    if (!existsSync(path)) throw new Error(`${variable} names ${path}, which does not exist. Correct or unset it.`);
    found[variable] = path;
  }
  return found;
}

/** @param {string} program */
function onPath(program) {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.map((folder) => join(folder, program)).find((path) => existsSync(path)) ?? null;
}

/** @param {string} file - Path relative to the folder of an architecture's libraries. */
function library(file) {
  if (!existsSync(LIBRARIES)) return null;
  const folders = [LIBRARIES, ...readdirSync(LIBRARIES).map((name) => join(LIBRARIES, name))];
  return folders.map((folder) => join(folder, file)).find((path) => existsSync(path)) ?? null;
}
