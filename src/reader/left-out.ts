import { isShadowRoot, isText } from './node-kinds.js';

/** True for text that can be spoken. */
export const HAS_WORDS = /[\p{L}\p{N}]/u;

/** Elements that are not read. */
const NAMES = words(
  'script style noscript template iframe object embed canvas audio video input select textarea datalist progress meter ' +
    'annotation legend nav aside dialog rt rp rtc head',
);
/** Roles of parts that are not the text itself: WAI-ARIA, and DPUB-ARIA for notes. */
const ROLES = words(
  'navigation complementary banner contentinfo search form dialog alertdialog status tooltip menu menubar toolbar ' +
    'tablist switch doc-noteref doc-backlink doc-endnotes doc-footnote doc-toc doc-pagebreak',
);
/** Parts of books in EPUB's vocabulary that interrupt the text. */
const TYPES = /(?:^|\s)(?:noteref|footnotes?|endnotes?|rearnotes?|pagebreak|toc)(?:\s|$)/;
/** Classes of such parts in widespread systems: MediaWiki, WordPress and its plugins, editions of books, banners. */
const CLASSES = new RegExp(
  String.raw`(?:^|\s)(?:mw-editsection|noprint|infobox|navbox|reflist|references|hatnote|ambox|catlinks|skip-link|` +
    `breadcrumbs?|toc|table-of-contents|ez-toc-container|pagination|sharedaddy|jp-relatedposts|related-posts|` +
    `comment-(?:reply-link|edit-link|respond)|wprm-recipe-(?:jump|print)|gist|material-(?:icons|symbols).*|` +
    `footnotes?|footnote-(?:ref|anchor)|wp-block-footnotes|sidenote|marginnote|pagenum|linenum|lineno|` +
    String.raw`adsbygoogle|advertisement|ad-(?:slot|container|wrapper|banner|label)|outbrain|taboola|` +
    String.raw`cookie-(?:banner|consent|notice))(?:\s|$)`,
  'i',
);
/** Classes of text for screen readers only. */
const UNSEEN = /(?:^|\s)(?:sr-only|visually-hidden|screen-reader-text)(?:\s|$)/;
/** Classes of code, by the tools that colour it. */
const CODE = /(?:^|[\s-])(?:highlight|language-|code|shiki|prettyprint|hljs)/i;
/** Addresses with which the page is shared. */
const SHARES =
  /\/intent\/|\/sharer|\/share(?:\?|-|Article)|\/submit\?|\/pin\/create|\/\/wa\.me\/\?|\/send\?text|^mailto:\?/;
