import type { Rule } from './mapped-text.js';
import { sayDigits, sayInteger } from './number-words.js';

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
const DOMAINS =
  'com|org|net|edu|gov|mil|int|info|io|ai|app|dev|eu|uk|us|ca|au|de|fr|it|es|nl|ch|at|se|jp|cn|in|br|co|tv|gg|xyz|abc|tech|online|shop|store|blog|site|cloud|news';

/** Names of files are recognized by their ends. */
const FILES =
  'txt|md|pdf|docx?|xlsx?|pptx?|csv|json|jsx?|tsx?|mjs|py|rb|go|rs|java|cpp|html?|css|xml|ya?ml|toml|ini|env|log|sh|exe|dll|' +
  'zip|gz|tar|jpe?g|png|gif|svg|webp|mp[34]|wav|ogg|webm|mov|avi|ttf|sql|db|lock';

/** The full stop in the name of a file or of a program that is named like one, such as Node.js. */
export const FILE_RULE: Rule = [
  new RegExp(String.raw`(?<=[\p{L}\p{N}_)-])\.(?=(?:${FILES})(?![\p{L}\p{N}_]))`, 'gu'),
  ' dot ',
];

/** Web and e-mail addresses, and names of domains. */
export const ADDRESS = new RegExp(
  String.raw`((?:(?:https?|ftp|file):\/\/|www\.)\S{1,2000}|(?<![\w.+-])[\w.+&-]{1,64}@[\w-]{1,64}\.[\w.-]{1,255}(?:\/[\w./-]{0,500})?` +
    String.raw`|(?<![\w.@-])(?:(?:[a-z0-9-]{1,63}\.){1,5}(?:${DOMAINS})(?![\w-])|localhost(?=:\d|\/)|(?:\d{1,3}\.){3}\d{1,3}(?=:\d{1,5}\/|\/\D))(?::\d{1,5})?(?:\/[\w./?=&%-]{0,500})?)`,
  'gi',
);

/**
 * Writes out an address: "a.b@example.com" becomes "a dot b at example dot com". The scheme of a web address is left out,
 * and its digits are read one by one, thousands excepted.
 *
 * @param address - Match of {@link ADDRESS}. Marks at its end belong to the sentence.
 */
export function sayAddress(address: string): string {
  const end = /[.,:;!?'")\]]*$/.exec(address)![0];
  const rest = address.slice(0, address.length - end.length).replace(/^(?:https?|ftp):\/\//i, '');
  return (
    rest
      .replace(/\d+/g, (digits) => ` ${/^[1-9]000$/.test(digits) ? sayInteger(digits) : sayDigits(digits)} `)
      .replace(/[.@/:_~+&=?#%-]/g, (mark) => MARKS[mark]!)
      .replace(/ {2,}/g, ' ')
      .trim() + end
  );
}
