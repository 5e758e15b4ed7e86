import type { PlayoutSettings } from '../output/index.js';
import type { Transport } from '../ring/index.js';

/** Settings of the element that decide what is loaded, and when the output is made. */
interface Wish extends Element, Pick<PlayoutSettings, 'resampler'> {
  readonly transport: Transport | 'auto';
  readonly prepare: string;
}

/** Events that come before the click or the key that speaks: the pointer or the focus arrives, a button is pressed. */
const SIGNS = ['pointerover', 'focusin', 'pointerdown'] as const;

/** Elements whose signs are watched. */
const watched = new WeakSet<Wish>();

/**
 * Loads what the first word needs, ahead of it: the code, the thread files that are built in, and the resampler's tables.
 * Requests no session, opens no socket, and makes neither a worker nor an AudioContext until the user comes to a button.
 *
 * Main thread.
 *
 * @param onSign - Called when the user comes to a control of the element, or to what its `prepare` selects, and when it is
 *   pressed.
 */
export async function preload(element: Wish, onSign: () => void): Promise<void> {
  watchSigns(element, onSign);
  const { prepareTables } = await import('../output/on-demand.js');
  prepareTables(element.transport, element.resampler);
}

function watchSigns(element: Wish, onSign: () => void): void {
  const { ownerDocument } = element;
  if (watched.has(element)) return;
  watched.add(element);
  const watching = new AbortController();
  const check = (event: Event): void => {
    if (!element.isConnected || element.ownerDocument !== ownerDocument) {
      watching.abort();
      watched.delete(element);
      return;
    }
    if (event.composedPath().some((node) => node === element || matches(node, element.prepare))) onSign();
  };
  const options = { capture: true, passive: true, signal: watching.signal };
  for (const type of SIGNS) ownerDocument.addEventListener(type, check, options);
}

function matches(node: EventTarget, selector: string): boolean {
  return selector !== '' && 'matches' in node && (node as Element).matches(selector);
}
