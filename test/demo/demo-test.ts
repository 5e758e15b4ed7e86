import type { Page } from '@playwright/test';
import type {} from '../../src/define.js';
import { expect, type Recording, test as base } from '../../src/testing/index.js';
import { startDemo, type DemoServer } from './demo-server.js';
import { RecordingProxy } from './recording-proxy.js';

/** Building, and installing on a fresh clone, may come before the first page. */
const START_TIMEOUT_MS = 240_000;

/** Tests of the demo: one `npm start` for all of a worker's tests, and a way to the service that knows what that sends. */
export const test = base.extend<{ service: RecordingProxy }, { demo: DemoServer }>({
  demo: [
    // Playwright reads the names of the fixtures from the pattern, so there has to be one.
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const demo = await startDemo();
      await use(demo);
      await demo.stop();
    },
    { scope: 'worker', timeout: START_TIMEOUT_MS },
  ],
  service: async ({ page }, use) => {
    const proxy = await RecordingProxy.start();
    await proxy.lead(page);
    await use(proxy);
    await proxy.close();
  },
});

export { expect };

/** How the element of the page is set before it speaks. */
export interface SpeakerSettings {
  readonly transport?: 'shared' | 'message';
  readonly backend?: 'native' | 'standardized';
}

/** Opens the demo, sets its element and waits until Speak can be pressed. */
export async function openDemo(page: Page, { url }: DemoServer, settings: SpeakerSettings = {}): Promise<void> {
  await page.goto(url);
  await expect(page.getByRole('button', { name: 'Speak', exact: true })).toBeEnabled();
  if (settings.transport) await page.getByRole('radio', { name: settings.transport }).check({ force: true });
  await page.locator('svc-speaker').evaluate((speaker, backend) => {
    // Pace 1 and nothing else: what is heard is then what was sent, and can be compared.
    speaker.setAttribute('jitter-buffer', 'fixed');
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
