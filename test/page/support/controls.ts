import { sendMouse } from '@web/test-runner-commands';
import type { SvcSpeakerElement } from '../../../src/index.js';

/** Returns a part of the controls. */
export function part(speaker: SvcSpeakerElement, name: string): HTMLElement {
  return speaker.shadowRoot!.querySelector<HTMLElement>(`[part=${name}]`)!;
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
