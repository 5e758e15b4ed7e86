import { isRange } from './node-kinds.js';
import { PageText } from './page-text.js';

/** A page that changes often is reported at most this often, in ms. */
const CHANGES_MS = 250;

/** Declarations that hide a part of a page. Others, such as those of an animation, do not change what is read. */
const HIDING = /\b(?:display|visibility|position|(?:max-)?height)\s*:[^;]*/g;

/** A part of a page whose text may change. Main thread. */
export class LivePage {
  readonly #target: Element | Range;
  readonly #changes: MutationObserver;
  #text: PageText;
  #isStale = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param onChange - Called a moment after changes. */
  constructor(target: Element | Range, onChange: () => void) {
    this.#target = target;
    this.#text = new PageText(target);
    this.#changes = new MutationObserver((records) => {
      if (!records.some(mayMatter)) return;
      this.#isStale = true;
      this.#timer ??= setTimeout(() => {
        this.#timer = undefined;
        onChange();
      }, CHANGES_MS);
    });
    this.#changes.observe(this.root, {
      subtree: true,
      childList: true,
      characterData: true,
      attributeFilter: ['hidden', 'aria-hidden', 'inert', 'open', 'lang', 'alt', 'class', 'style'],
      attributeOldValue: true,
    });
  }

  /** The node that contains all of it. */
  get root(): Node {
    return isRange(this.#target) ? this.#target.commonAncestorContainer : this.#target;
  }

  /** The text as it was read last. */
  get text(): PageText {
    return this.#text;
  }

  /** Reads the page again if it has changed. Returns true if it did. */
  refresh(): boolean {
    this.#isStale ||= this.#changes.takeRecords().some(mayMatter);
    if (!this.#isStale) return false;
    this.#isStale = false;
    this.#text = new PageText(this.#target);
    return true;
  }

  /** Ends the observation. */
  close(): void {
    this.#changes.disconnect();
    clearTimeout(this.#timer);
  }
}

/** True if the text may be another one after a change. */
function mayMatter({ attributeName, oldValue, target }: MutationRecord): boolean {
  if (attributeName !== 'style') return true;
  return hidingIn(oldValue) !== hidingIn((target as Element).getAttribute('style'));
}

function hidingIn(style: string | null): string {
  return (style?.match(HIDING) ?? []).join();
}
