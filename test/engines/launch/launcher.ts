import { constants, setPriority } from 'node:os';
import type { BrowserLauncher } from '@web/test-runner-core';
import { type Browser, type BrowserOptions, type BrowserPage, type EngineName, openBrowser } from './engine.js';
import { openSoundCard, type SoundCard } from './sound-card.js';

/**
 * Creates a launcher with which @web/test-runner runs its pages in one of our engines, one at a time, with a sound
 * card. Without a card, Firefox's audio clock does not advance.
 *
 * @param options - Options for `openBrowser`.
 */
export function engineLauncher(engine: EngineName, options: Omit<BrowserOptions, 'env'>): EngineLauncher {
  const pages = new Map<string, { page: BrowserPage; url: string }>();
  let opening: Promise<[SoundCard, Browser]> | undefined;
  async function open(): Promise<[SoundCard, Browser]> {
    hurry();
    const card = await openSoundCard();
    return [card, await openBrowser(engine, { ...options, env: card.env })];
  }
  async function stop(): Promise<void> {
    const [card, browser] = (await opening) ?? [];
    opening = undefined;
    await browser?.close();
    await card?.close();
  }
  /** Runs a command. If it fails, the browser has crashed: the next session gets another one. */
  async function stopOnFailure(command: () => Promise<void>): Promise<void> {
    try {
      await command();
    } catch (error) {
      await stop();
      throw error;
    }
  }
  return {
    name: engine,
    // The runner's commands (mouse, keys, viewport) then treat the page as one of Puppeteer's.
    type: 'puppeteer',
    concurrency: 1,
    getPage(id) {
      const { page } = pages.get(id)!;
      return {
        keyboard: page.keyboard,
        mouse: page.mouse,
        setViewport: (size) => page.setViewport(size),
        emulateMediaFeatures,
      };
    },
    soundCard: async () => (await opening!)[0],
    async startSession(id, url) {
      const [, browser] = await (opening ??= open());
      await stopOnFailure(async () => {
        const page = await browser.openPage();
        pages.set(id, { page, url });
        await page.goto(url);
      });
    },
    isActive: (id) => pages.has(id),
    // The runner asks for it when a page has disconnected. If the browser has crashed, it has no answer.
    async getBrowserUrl(id) {
      const { page, url } = pages.get(id)!;
      return Promise.resolve(page.url()).catch(() => url);
    },
    async stopSession(id) {
      const { page } = pages.get(id)!;
      pages.delete(id);
      // Its tests are over. WebKitGTK sometimes crashes while it leaves a page; the next page gets another browser.
      await page.close().catch(stop);
      return {};
    },
    startDebugSession: () => Promise.reject(new Error('There is no debugging here.')),
    stop,
  };
}

/** A launcher with the members that the plugins of @web/test-runner-commands and our own plugins use. */
export interface EngineLauncher extends BrowserLauncher {
  /** Returns the page of a session. */
  getPage(id: string): Pick<BrowserPage, 'keyboard' | 'mouse' | 'setViewport'> & {
    emulateMediaFeatures(features: readonly MediaFeature[]): Promise<void>;
  };
  /** Returns the card that its pages play to. */
  soundCard(): Promise<SoundCard>;
}

/**
 * Raises the priority of this process and its children, if it may: usually as root, but not in every container. When
 * other programs take processor time from a browser, its sound has gaps.
 */
function hurry(): void {
  try {
    setPriority(constants.priority.PRIORITY_HIGH);
  } catch {
    // On a busy machine, recordings then have more gaps.
  }
}

interface MediaFeature {
  readonly name: string;
  readonly value: string;
}

/**
 * Accepts only `no-preference`, which holds anyway. Neither BiDi nor WebDriver can emulate media features, so a test
 * that needs another value does not run in these engines.
 */
async function emulateMediaFeatures(features: readonly MediaFeature[]): Promise<void> {
  const other = features.find(({ value }) => value !== 'no-preference');
  if (other) throw new Error(`This engine cannot be told ${other.name}: ${other.value}.`);
}
