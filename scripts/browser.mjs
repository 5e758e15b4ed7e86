import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { run, runNode } from './command.mjs';
import { canInstall, installPackages } from './debian.mjs';
import { ROOT } from './root.mjs';

/**
 * Places where the systems put Chromium, Chrome or Edge, best first.
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

/** Long enough for a browser's download on a slow line, short enough not to eat a test run where there is no network. */
const DOWNLOAD_TIMEOUT_MS = 240_000;

/**
 * Finds a Chromium for the tests, and installs one if there is none: `SVC_CHROMIUM`, else the system's, else
 * Playwright's (downloaded if it can be), else Debian's package where we are root.
 *
 * @returns {Promise<string>} Path of the program.
 * @throws {Error} If there is none to be had; says what to do.
 */
export async function ensureBrowser() {
  const named = process.env.SVC_CHROMIUM;
  if (named !== undefined && named !== '') {
    if (existsSync(named)) return named;
    throw new Error(`SVC_CHROMIUM names ${named}, which does not exist.`);
  }
  const found = (await systemBrowser()) ?? (await playwrightBrowser());
  if (found !== null) return found;

  console.log('No Chromium here; downloading the one of Playwright …');
  const playwright = join(ROOT, 'node_modules', 'playwright', 'cli.js');
  await runNode([playwright, 'install', 'chromium'], { timeoutMs: DOWNLOAD_TIMEOUT_MS });
  const downloaded = await playwrightBrowser();
  if (downloaded !== null) return downloaded;

  if (canInstall()) {
    console.log('That did not work.');
    await installPackages(['chromium']);
    const installed = await systemBrowser();
    if (installed !== null) return installed;
  }
  throw new Error('The tests need Chromium or Chrome. Install one, or name its program in SVC_CHROMIUM.');
}

async function systemBrowser() {
  for (const path of SYSTEM_BROWSERS[process.platform] ?? []) if (await starts(path)) return path;
  return null;
}

async function playwrightBrowser() {
  const { chromium } = await import('playwright');
  const path = chromium.executablePath();
  return (await starts(path)) ? path : null;
}

/**
 * Tells whether the program is there and has the libraries it needs.
 *
 * @param {string} path
 */
async function starts(path) {
  if (!existsSync(path)) return false;
  // Elsewhere `--version` may open a window, and a browser comes with all its libraries.
  if (process.platform !== 'linux') return true;
  return (await run(path, ['--version'], { quiet: true, timeoutMs: 30_000 })) === 0;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) console.log(await ensureBrowser());
