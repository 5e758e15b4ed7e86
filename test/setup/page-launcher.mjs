import { setTimeout } from 'node:timers/promises';
import { PlaywrightLauncher } from '@web/test-runner-playwright';

const VIEWPORT = { width: 800, height: 600 };
/** The preferences of the browser itself, as `Page.emulateMedia` takes them. */
const NOTHING_EMULATED = { media: null, colorScheme: null, reducedMotion: null, forcedColors: null };

/** Time after which a page counts as hanging, in milliseconds. The next file gets another one. */
const ANSWER_MS = 10_000;

/**
 * Runs each test file in a page in which another file has ended, by a navigation. The launcher of @web/test-runner opens
 * a context and three renderer processes for each file, which take more than a second of processor time.
 *
 * Pages that are open at the same time share nothing. What a page keeps from one file to the next is the storage of its
 * origin: a test that writes there clears it. All else that runs ends with the navigation.
 */
export class PageLauncher extends PlaywrightLauncher {
  /** @type {import('playwright').Page[]} Open pages in which no file runs. */
  #free = [];

  /** @param {import('playwright').LaunchOptions} options @param {number} concurrency - Number of pages. */
  constructor(options, concurrency) {
    super(
      'chromium',
      options,
      ({ browser }) => browser.newContext(),
      ({ context }) => context.newPage(),
      false,
      concurrency,
    );
  }

  /**
   * @override
   * @param {import('playwright').Browser} browser
   */
  async createNewPage(browser) {
    const page = this.#free.pop() ?? (await super.createNewPage(browser)).playwrightPage;
    return {
      playwrightPage: page,
      runSession: async (/** @type {string} */ url) => {
        await page.setViewportSize(VIEWPORT);
        await page.emulateMedia(NOTHING_EMULATED);
        await page.mouse.move(0, 0);
        await page.goto(url);
      },
      stopSession: async () => {
        const late = setTimeout(ANSWER_MS, false, { ref: false });
        const answers = await Promise.race([page.evaluate(() => true).catch(() => false), late]);
        if (answers) this.#free.push(page);
        else void page.context().close();
        return {};
      },
    };
  }
}
