import { elementOf, shownIn, viewOf } from './node-kinds.js';

/** After the user has scrolled, the text is not followed for this long, in ms. */
const USER_SCROLL_MS = 5000;
/** Inputs with which a user scrolls. */
const SCROLL_INPUTS = ['wheel', 'touchmove', 'keydown', 'pointerdown'] as const;

/**
 * Scrolls to the text that is read, if it is out of sight and the user has not just scrolled. Follows
 * `prefers-reduced-motion`. Main thread.
 */
export class TextFollower {
  readonly #listening = new AbortController();
  #userAt = -Infinity;

  /** @param view - The window whose text is read. */
  constructor(view: Window) {
    const note = (): void => {
      this.#userAt = performance.now();
    };
    for (let shown: Window | undefined = view; shown; shown = shown.frameElement ? shown.parent : undefined) {
      for (const type of SCROLL_INPUTS) {
        shown.addEventListener(type, note, { passive: true, capture: true, signal: this.#listening.signal });
      }
    }
  }

  /** Follows again, because the user has gone elsewhere in the text. */
  resume(): void {
    this.#userAt = -Infinity;
  }

  /** Shows a range, if it is out of sight. */
  follow(range: Range): void {
    const element = elementOf(range.startContainer);
    if (!element || isInSight(range, element) || performance.now() - this.#userAt < USER_SCROLL_MS) return;
    const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches;
    element.scrollIntoView({ block: 'center', behavior: isCalm ? 'auto' : 'smooth' });
  }

  close(): void {
    this.#listening.abort();
  }
}

/** True if a range is within its window, within each box that scrolls, and so is each frame around it. */
function isInSight(range: Range, element: Element): boolean {
  let { top, bottom } = range.getBoundingClientRect();
  for (let part: Element | null = element; part; part = viewOf(part).frameElement) {
    if (part !== element) {
      const offset = part.getBoundingClientRect().top + part.clientTop;
      top += offset;
      bottom += offset;
    }
    if (top < 0 || bottom > viewOf(part).innerHeight) return false;
    // The window scrolls in place of the body.
    for (let box: Element | null = part; box && box !== part.ownerDocument.body; box = shownIn(box)) {
      const sides = box.getBoundingClientRect();
      const scrolls = /auto|scroll/.test(getComputedStyle(box).overflowY);
      if (scrolls && (top < sides.top || bottom > sides.bottom)) return false;
    }
  }
  return true;
}
