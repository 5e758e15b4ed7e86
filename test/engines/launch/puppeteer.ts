import puppeteer, { type Browser as PuppeteerBrowser, type LaunchOptions } from 'puppeteer-core';
import { type Browser, type BrowserOptions, type BrowserPage, VIEWPORT } from './engine.js';
import { namedProgram } from './program.js';

/**
 * Opens Chromium (`SVC_CHROMIUM`) or Firefox (`SVC_FIREFOX`), headless.
 *
 * @throws {Error} If the browser does not start.
 */
export async function openPuppeteer(engine: 'chromium' | 'firefox', options: BrowserOptions): Promise<Browser> {
  const browser = await launch(engine, options);
  return {
    version: await browser.version(),
    openPage: () => openPage(browser, engine),
    close: () => browser.close(),
  };
}

/** Opens a browser like `openPuppeteer`, and returns Puppeteer's own object. */
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
    // A muted browser still runs the audio thread, but plays to no device.
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
  // Each page gets a browser context, so that it does not see what another page has stored.
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  return {
    // WebDriver BiDi names a key by the character that it types.
    keyboard: { press: (key) => page.keyboard.press(key === 'Space' ? ' ' : key) },
    mouse: page.mouse,
    async goto(url) {
      // A page can list devices only with permission to use the microphone. Puppeteer cannot grant it in Firefox.
      if (engine === 'chromium') await context.overridePermissions(new URL(url).origin, ['microphone']);
      await page.goto(url);
    },
    url: () => page.url(),
    setViewport: (size) => page.setViewport(size),
    close: () => context.close(),
  };
}
