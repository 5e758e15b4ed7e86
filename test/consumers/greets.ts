import assert from 'node:assert/strict';
import type { Browser, BrowserContext } from 'playwright';
import { installRecorder, record } from '../../src/testing/index.js';

/** Timeout for an app that compiles its page at the first request, on a busy machine. */
export const PATIENCE_MS = 300_000;

/** Amplitude above which a sample counts as audible: below that of words, above a resampler's ringing in a pause. */
const AUDIBLE = 0.02;

/**
 * Opens a page, clicks its button, and waits for the text of `#said`. Requires audible speech, and no error on the
 * console.
 *
 * @param button - Name of the button that starts the speech.
 * @param cookies - Cookies of the visitor.
 */
export async function assertGreets(
  browser: Browser,
  url: string,
  button: string,
  cookies: Parameters<BrowserContext['addCookies']>[0] = [],
): Promise<void> {
  const context = await browser.newContext();
  try {
    await context.addCookies(cookies);
    await installRecorder(context, { recordFromStart: true });
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(`${message.text()} (${message.location().url})`);
    });
    page.on('pageerror', (error) => complaints.push(String(error)));
    await page.goto(url, { timeout: PATIENCE_MS });
    await page.waitForFunction(() => customElements.get('svc-speaker') !== undefined);
    await page.getByRole('button', { name: button }).click();
    await page.waitForFunction(() => document.querySelector('#said')!.textContent !== '');
    assert.equal(await page.locator('#said').textContent(), 'The last sample has been heard.');
    assert.deepEqual(
      complaints.filter((complaint) => !complaint.includes('favicon.ico')),
      [],
    );
    const { samples, sampleRate } = await (await record(page)).read();
    const audible = samples.filter((sample) => Math.abs(sample) > AUDIBLE).length / sampleRate;
    assert.ok(audible > 0.5, `${audible} s of the greeting were loud`);
  } finally {
    await context.close();
  }
}
