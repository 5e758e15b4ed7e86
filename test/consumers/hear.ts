import type { Browser, ConsoleMessage, Page } from 'playwright';
import type { SvcSpeakerElement } from '../../src/index.js';
import { installRecorder, record } from '../../src/testing/index.js';
import { RECORDER_PATH } from './app-server.js';

/** Sample rate of the audio contexts, in Hz: that of the speech, so that samples are played without resampling. */
const SPEECH_RATE = 24_000;

/** Timeout of a page's events, on a busy machine. */
const PATIENCE_MS = 300_000;

/** Messages to ignore: the browser's request for an icon, and Lit's warning on a development server. */
const NO_FAULT = /favicon\.ico|^Lit is in dev mode/;

/** Result of a page that spoke one utterance. */
export interface Spoken {
  /** All samples that reached the destination, including silence. */
  readonly samples: Float32Array;
  /** Transport of the samples to the audio thread; null if the speech failed. */
  readonly transport: string | null;
  /** The speaker's error as `reason: message`; null if there was none. */
  readonly error: string | null;
  /** Console errors and warnings, uncaught errors and CSP violations. Missing files count as console errors. */
  readonly complaints: readonly string[];
}

/** Pages of a browser that record what they play. Each page is used for several apps. */
export class Listeners {
  readonly #browser: Browser;
  readonly #free: Page[] = [];

  constructor(browser: Browser) {
    this.#browser = browser;
  }

  /**
   * Opens a page of an app, lets its speaker speak one utterance to the end, and returns the recording.
   *
   * @param url - Page of the app.
   * @param session - Session URL.
   */
  async hear(url: string, session: string): Promise<Spoken> {
    const page = this.#free.pop() ?? (await this.#open());
    const complaints: string[] = [];
    const onConsole = (message: ConsoleMessage): void => {
      if (['error', 'warning'].includes(message.type()))
        complaints.push(`${message.text()} (${message.location().url})`);
    };
    const onError = (error: Error): void => void complaints.push(String(error));
    page.on('console', onConsole).on('pageerror', onError);
    await page.goto(url);
    const { transport, error } = await page.locator('svc-speaker').evaluate(speak, session);
    const { samples } = await (await record(page)).read();
    // An app of a framework shows in <output> how many `utteranceend` events its listener received.
    if (error === null)
      await page.waitForFunction(() => /^1?$/.test(document.querySelector('output')?.textContent ?? ''));
    complaints.push(...(await page.evaluate(() => window.violations)));
    page.off('console', onConsole).off('pageerror', onError);
    // Unload the app, so that it cannot affect the next one.
    await page.goto('about:blank');
    this.#free.push(page);
    return {
      samples,
      transport,
      error,
      complaints: complaints.filter((complaint) => !NO_FAULT.test(complaint)),
    };
  }

  async #open(): Promise<Page> {
    const context = await this.#browser.newContext();
    await installRecorder(context, {
      contextSampleRate: SPEECH_RATE,
      recordFromStart: true,
      recorderUrl: RECORDER_PATH,
    });
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    await page.addInitScript(() => {
      window.violations = [];
      document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sample }) => {
        window.violations.push(`${effectiveDirective} forbids ${blockedURI} ${sample}`);
      });
    });
    return page;
  }
}

/** Runs in the page. */
async function speak(element: Element, session: string): Promise<{ transport: string | null; error: string | null }> {
  await customElements.whenDefined('svc-speaker');
  const speaker = element as SvcSpeakerElement;
  // Buffer the whole utterance before playback, and do not adapt, so that a busy machine does not change the result.
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