/** A link to a heading, or back from a note. */
const SIGN = /^[\uFE0E\u200B\s#¶§↩🔗]+$/u;
/** Marks of one or several notes, such as [12], (*3), † or 1,4–6. */
const NOTE_MARK = /^\s*(?:[[(].{0,20}[\])]|[*†‡§¶]{1,3}|\*?(?:\d{1,3}|[a-z])(?:[\s,;–-]+(?:\d{1,3}|[a-z]))*)\s*$/;
/** Parts of which a button may be the title. */
const TITLES = 'h1, h2, h3, h4, h5, h6, [role=heading], dt, th, summary';
/** A form with more text than this many characters is around the page, as in ASP.NET. */
const FORM_MAX = 1000;
/** Text that is so far out of the page, in px, is hidden from the eyes. */
const FAR_OUT = -3000;

/** Decides for elements of some roles or names. */
const BY_NAME: Readonly<Record<string, (element: Element) => boolean>> = {
  a: (link) => SIGN.test(link.textContent) || SHARES.test(link.getAttribute('href') ?? ''),
  button: (button) => !isInText(button),
  // A note in Bootstrap, and a message elsewhere.
  alert: (alert) => !alert.matches('.alert'),
  label: (label) => !label.closest('li'),
  form: ({ textContent }) => textContent.length < FORM_MAX,
  sup: isNoteMark,
  pre: isCode,
  div: isCode,
  figure: isCode,
  table: isCode,
  header: isOfPage,
  footer: isOfPage,
};

/** True if an element and all in it is not read. */
export function isLeftOut(element: Element): boolean {
  const name = element.localName;
  const role = element.getAttribute('role')?.trim().toLowerCase() ?? '';
  if (NAMES.has(name) || ROLES.has(role)) return true;
  if (element.hasAttribute('hidden') || element.hasAttribute('inert')) return true;
  if (element.getAttribute('aria-hidden') === 'true') return true;
  if (CLASSES.test(element.getAttribute('class') ?? '')) return true;
  if (TYPES.test(element.getAttribute('epub:type') ?? '')) return true;
  if (element.getAttribute('itemtype')?.endsWith('/BreadcrumbList')) return true;
  if ((BY_NAME[role] ?? BY_NAME[name])?.(element)) return true;
  return !isShown(element) || (isUnseen(element) && !isInPlace(element));
}

/** True for a button within running text, such as a word that explains itself, and for one that is a title. */
function isInText({ parentElement, textContent }: Element): boolean {
  if (parentElement?.matches(TITLES) && parentElement.textContent.trim() === textContent.trim()) return true;
  return [...(parentElement?.childNodes ?? [])].some((node) => isText(node) && HAS_WORDS.test(node.data));
}

/** True for a block of code, and for what is around nothing else. */
function isCode(element: Element): boolean {
  const isBlock = element.localName === 'pre';
  if (isBlock && element.querySelector('code, kbd, samp')) return true;
  if (!CODE.test(element.getAttribute('class') ?? '')) return false;
  return isBlock || (element.querySelector('pre') !== null && element.querySelector('p') === null);
}

/** True for the mark of a note: a link to it, or a sign. An exponent is neither. */
function isNoteMark(element: Element): boolean {
  const text = element.textContent;
  const isLink = (element.querySelector('a[href]') ?? element.closest('a[href]')) !== null;
  return NOTE_MARK.test(text) && (isLink || /[[*†‡§¶]/.test(text));
}

/** True for a header or footer of the whole page, rather than of an article, a quotation or a component in it. */
function isOfPage(element: Element): boolean {
  if (element.parentElement?.closest('article, main, section, aside, nav, blockquote')) return false;
  const root = element.getRootNode();
  return !isShadowRoot(root) || root.querySelector('main') !== null;
}

function isShown(element: Element): boolean {
  const { display, visibility, position, overflow } = getComputedStyle(element);
  if (display === 'none' || visibility === 'hidden' || visibility === 'collapse') return false;
  // Banners, and buttons that stay in view.
  if (position === 'fixed') return false;
  // Images have no size before they are loaded.
  if (overflow === 'visible' || position === 'absolute' || display === 'contents' || !element.firstChild) return true;
  return element.getBoundingClientRect().height > 0;
}

/** True for text that is hidden from the eyes only. */
export function isUnseen(element: Element): boolean {
  if (UNSEEN.test(element.getAttribute('class') ?? '')) return true;
  const { position, overflow, left, top, clip } = getComputedStyle(element);
  if (position !== 'absolute') return false;
  if (clip !== 'auto' || parseFloat(left) < FAR_OUT || parseFloat(top) < FAR_OUT) return true;
  const { width, height } = element.getBoundingClientRect();
  return overflow !== 'visible' && element.firstChild !== null && width <= 1 && height <= 1;
}

/**
 * True for unseen text in place of text beside it that is seen, and hidden from screen readers: a formula, a price, a
 * drop cap, words for an abbreviation.
 */
function isInPlace(element: Element): boolean {
  const isFormula = element.querySelector('math') !== null;
  return [element.previousElementSibling, element.nextElementSibling].some(
    (other) =>
      other?.getAttribute('aria-hidden') === 'true' &&
      (isFormula || HAS_WORDS.test(other.textContent)) &&
      !CLASSES.test(other.className) &&
      isShown(other),
  );
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(' '));
}
