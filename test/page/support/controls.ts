import { sendMouse } from '@web/test-runner-commands';
import type { SvcSpeakerElement } from '../../../src/index.js';
import { speaking } from '../../../src/testing/script.js';
import { setAutoplayPolicy } from './autoplay.js';
import { exact } from './sound.js';
import { makeSpeaker, next, scriptedSpeaker, sessionUrl } from './speaker.js';

type Attributes = Record<string, string | boolean>;
/** States that the controls show. */
export type State = 'ready' | 'connecting' | 'buffering' | 'speaking' | 'paused' | 'blocked' | 'error';

/** Speech that is longer than any test. The speaker is removed before its end. */
export const long = speaking({ tone: 440, seconds: 20 });
/** Message of the speaker in the state `error`. */
export const MESSAGE =
  'the backend at https://speech.example.test/session/with/a/rather/long/path said that there is no capacity left';

/** Creates a speaker with controls, in a state. */
export const make: Record<State, (attributes?: Attributes) => Promise<SvcSpeakerElement>> = {
  async ready(attributes) {
    const speaker = scriptedSpeaker(long, { controls: true, text: 'Hello.', ...exact, ...attributes });
    await speaker.updateComplete;
    return speaker;
  },
  async connecting(attributes) {
    const speaker = makeSpeaker({ controls: true, ...attributes });
    speaker.sessionProvider = () => new Promise(() => {});
    speaker.speak('Hello.');
    await next(speaker, 'waiting');
    await speaker.updateComplete;
    return speaker;
  },
  async buffering(attributes) {
    const speaker = makeSpeaker({ controls: true, src: sessionUrl([{ wait: 30_000 }]), ...attributes });
    speaker.speak('Hello.');
    await next(speaker, 'loadedmetadata');
    await speaker.updateComplete;
    return speaker;
  },
  async speaking(attributes) {
    const speaker = await make.ready(attributes);
    await speaker.play();
    await speaker.updateComplete;
    return speaker;
  },
  async paused(attributes) {
    const speaker = await make.speaking(attributes);
    speaker.pause();
    await next(speaker, 'pause');
    await speaker.updateComplete;
    return speaker;
  },
  async blocked(attributes) {
    const { AudioContext } = globalThis;
    // The browser of the tests allows every page to play, so this context imitates one that does not. For a real one,
    // see test/demo.
    globalThis.AudioContext = class extends AudioContext {
      constructor(options?: AudioContextOptions) {
        super(options);
        void super.suspend();
      }
      override get state(): AudioContextState {
        return super.state === 'closed' ? 'closed' : 'suspended';
      }
      override resume(): Promise<void> {
        return new Promise(() => {});
      }
    };
    setAutoplayPolicy('disallowed');
    try {
      const speaker = await make.ready(attributes);
      speaker.play().catch(() => {});
      await next(speaker, 'blocked');
      await speaker.updateComplete;
      return speaker;
    } finally {
      globalThis.AudioContext = AudioContext;
      setAutoplayPolicy('allowed');
    }
  },
  async error(attributes) {
    const speaker = makeSpeaker({ controls: true, text: 'Hello.', ...attributes });
    speaker.sessionProvider = () => Promise.reject(new Error(MESSAGE));
    speaker.play().catch(() => {});
    await next(speaker, 'pause');
    await speaker.updateComplete;
    return speaker;
  },
};

/** Returns a part of the controls. */
export function part(speaker: SvcSpeakerElement, name: string): HTMLElement {
  return speaker.shadowRoot!.querySelector<HTMLElement>(`[part=${name}]`)!;
}

/** Returns the canvas of the waveform. */
export function canvasOf(speaker: SvcSpeakerElement): HTMLCanvasElement {
  return part(speaker, 'meter').querySelector('canvas')!;
}

/** Text that the slots in an element show, including fallback content. */
export function shown(speaker: SvcSpeakerElement, selector: string): string {
  const slots = speaker.shadowRoot!.querySelectorAll<HTMLSlotElement>(`${selector} slot`);
  return [...slots]
    .filter((slot) => !slot.parentElement!.closest('slot')) // A slot in another one is its fallback content.
    .flatMap((slot) => slot.assignedNodes({ flatten: true }))
    .map((node) => node.textContent)
    .join('')
    .trim();
}

/** Sends a real click, at `at` of the width from the left. */
export async function click(element: HTMLElement, at = 0.5): Promise<void> {
  await sendMouse({ type: 'click', position: placeIn(element, at) });
}

/** Position in the page, in CSS pixels: `at` of the width from the left of an element. */
export function placeIn(element: HTMLElement, at: number): [number, number] {
  const { x, y, width, height } = element.getBoundingClientRect();
  return [Math.round(x + at * width), Math.round(y + height / 2)];
}
