/**
 * Reads pages aloud with a `<svc-speaker>`, and highlights what is heard. Loaded only by pages that import it. Registers
 * `<svc-reader>`, a bar for it, unless the page has already registered it. In Node it does nothing.
 *
 * @packageDocumentation
 */
import type { SvcSpeakerElement } from '../index.js';
import { isElement, isRange } from './node-kinds.js';
import { Reading, type ReadOptions } from './reading.js';
import { selectedRange } from './selected-range.js';
import { SvcReaderElement } from './svc-reader-element.js';

export { Reading, SvcReaderElement };
export type { ReadingPosition } from './page-text.js';
export type { ReadingEventMap, ReadOptions } from './reading.js';

/**
 * Begins to read a part of a page aloud. Call it in a click or a key press, so that the browser allows sound.
 *
 * @param target - An element, a range, or the selection (of which a copy is read).
 * @throws {TypeError} If `target` is none of these, or a selection without a range.
 */
export function read(
  speaker: SvcSpeakerElement,
  target: Element | Range | Selection,
  options: ReadOptions = {},
): Reading {
  const isObject = typeof target === 'object' && target !== null;
  const wanted = isObject && 'getRangeAt' in target ? copyOf(target) : target;
  if (!isObject || !(isRange(wanted) || isElement(wanted))) {
    throw new TypeError('read() needs an element, a range or the selection. Check that the element exists.');
  }
  return new Reading(speaker, wanted, options);
}

function copyOf(selection: Selection): Range {
  const range = selectedRange(selection);
  if (range) return range;
  throw new TypeError('read() got a selection in which nothing is selected. Select text, or pass an element.');
}

if (globalThis.customElements && !customElements.get('svc-reader'))
  customElements.define('svc-reader', SvcReaderElement);

declare global {
  interface HTMLElementTagNameMap {
    'svc-reader': SvcReaderElement;
  }
}
