import { hostOf } from '../../../src/speakable/addresses.js';

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' };
/** Elements that begin and end lines. */
const LINES = /<\/?(?:br|p|div|li|ul|ol|td|tr|th|table|thead|tbody|h[1-6]|hr|blockquote|del|ins)\b[^>]*>/g;

/**
 * Returns the words that are spoken for HTML that a Markdown parser has made: its text, with the hosts of bare addresses
 * and the numbers of lists that do not begin with 1, and without code blocks.
 */
export function wordsOfHtml(html: string): string {
  const text = html
    .replaceAll(/<!--[^]*?-->/g, '')
    .replaceAll(/<(pre|script|style|textarea)\b[^>]*>[^]*?(?:<\/\1>|$)/gi, ' ')
    .replaceAll(/<a href="[^"]*">([^<]*)<\/a>/g, (link, name: string) =>
      /^(?:[a-z][\w+.-]{1,31}:|www\.)/i.test(name) ? hostOf(name) : link,
    )
    .replaceAll(/(?<![="'\w])https?:\/\/[^\s<&]+/g, (address) => hostOf(address))
    .replaceAll(/<ol start="([1-9]\d*)">\s*<li>/g, ' $1 ')
    .replaceAll(/<img [^>]*?alt="([^"]*)"[^>]*>/g, '$1')
    .replaceAll(/<(?:\?[^]*?\?|!\[CDATA\[[^]*?\]\]|![A-Z][^>]*)>/g, '')
    .replaceAll(LINES, ' ')
    .replaceAll(/<\/?[A-Za-z](?:"[^"]*"|'[^']*'|[^>"'])*>/g, '')
    .replaceAll(/&(\w+);/g, (entity, name: string) => ENTITIES[name] ?? entity);
  return wordsOf(text);
}

/** Returns the words of a text, with one space between them. */
export function wordsOf(text: string): string {
  return (text.match(/[\p{L}\p{N}]+/gu) ?? []).join(' ');
}
