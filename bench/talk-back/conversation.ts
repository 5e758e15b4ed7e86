import type { Page } from 'playwright';
import type { SvcSpeakerElement } from '../../src/index.js';

declare global {
  interface Window {
    /** Kept by {@link Conversation}. */
    conversation: { ducks: number; stops: number; spokenSeconds: () => number };
  }
}

/** Settings of the page. */
export interface Settings {
  /** Value of the page's choice. */
  readonly echo: 'on' | 'all' | 'off';
  /** Probability from which a frame has voice. */
  readonly threshold: number;
  /** Milliseconds of voice that are enough to stop the story. */
  readonly enoughMs: number;
  /** The page calls `setSinkId()` with this output device. */
  readonly sink?: string;
}

/** The demo page `talk-back`, with what is counted in it. */
export class Conversation {
  readonly #page: Page;

  private constructor(page: Page) {
    this.#page = page;
  }

  /** Opens the page, and listens to the microphone. @param url - Address of the demo. */
  static async open(page: Page, url: string, { echo, threshold, enoughMs, sink }: Settings): Promise<Conversation> {
    // tsx names functions with the help of a function that the page does not have.
    await page.addInitScript({ content: 'globalThis.__name ??= (named) => named;' });
    await page.goto(`${url}demo/talk-back/`);
    await page.getByLabel('Echo cancellation').selectOption(echo);
    await page.getByLabel('Voice threshold').fill(String(threshold));
    await page.getByLabel('Stop after voice of').fill(String(enoughMs));
    await page.evaluate(() => {
      const speaker = document.querySelector<SvcSpeakerElement>('svc-speaker')!;
      const spoken: { heard: { seconds: number } }[] = [];
      const spokenSeconds = (): number => spoken.reduce((sum, { heard }) => sum + heard.seconds, 0);
      window.conversation = { ducks: 0, stops: 0, spokenSeconds };
      speaker.addEventListener('utterancestart', ({ utterance }) => spoken.push(utterance));
      speaker.addEventListener('duckstart', () => window.conversation.ducks++);
      new MutationObserver((changes) => {
        const lines = changes.flatMap(({ addedNodes }) => [...addedNodes]);
        window.conversation.stops += lines.filter(({ textContent }) => textContent!.includes('stopped')).length;
      }).observe(document.querySelector('#journal')!, { childList: true });
    });
    await page.getByRole('button', { name: 'Listen' }).click();
    await page.getByText('Listening to the microphone.').waitFor();
    if (sink !== undefined) {
      await page.evaluate(async (label) => {
        const devices = await navigator.mediaDevices.enumerateDevices();
        const device = devices.find((one) => one.kind === 'audiooutput' && one.label === label);
        if (!device) throw new Error(`No ${label}. There are: ${devices.map((one) => one.label).join(', ')}.`);
        await document.querySelector<SvcSpeakerElement>('svc-speaker')!.setSinkId(device.deviceId);
      }, sink);
    }
    return new Conversation(page);
  }

  /** Sets the text of the story. */
  async setStory(text: string): Promise<void> {
    await this.#page.getByLabel('Story').fill(text);
  }

  /** Begins the story from its first word. Resolves when it is heard. */
  async speak(): Promise<void> {
    const started = this.#page.evaluate(
      () =>
        new Promise<void>((resolve) => {
          document
            .querySelector<SvcSpeakerElement>('svc-speaker')!
            .addEventListener('utterancestart', () => resolve(), { once: true });
        }),
    );
    await this.#page.getByRole('button', { name: 'Speak', exact: true }).click();
    await started;
  }

  /** Silences the story. */
  async hush(): Promise<void> {
    await this.#page.evaluate(() => document.querySelector<SvcSpeakerElement>('svc-speaker')!.cancel());
  }

  /** Number of ducks and of stops so far, and the output latency in seconds. */
  read(): Promise<{ ducks: number; stops: number; outputLatency: number }> {
    return this.#page.evaluate(() => {
      const { ducks, stops } = window.conversation;
      const { outputLatency } = document.querySelector<SvcSpeakerElement>('svc-speaker')!.getStats();
      return { ducks, stops, outputLatency: outputLatency ?? 0 };
    });
  }

  /** Tells the story for `seconds` of speech, and goes on by itself after each stop. */
  async tell(seconds: number): Promise<void> {
    await this.speak();
    await this.#page.evaluate(async (wanted) => {
      const speaker = document.querySelector<SvcSpeakerElement>('svc-speaker')!;
      const goOn = document.querySelector<HTMLButtonElement>('#go-on')!;
      const speak = document.querySelector<HTMLButtonElement>('#speak')!;
      while (window.conversation.spokenSeconds() < wanted) {
        if (!speaker.hasSpeech) (goOn.disabled ? speak : goOn).click();
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      speaker.cancel();
    }, seconds);
  }
}
