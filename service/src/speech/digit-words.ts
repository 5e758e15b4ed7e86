import { keys } from './abbreviations.js';
import type { Rule } from './mapped-text.js';
import { rule, START } from './number-patterns.js';
import { sayDigits, sayInteger, sayNumber } from './number-words.js';
import { CURRENCIES } from './unit-words.js';

/** Words before the number of an emergency service, and such numbers. */
const CALL =
  '(?:(?:call|text|ring|dial|contact)(?:s|ed|led|ing|ling)?|phon(?:e[ds]?|ing)|rang|reach(?:e[ds]|ing)?|emergency(?:\\snumbers?)?(?:\\sis|\\sare|:)?)(?:\\s(?:to|for|up))?';
const EMERGENCY =
  '(?:000|101|11[0-9]|[2-9]11|988|999)(?![\\d.,]?\\d|[-:]\\d|\\s(?:people|times|members|[a-z]{3,20}s)\\b(?<!\\s(?:services|always|is|was|has)))';

/** Rules of digits that are no number: telephone numbers, codes, versions and addresses of machines. */
export const DIGIT_RULES: readonly Rule[] = [
  // Dial *67, press 1#, 555-0100 x12
  [
    /(?<=\b(?:dial|press|enter|call|or)\s)(?=[*#]|\d{1,4}[*#])([*#]{0,2})(\d{1,4})([*#]?)(?![\d*#])/gi,
    (_, before, digits, after) => `${sayKeys(before)} ${sayDigits(digits)} ${sayKeys(after)}`.trim(),
  ],
  // call 911, dialed 112 or 999, Call 911 in the US, 112 in Europe
  [
    rule(
      `(?<=\\b${CALL}\\s(?:\\d(?:\\d\\d|-1-1)(?:,\\s(?:or\\s|and\\s)?|\\sor\\s|\\sand\\s|\\/)){0,4})${EMERGENCY}`,
      'giu',
    ),
    (digits) => sayDigits(digits),
  ],
  [
    rule(
      `(?<=(?:^|[.!?]\\s|\\b${CALL}\\s[^.!?\\n]{0,60}))${EMERGENCY}(?=\\s\\(?(?:if|in\\s(?:an\\semergency|Europe|Australia|the\\s(?:EU|UK|US|USA|United)))(?!\\p{L}))`,
      'giu',
    ),
    (digits) => sayDigits(digits),
  ],
  // Text HOME to 741741
  [/(?<=\b[Tt]ext\s["“']?\p{L}{2,20}["”']?\sto\s)\d{5,6}(?![\d.,]\d|\d)/gu, (digits) => sayDigits(digits)],
  // a 911 call, the 988 Lifeline, 9-1-1
  [
    rule(
      `(?<![\\p{L}\\p{N}.,$€£-])(?:[1-9]11|112|988|999)(?=\\s(?:calls?|call(?:er|ing)s?|operators?|dispatch(?:ers?)?|emergency|hotline|lifeline|crisis|suicide|recordings?|tapes?|responders?|systems?|services?|(?:was|is|were)\\s(?:called|dialed|contacted))\\b)`,
      'giu',
    ),
    (digits) => sayDigits(digits),
  ],
  [/(?<![\p{L}\p{N}.-])([1-9])-1-1(?![\p{L}\p{N}-])/gu, (_, first) => `${sayDigits(first)} one one`],
  [/(?<=(?<!\d)\d{1,3}-\d{4}|\d{3}\.\d{3}\.\d{4})(?:\s?x\s?(?=\d{1,5}(?!\d))|,?\s?ext\.?\s?(?=\d))/gi, ', extension '],
  [/\+\d{1,3}(?:[ .-]?\(?\d{1,5}\)?){1,6}/g, (found) => sayGroups(found)],
  [
    rule(
      `(?<![\\p{L}\\p{N}.-])(?:1[ .-])?(?:\\(\\d{3}\\)[ .-]?|\\d{3}[ .-])\\d{3}[ .-]\\d{4}(?:-\\d{1,5})?(?![\\p{L}\\p{N}-])`,
    ),
    (found) => sayGroups(found),
  ],
  [
    rule(
      `(?<![\\p{L}\\p{N}.,-])(?:\\(0\\d{1,4}\\)\\s?\\d{3,4}[ -]\\d{3,4}|0\\d{3,4}\\s\\d{5,6}|0\\d{2,4}\\s?/\\s?\\d{4,8})(?![\\p{L}\\p{N}]|[ .,-]\\d)`,
    ),
    (found) => sayGroups(found),
  ],
  // 1-800-FLOWERS
  [
    rule(
      `(?<![\\p{L}\\p{N}.-])((?:1[ -])?\\d{3}(?:-\\d{3})?)-(?=[A-Z]{4,8}(?![\\p{L}\\p{N}-])|(?:[A-Z]{2,5}-[A-Z\\d]{2,5}|[A-Z]{4}-\\d-[A-Z]{4})(?![\\p{L}\\p{N}-]))`,
    ),
    (_, digits) => `${digits.split(/[ -]/).map(sayDigits).join(', ')}, `,
  ],
  // 0x8007
  [
    rule(`(?<![\\p{L}\\p{N}])0x([0-9a-f]{1,64})(?![\\p{L}\\p{N}])`, 'giu'),
    (_, digits) => `zero x ${sayCharacters(digits)}`,
  ],
  // 58:E6:C5:13:8C:30, 550e8400-e29b-41d4-a716-446655440000
  [
    rule(
      `(?<![\\p{L}\\p{N}:-])(?:[\\da-f]{2}([:-])(?:[\\da-f]{2}\\1){4}[\\da-f]{2}|[\\da-f]{8}(?:-[\\da-f]{4}){3}-[\\da-f]{12})(?![\\p{L}\\p{N}:-])`,
      'giu',
    ),
    (found) => found.split(/[:-]/).map(sayCharacters).join(', '),
  ],
  // 2001:db8::1
  [
    rule(
      `(?<![\\p{L}\\p{N}:])(?=[\\da-f:]{0,36}::|(?:[\\da-f]{1,4}:){7})(?=[a-f:]{0,9}\\d)[\\da-f:]{3,39}(?![\\p{L}\\p{N}:]|\\.\\d)`,
      'giu',
    ),
    (address) => address.split(':').map(sayCharacters).join(' colon '),
  ],
  // PM2.5, Qwen2.5-72B, H.264
  [
    rule(
      `(?<=(?<![\\p{L}\\p{N}])(?!RM|(?:${keys(CURRENCIES)})\\d)(?:\\p{Lu}{1,4}|\\p{L}\\p{Ll}{2,12}|f))(\\d{1,3}\\.\\d{1,3})(?![\\p{L}\\p{N}]|[.,]\\d)`,
    ),
    (_, number) => ` ${sayNumber(number)}`,
  ],
  [
    rule(`(?<=(?<![\\p{L}\\p{N}.])\\p{Lu})\\.(\\d{3})(?![\\p{L}\\p{N}]|[.,]\\d)`),
    (_, digits) => ` ${sayDigits(digits)}`,
  ],
  // IBAN DE89 3704 0044 0532 0130 00
  [
    rule(
      `(?<![\\p{L}\\p{N}])[A-Z]{2}\\d{2}(?:\\s(?=[A-Z]{0,4}\\d)[A-Z\\d]{4}){3,7}(?:\\s[A-Z\\d]{1,3})?(?![\\p{L}\\p{N}])|(?<=\\bIBAN:?\\s)[A-Z]{2}\\d{2}[A-Z\\d]{11,30}(?![\\p{L}\\p{N}])`,
    ),
    (found) =>
      found
        .replaceAll(' ', '')
        .match(/.{1,4}/g)!
        .map(sayCharacters)
        .join(', '),
  ],
  // 123-45-6789, 978-3-16-148410-0, 4111 1111 1111 1111
  [rule(`(?<![\\p{L}\\p{N}.-])\\d{1,5}(?:-\\d{1,7}){2,5}(?![\\p{L}\\p{N}-]|\\s?=)`), (found) => sayGroups(found, 20)],
  [
    rule(`(?<![\\p{L}\\p{N}.-])(?:\\d{5,9}-\\d{1,4}|\\d{1,3}-\\d{5,9})(?![\\p{L}\\p{N}-]|\\s?=)`),
    (found) => sayGroups(found, 20),
  ],
  [rule(`(?<![\\p{L}\\p{N}.-])(\\d{5,9})-(?=\\d{5,9}(?![\\p{L}\\p{N}-]|\\s?=))`), '$1 to '],
  [rule(`(?<![\\p{L}\\p{N}.,-])\\d{4}(?:\\s\\d{4}){2,4}(?![\\p{L}\\p{N}]|[ .,-]\\d)`), (found) => sayGroups(found, 20)],
  // 1300 555 019, 020 7946 0958: numbers have groups of three after the first.
  [
    rule(
      `(?<![\\p{L}\\p{N}.,-])(?:\\d{4}\\s\\d{3}\\s\\d{3}|0\\d{1,4}(?:[ -]\\d{2,4}){2,4})(?![\\p{L}\\p{N}]|[ .,-]\\d)`,
    ),
    (found) => sayGroups(found),
  ],
  [
    new RegExp(
      String.raw`(?<=\b(?:ending(?: in)?|dial|extension|ext\.?|(?:code|pin|otp|zip|passcode|(?:account|tracking|confirmation|serial|member)\snumber)(?:\sis)?:?)\s["“']?)(\d{3,8})(?:\s(\d{3,4}))?(?![\d.,]\d|\d)`,
      'gi',
    ),
    (_, digits, more) => sayDigits(digits) + (more ? `, ${sayDigits(more)}` : ''),
  ],
  // ISBN-13: 978-0306406157, ISSN 1234-567X
  [
    /(?<=\b(?:ISBN(?:[- ]1[03])?|ISSN)[:#]?\s)(\d[\d-]{6,16})(?:-?(X))?(?![\p{L}\d-])/gu,
    (_, digits, check) => digits.split('-').filter(Boolean).map(sayDigits).join(', ') + (check ? ' X' : ''),
  ],
  // Acct. #12345678, PMID: 12345678
  [
    /(?<=\b(?:acct\.?|account|PMID|SSN|EIN|IMEI|NPI)(?:\s(?:no|number))?[.:]?\s)(#\s?)?(\d{5,15})(?![\p{L}\d]|[.,-]\d)/giu,
    (_, sign, digits) => `${sign ? 'number ' : ''}${sayDigits(digits)}`,
  ],
  // Springfield, IL 62704
  [rule(`(?<=\\p{L},?\\s(?:\\p{Lu}{2}|D\\.C\\.)\\s)\\d{5}(?![\\p{L}\\p{N}-]|[.,]\\d)`), (code) => sayDigits(code)],
  [rule(`(?<![\\p{L}\\p{N}.-])\\d{3}-\\d{4}(?![\\p{L}\\p{N}-])`), (found) => sayGroups(found)],
  // 2.0.0-rc1, 1.0.0-beta.1
  [
    /(?<=(?<![\p{L}\p{N}.])v?\d{1,4}(?:\.\d{1,4}){1,3})-?(rc|alpha|beta|dev|pre|preview)[.-]?(\d{0,4})(?![\p{L}\p{N}])/gu,
    (_, stage, number) => ` ${stage === 'rc' ? 'RC' : stage}${number && ` ${number}`}`,
  ],
  // v2, V2.1, but not the engine V8
  [
    rule(`(?<![\\p{L}\\p{N}])([vV]ersion\\s)?(?:v(?=\\d{1,5}(?:[.,;:!?)\\s]|$))|V(?=\\d{1,5}\\.\\d))`),
    (_, version = 'version ') => version,
  ],
  [
    rule(`${START}(\\d{1,3}(?:\\.\\d{1,3}){3})(?::(\\d{1,5})|/(\\d{1,2}))?(?![\\p{L}\\p{N}]|[.:]\\d)`),
    (_, address, port, bits) =>
      address.split('.').map(sayDigits).join(' dot ') +
      (port ? ` colon ${sayDigits(port)}` : '') +
      (bits ? ` slash ${sayInteger(bits)}` : ''),
  ],
  [
    rule(`${START}\\d{1,5}(?:(?:\\.\\d{1,5}){2,6}|(?:\\.\\d{1,5}){0,6}\\.x)(?![\\p{L}\\p{N}])`),
    (found) => found.replaceAll('.', ' point ').replace(/\d+/g, sayInteger),
  ],
];

/** Writes out keys of a telephone. */
function sayKeys(pressed: string): string {
  return Array.from(pressed, (key) => (key === '*' ? 'star' : 'pound')).join(' ');
}

/** Writes out digits and letters one by one: "E six". */
function sayCharacters(digits: string): string {
  return Array.from(digits, (digit) => (/\d/.test(digit) ? sayDigits(digit) : digit)).join(' ');
}

/**
 * Writes out groups of digits digit by digit, with pauses between the groups; returns `found` if it has too few or too many
 * digits to be a telephone number, or another number that names something.
 *
 * @param most - Maximum number of digits; 15 for telephone numbers (E.164).
 */
function sayGroups(found: string, most = 15): string {
  const groups = found.match(/\d+/g) ?? [];
  const { length } = groups.join('');
  if (length < 7 || length > most) return found;
  return (found.startsWith('+') ? 'plus ' : '') + groups.map(sayDigits).join(', ');
}
