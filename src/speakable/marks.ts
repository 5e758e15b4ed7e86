/** A mark that may be Markdown. A text without one is spoken as it is. Searches from `lastIndex` on. */
export const MARK =
  /[*_`~<◁[&\\|^{【\uE200-\uE204─-▟]|%%|##\d|:cont|(?<!\S):\S+:|citet|==|\$(?![\d.,]*(\s(?![-+=*/<>\\])|$))|\b(?:(ht|f)tps?:\/\/|www\.)|^(?:[ \t]*(?:[#>=+•‣◦▪●-]|:::|\d{1,9}[.)]\s)| {4}| {0,3}\t)/gim;

/** `markdown` speaks text without its marks, `plain` as it is. */
export type MarkupMode = 'markdown' | 'plain';

/** Words and phrases, with the text that is spoken for them. */
export type Lexicon = Readonly<Record<string, string>>;

/** Wishes of the page for the speech of a text. */
export interface SpokenAs {
  /** How the marks of Markdown are spoken. */
  readonly markup: MarkupMode;
  /** Speech for words and phrases; null if they are spoken as they are written. */
  readonly lexicon: Lexicon | null;
}

/** True if a text is spoken exactly as it is written. */
export function isSpokenAsWritten(text: string, { markup, lexicon }: SpokenAs): boolean {
  MARK.lastIndex = 0;
  return lexicon === null && (markup === 'plain' || !MARK.test(text));
}
