import { constants, setPriority } from 'node:os';
import type { BrowserLauncher } from '@web/test-runner-core';
import { type Browser, type BrowserOptions, type BrowserPage, type EngineName, openBrowser } from './engine.js';
import { openSoundCard, type SoundCard } from './sound-card.js';

/**
 * Lets @web/test-runner run its pages in one of our engines, one at a time, with a sound card: without one, Firefox's
 * clock of sound stands still.
 *
 * @param options - As for `openBrowser`.
 */
export function engineLauncher(engine: EngineName, options: Omit<BrowserOptions, 'env'>): EngineLauncher {
  const pages = new Map<string, BrowserPage>();
  let opening: Promise<[SoundCard, Browser]> | undefined;
  async function open(): Promise<[SoundCard, Browser]> {
    hurry();
    const card = await openSoundCard();
    return [card, await openBrowser(engine, { ...options, env: card.env })];
  }
  return {
    name: engine,
    // So that the runner's commands (mouse, keys, viewport) take the page for one of Puppeteer's.
    type: 'puppeteer',
    concurrency: 1,
    getPage(id) {
      const page = pages.get(id)!;
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
      const page = await browser.openPage();
      pages.set(id, page);
      await page.goto(url);
    },
    isActive: (id) => pages.has(id),
    getBrowserUrl: (id) => pages.get(id)?.url(),
    async stopSession(id) {
      const page = pages.get(id);
      pages.delete(id);
      await page?.close();
      return {};
    },
    startDebugSession: () => Promise.reject(new Error('There is no debugging here.')),
    async stop() {
      const [card, browser] = (await opening) ?? [];
      await browser?.close();
      await card?.close();
    },
  };
}

/** A launcher, and what plugins ask of it: those of @web/test-runner-commands, and ours. */
export interface EngineLauncher extends BrowserLauncher {
  /** Page of a session. */
  getPage(id: string): Pick<BrowserPage, 'keyboard' | 'mouse' | 'setViewport'> & {
    emulateMediaFeatures(features: readonly MediaFeature[]): Promise<void>;
  };
  /** The card that its pages play to. */
  soundCard(): Promise<SoundCard>;
}

/** Has us, and what we start, go before other programs, where we may: what they take from a browser are gaps in its sound. */
function hurry(): void {
  if (process.getuid?.() === 0) setPriority(constants.priority.PRIORITY_HIGH);
}

interface MediaFeature {
  readonly name: string;
  readonly value: string;
}

/** Neither BiDi nor WebDriver can: a test that needs more than what is so anyway does not run in these engines. */
async function emulateMediaFeatures(features: readonly MediaFeature[]): Promise<void> {
  const other = features.find(({ value }) => value !== 'no-preference');
  if (other) throw new Error(`This engine cannot be told ${other.name}: ${other.value}.`);
}
