import type { Browser } from 'playwright';
import type { SvcSpeakerElement } from '../../src/index.js';
import { readTap, tapDestination } from '../e2e/destination-tap.js';

/** In a context at this rate, every sample is heard as it was sent. */
const SPEECH_RATE = 24_000;

/** Said once on each page of a development server. */
const LIT_IN_DEVELOPMENT = /^Lit is in dev mode/;

/** What became of a page that was told to speak. */
export interface Spoken {
  /** Everything that reached the destination, silence included; empty if nothing did. */
  readonly samples: Float32Array;
  /** How samples went to the audio thread; null if they did not. */
  readonly transport: string | null;
  /** The speaker's error, `reason: message`; null if there was none. */
  readonly error: string | null;
  /** What the console and the content security policy had to say against the page. */
  readonly complaints: readonly string[];
}

/**
 * Opens a page, has its speaker speak one utterance to the end, and gives what was heard.
 *
 * @param session - Session URL.
 * @param tapUrl - Where the page finds the tap if it may not load a blob.
 */
export async function hear(browser: Browser, url: string, session: string, tapUrl?: string): Promise<Spoken> {
  const context = await browser.newContext();
  const complaints: string[] = [];
  try {
    const page = await context.newPage();
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type()) && !LIT_IN_DEVELOPMENT.test(message.text()))
        complaints.push(`${message.text()} (${message.location().url})`);
    });
    page.on('pageerror', (error) => complaints.push(String(error)));
    // What runs us may name functions with the help of a function that the page does not have.
    await page.addInitScript({ content: 'globalThis.__name ??= (named) => named;' });
    await page.addInitScript(() => {
      window.violations = [];
      document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sample }) => {
        window.violations.push(`${effectiveDirective} forbids ${blockedURI} ${sample}`);
      });
    });
    await tapDestination(page, SPEECH_RATE, tapUrl);
    await page.goto(url);
    const { transport, error } = await page.locator('svc-speaker').evaluate(speak, session);
    complaints.push(...(await page.evaluate(() => window.violations)));
    const heard = await readTap(page);
    if (heard.length > 1) throw new Error(`${heard.length} contexts played something`);
    return { samples: heard[0]?.samples ?? new Float32Array(0), transport, error, complaints };
  } finally {
    await context.close();
  }
}

/** Runs in the page. */
async function speak(element: Element, session: string): Promise<{ transport: string | null; error: string | null }> {
  await customElements.whenDefined('svc-speaker');
  const speaker = element as SvcSpeakerElement;
  // Exactly as it was sent, and not before all of it is there: then it does not matter how busy the machine is.
  speaker.jitterBuffer = 'fixed';
  speaker.jitterBufferTarget = 4000;
  speaker.src = session;
  try {
    await speaker.speak('Hello.').finished;
    return { transport: speaker.getStats().transport, error: null };
  } catch (error) {
    const { reason, message } = error as { reason?: string; message: string };
    return { transport: null, error: `${reason}: ${message}` };
  }
}

declare global {
  interface Window {
    violations: string[];
  }
}
