import type { PlayoutSettings } from '../output/index.js';
import type { Transport } from '../ring/index.js';

/** Settings of the element that decide what is loaded, and when the output is made. */
interface Wish extends Element, Pick<PlayoutSettings, 'resampler'> {
  readonly transport: Transport | 'auto';
  readonly prepare: string;
}

/** Elements whose presses are watched. */
const watched = new WeakSet<Wish>();

/**
 * Loads what the first word needs, ahead of it: the code, the thread files that are built in, and the resampler's tables.
 * Requests no session, opens no socket, and makes neither a worker nor an AudioContext until the user presses a button.
 *
 * Main thread.
 *
 * @param onPress - Called when the user presses a control of the element, or what its `prepare` selects.
 */
export async function preload(element: Wish, onPress: () => void): Promise<void> {
  watchPresses(element, onPress);
  const { prepareTables } = await import('../output/on-demand.js');
  prepareTables(element.transport, element.resampler);
}

function watchPresses(element: Wish, onPress: () => void): void {
  const { ownerDocument } = element;
  if (watched.has(element)) return;
  watched.add(element);
  const watching = new AbortController();
  const press = (event: Event): void => {
    if (!element.isConnected || element.ownerDocument !== ownerDocument) {
      watching.abort();
      watched.delete(element);
      return;
    }
    const isWanted = event.composedPath().some((node) => node === element || matches(node, element.prepare));
    // A touch allows sound only when it ends. An earlier context would make the browser warn.
    if (isWanted && (navigator.userActivation?.isActive ?? true)) onPress();
  };
  ownerDocument.addEventListener('pointerdown', press, { capture: true, passive: true, signal: watching.signal });
}

function matches(node: EventTarget, selector: string): boolean {
  return selector !== '' && 'matches' in node && (node as Element).matches(selector);
}
