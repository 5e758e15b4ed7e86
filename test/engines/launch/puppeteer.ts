import puppeteer, { type Browser as PuppeteerBrowser, type LaunchOptions } from 'puppeteer-core';
import { type Browser, type BrowserOptions, type BrowserPage, VIEWPORT } from './engine.js';
import { namedProgram } from './program.js';

/**
 * Opens Chromium (`SVC_CHROMIUM`) or Firefox (`SVC_FIREFOX`), without a window.
 *
 * @throws {Error} If it does not start.
 */
export async function openPuppeteer(engine: 'chromium' | 'firefox', options: BrowserOptions): Promise<Browser> {
  const browser = await launch(engine, options);
  return {
    version: await browser.version(),
    openPage: () => openPage(browser, engine),
    close: () => browser.close(),
  };
}

/** As `openPuppeteer`, with all of Puppeteer's own. */
export function launch(engine: 'chromium' | 'firefox', options: BrowserOptions): Promise<PuppeteerBrowser> {
  return puppeteer.launch({
    env: { ...options.env },
    defaultViewport: VIEWPORT,
    ...(engine === 'chromium' ? chromium(options) : firefox(options)),
  });
}

function chromium({ autoplay }: BrowserOptions): LaunchOptions {
  const policy = autoplay ? 'no-user-gesture-required' : 'document-user-activation-required';
  return {
    executablePath: namedProgram('SVC_CHROMIUM'),
    args: ['--no-sandbox', `--autoplay-policy=${policy}`],
    // A muted browser would still run the audio thread, but on no device.
    ignoreDefaultArgs: ['--mute-audio'],
  };
}

function firefox({ autoplay }: BrowserOptions): LaunchOptions {
  return {
    browser: 'firefox',
    executablePath: namedProgram('SVC_FIREFOX'),
    extraPrefsFirefox: {
      'media.autoplay.default': autoplay ? 0 : 1,
      'media.autoplay.blocking_policy': 0,
    },
  };
}

async function openPage(browser: PuppeteerBrowser, engine: 'chromium' | 'firefox'): Promise<BrowserPage> {
  // A context of its own, so that a page does not see what another one has stored.
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  return {
    // By BiDi, a key is what it writes.
    keyboard: { press: (key) => page.keyboard.press(key === 'Space' ? ' ' : key) },
    mouse: page.mouse,
    async goto(url) {
      // Only a page that may use the microphone is told which devices there are. Firefox cannot be asked for it.
      if (engine === 'chromium') await context.overridePermissions(new URL(url).origin, ['microphone']);
      await page.goto(url);
    },
    url: () => page.url(),
    setViewport: (size) => page.setViewport(size),
    close: () => context.close(),
  };
}
