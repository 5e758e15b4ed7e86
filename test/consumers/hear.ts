import type { Browser, ConsoleMessage, Page } from 'playwright';
import type { SvcSpeakerElement } from '../../src/index.js';
import { installRecorder, record } from '../../src/testing/index.js';
import { RECORDER_PATH } from './app-server.js';

/** In a context at this rate, every sample is heard as it was sent. */
const SPEECH_RATE = 24_000;

/** What is no fault of a page: the icon that the browser asks for, and what Lit says on a development server. */
const NO_FAULT = /favicon\.ico|^Lit is in dev mode/;

/** What became of a page that was told to speak. */
export interface Spoken {
  /** Everything that reached the destination, silence included. */
  readonly samples: Float32Array;
  /** How samples went to the audio thread; null if they did not. */
  readonly transport: string | null;
  /** The speaker's error, `reason: message`; null if there was none. */
  readonly error: string | null;
  /** What the console and the content security policy had to say against the page: files that are not there, too. */
  readonly complaints: readonly string[];
}

/** A browser with pages that record what is heard, each of them used again and again. */
export class Listeners {
  readonly #browser: Browser;
  readonly #free: Page[] = [];

  constructor(browser: Browser) {
    this.#browser = browser;
  }

  /**
   * Opens a page of an app, has its speaker speak one utterance to the end, and gives what was heard.
   *
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
    // An app of a framework counts the utterances that its listener was told of.
    if (error === null)
      await page.waitForFunction(() => /^1?$/.test(document.querySelector('output')?.textContent ?? ''));
    complaints.push(...(await page.evaluate(() => window.violations)));
    page.off('console', onConsole).off('pageerror', onError);
    // Nothing of this app is to be heard or seen in the next.
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
