import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { run, runNode } from './command.mjs';
import { ROOT } from './root.mjs';

/** Headless Chromium, a separate package in Debian. It uses a third less CPU. */
export const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell';

/**
 * Paths of Chromium, Chrome or Edge on each system, in order of preference.
 *
 * @type {Partial<Record<NodeJS.Platform, string[]>>}
 */
const SYSTEM_BROWSERS = {
  linux: ['/usr/bin/chromium', '/usr/bin/google-chrome', '/usr/bin/chromium-browser', '/snap/bin/chromium'],
  darwin: [
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  ],
  win32: [process.env.PROGRAMFILES, process.env['PROGRAMFILES(X86)'], process.env.LOCALAPPDATA]
    .filter((folder) => folder !== undefined)
    .flatMap((folder) => [
      `${folder}\\Google\\Chrome\\Application\\chrome.exe`,
      `${folder}\\Microsoft\\Edge\\Application\\msedge.exe`,
    ]),
};

/** Timeout of each of Playwright's five connection attempts. The default, 30 s, is too long if packets are dropped. */
const CONNECTION_TIMEOUT_MS = 5000;

/**
 * Finds a Chromium for tests: the one that `SVC_CHROMIUM` names, otherwise the system's, otherwise Playwright's.
 *
 * @param {{ whole?: boolean }} [options] - `whole`: requires features that {@link HEADLESS_SHELL} lacks, such as the
 *   back/forward cache.
 * @returns {Promise<string | null>} Path of the program; null if there is none.
 * @throws {Error} If `SVC_CHROMIUM` names a program that does not exist.
 */
export async function findBrowser({ whole = false } = {}) {
  const named = process.env.SVC_CHROMIUM;
  if (named !== undefined && named !== '') {
    if (existsSync(named)) return named;
    throw new Error(`SVC_CHROMIUM names ${named}, which does not exist. Correct or unset it.`);
  }
  const system = SYSTEM_BROWSERS[process.platform] ?? [];
  for (const path of whole ? system : [HEADLESS_SHELL, ...system]) if (await starts(path)) return path;
  // On a fresh clone npm may be installing Playwright at this moment.
  const playwright = await import('playwright').catch(() => null);
  const path = playwright?.chromium.executablePath();
  return path !== undefined && (await starts(path)) ? path : null;
}

/**
 * Like {@link findBrowser}, but never returns null.
 *
 * @param {{ whole?: boolean }} [options]
 * @throws {Error} If there is no Chromium.
 */
export async function ensureBrowser(options) {
  const found = await findBrowser(options);
  if (found === null) throw new Error('No Chromium. Run npm test, install one, or name its program in SVC_CHROMIUM.');
  return found;
}

/**
 * Downloads Playwright's Chromium.
 *
 * @returns {Promise<string>} Path of the program.
 * @throws {Error} If the download fails.
 */
export async function downloadBrowser() {
  console.log("Downloading Playwright's Chromium …");
  await runNode([join(ROOT, 'node_modules', 'playwright', 'cli.js'), 'install', 'chromium'], {
    env: { PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT: String(CONNECTION_TIMEOUT_MS) },
  });
  return ensureBrowser();
}

/**
 * Returns true if the program exists and finds the libraries that it needs.
 *
 * @param {string} path
 */
async function starts(path) {
  if (!existsSync(path)) return false;
  // On macOS and Windows `--version` may open a window, and browsers include all their libraries.
  if (process.platform !== 'linux') return true;
  return (await run(path, ['--version'], { quiet: true, timeoutMs: 30_000 })) === 0;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) console.log(await ensureBrowser({ whole: true }));
