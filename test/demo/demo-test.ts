import type { Page } from '@playwright/test';
import type {} from '../../src/define.js';
import { expect, type Recording, test as base } from '../../src/testing/index.js';
import { RecordingProxy } from './recording-proxy.js';

/** Tests of the demo that playwright.config.ts starts, and a way to its service that knows what the service sends. */
export const test = base.extend<{ demo: Demo; service: RecordingProxy }>({
  // Playwright reads the names of the fixtures from the pattern, so there has to be one.
  // oxlint-disable-next-line no-empty-pattern
  demo: ({}, use) => use({ url: process.env.SVC_DEMO_URL! }),
  service: async ({ page }, use) => {
    const proxy = await RecordingProxy.start();
    await proxy.lead(page);
    await use(proxy);
    await proxy.close();
  },
});

export { expect };

/** The demo that is served. */
export interface Demo {
  /** Address of its page, with a slash at the end. */
  readonly url: string;
}

/** How the element of the page is set before it speaks. */
export interface SpeakerSettings {
  readonly transport?: 'shared' | 'message';
  readonly backend?: 'native' | 'standardized';
}

/** Opens the demo, sets its element and waits until Speak can be pressed. */
export async function openDemo(page: Page, { url }: Demo, settings: SpeakerSettings = {}): Promise<void> {
  await page.goto(url);
  await expect(page.getByRole('button', { name: 'Speak', exact: true })).toBeEnabled();
  if (settings.transport) await page.getByRole('radio', { name: settings.transport }).check({ force: true });
  await page.locator('svc-speaker').evaluate((speaker, backend) => {
    // What is played is then what was sent, and can be compared: at pace 1, and without a gap where it arrives late.
    speaker.setAttribute('jitter-buffer', 'fixed');
    speaker.setAttribute('jitter-buffer-target', '4000');
    if (backend) speaker.setAttribute('audio-backend', backend);
  }, settings.backend);
}

/** Types `words` and presses Speak. */
export async function speak(page: Page, words: string): Promise<void> {
  await page.getByLabel('Text to speak').fill(words);
  await page.getByRole('button', { name: 'Speak', exact: true }).click();
}

/** The line that shows the state of the element; `data-state` is `speaker.state`. */
export const stateLine = (page: Page) => page.locator('#state');

/** Waits until so much has been heard that a word is sounding, and not the quiet before the first. */
export async function untilMidWord(page: Page): Promise<void> {
  await page.waitForFunction(() => document.querySelector('svc-speaker')!.currentTime > 0.7);
}

/** Waits until the page has played so many seconds more, be it silence. */
export async function letPass(recording: Recording, seconds: number): Promise<void> {
  const length = async () => (await recording.read()).samples.length;
  const from = await length();
  const { sampleRate } = await recording.read();
  await expect.poll(length, { timeout: 20_000 }).toBeGreaterThan(from + seconds * sampleRate);
}

/** Waits until everything has been said. */
export async function untilSaid(page: Page): Promise<void> {
  await expect(stateLine(page)).toHaveAttribute('data-state', 'ended', { timeout: 30_000 });
}
