import { sayDigits } from './number-words.js';

const MARKS: Readonly<Record<string, string>> = {
  '.': ' dot ',
  '@': ' at ',
  '/': ' slash ',
  ':': ' colon ',
  '-': ' dash ',
  _: ' underscore ',
  '~': ' tilde ',
  '+': ' plus ',
  '&': ' ampersand ',
  '=': ' equals ',
  '?': ' question mark ',
  '#': ' hash ',
  '%': ' percent ',
};

/** Top-level domains by which a name such as `example.com` is recognized. Others may be names of files. */
const DOMAINS = 'com|org|net|edu|gov|mil|int|info|io|ai|app|dev|eu|uk|us|ca|au|de|fr|it|es|nl|ch|at|se|jp|cn|in|br';

/** Web and e-mail addresses, and names of domains. */
export const ADDRESS = new RegExp(
  String.raw`((?:(?:https?|ftp|file):\/\/|www\.)\S{1,2000}|(?<![\w.+-])[\w.+&-]{1,64}@[\w-]{1,64}\.[\w.-]{1,255}(?:\/[\w./-]{0,500})?` +
    String.raw`|(?<![\w.@-])(?:[a-z0-9-]{1,63}\.){1,5}(?:${DOMAINS})(?![\w-])(?:\/[\w./-]{0,500})?)`,
  'gi',
);

/**
 * Writes out an address: "a.b@example.com" becomes "a dot b at example dot com". The scheme of a web address is left out,
 * and its digits are read one by one.
 *
 * @param address - Match of {@link ADDRESS}. Marks at its end belong to the sentence.
 */
export function sayAddress(address: string): string {
  const end = /[.,:;!?'")\]]*$/.exec(address)![0];
  const rest = address.slice(0, address.length - end.length).replace(/^(?:https?|ftp):\/\//i, '');
  return (
    rest
      .replace(/\d+/g, (digits) => ` ${sayDigits(digits)} `)
      .replace(/[.@/:_~+&=?#%-]/g, (mark) => MARKS[mark]!)
      .replace(/ {2,}/g, ' ')
      .trim() + end
  );
}
