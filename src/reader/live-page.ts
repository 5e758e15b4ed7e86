import { isRange } from './node-kinds.js';
import { PageText } from './page-text.js';

/** A page that changes often is reported at most this often, in ms. */
const CHANGES_MS = 250;
/** Attributes that decide what is read. */
const MEANING = ['hidden', 'aria-hidden', 'inert', 'open', 'lang', 'alt'];
/** Attributes that may hide or show something, and mostly do not. */
const STYLE = ['class', 'style'];

/** A part of a page whose text may change. Main thread. */
export class LivePage {
  readonly #target: Element | Range;
  readonly #changes: MutationObserver;
  #text: PageText;
  #isStale = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Elements with another style, and what each of them showed when it last had one. */
  readonly #restyled = new Set<Element>();
  readonly #looks = new WeakMap<Element, string>();

  /** @param onChange - Called a moment after changes. */
  constructor(target: Element | Range, onChange: () => void) {
    this.#target = target;
    this.#text = new PageText(target);
    this.#changes = new MutationObserver((records) => {
      this.#note(records);
      this.#timer ??= setTimeout(() => {
        this.#timer = undefined;
        onChange();
      }, CHANGES_MS);
    });
    this.#observe();
  }

  #observe(): void {
    const attributeFilter = [...MEANING, ...STYLE];
    for (const part of [this.root, ...this.#text.shadowRoots]) {
      this.#changes.observe(part, { subtree: true, childList: true, characterData: true, attributeFilter });
    }
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
    this.#note(this.#changes.takeRecords());
    for (const element of this.#restyled) {
      const look = lookOf(element);
      this.#isStale ||= look !== this.#looks.get(element);
      this.#looks.set(element, look);
    }
    this.#restyled.clear();
    if (!this.#isStale) return false;
    this.#isStale = false;
    this.#text = new PageText(this.#target);
    this.#observe();
    return true;
  }

  #note(records: readonly MutationRecord[]): void {
    for (const { attributeName, target } of records) {
      if (STYLE.includes(attributeName ?? '')) this.#restyled.add(target as Element);
      else this.#isStale = true;
    }
  }

  /** Ends the observation. */
  close(): void {
    this.#changes.disconnect();
    clearTimeout(this.#timer);
  }
}

/** Describes what an element shows, as far as its style decides it: which text, and how high it is. */
function lookOf(element: Element): string {
  const { innerText, offsetHeight } = element as HTMLElement;
  return `${offsetHeight} ${innerText}`;
}
