import type { Page } from '@playwright/test';
import type {} from '../../src/define.js';
import { expect, type Recording, soundOf, test as base } from '../../src/testing/index.js';
import { RecordingProxy } from './recording-proxy.js';

/** Adds the demo that playwright.config.ts starts, and a proxy to its service that records what the service sends. */
export const test = base.extend<{ demo: Demo; service: RecordingProxy }>({
  // Playwright reads the names of the fixtures from the pattern, so the pattern must be there.
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

/** The demo that is being served. */
export interface Demo {
  /** URL of its page, with a trailing slash. */
  readonly url: string;
}

/** Settings of the page's element before it speaks. */
export interface SpeakerSettings {
  readonly transport?: 'shared' | 'message';
  readonly backend?: 'native' | 'standardized';
}

/** Opens the demo, configures its element and waits until Speak can be pressed. */
export async function openDemo(page: Page, { url }: Demo, settings: SpeakerSettings = {}): Promise<void> {
  await page.goto(url);
  await expect(page.getByRole('button', { name: 'Speak', exact: true })).toBeEnabled();
  if (settings.transport) await page.getByRole('radio', { name: settings.transport }).check({ force: true });
  await page.locator('svc-speaker').evaluate((speaker, backend) => {
    // The page then plays exactly what was sent, so the two can be compared: pace 1, and no gap when audio arrives
    // late.
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

/** Waits until playback is in the middle of a word, past the quiet at the start. */
export async function untilMidWord(page: Page): Promise<void> {
  await page.waitForFunction(() => document.querySelector('svc-speaker')!.currentTime > 0.7);
}

/** Waits until the page has rendered `seconds` of silence after the last sound. */
export async function untilSilentFor(recording: Recording, seconds: number): Promise<void> {
  const silence = async (): Promise<number> => {
    const heard = await recording.read();
    return (heard.samples.length - soundOf(heard).to) / heard.sampleRate;
  };
  await expect.poll(silence).toBeGreaterThan(seconds);
}

/** Waits until all of the text has been spoken. */
export async function untilSaid(page: Page): Promise<void> {
  await expect(stateLine(page)).toHaveAttribute('data-state', 'ended');
}
