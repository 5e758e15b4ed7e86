import { keys } from './abbreviations.js';
import { ARTICLE, describesNoun, NOUN } from './described-noun.js';
import type { Rule } from './mapped-text.js';
import { DASH, NUMBER, rule, START } from './number-patterns.js';
import { sayDigits, sayInteger, sayNumber } from './number-words.js';
import { valueOf } from './sums.js';
import { CURRENCIES, MONEY, MULTIPLES, SIGN } from './unit-words.js';

/** An amount after a sign, which may begin with a point. */
const AMOUNT = String.raw`${NUMBER}|\.\d{1,30}`;

/** A word or letters for thousands or more after an amount. */
const MULTIPLE = `(?:[\\s-]?([Tt]housand|(?:[MmBb]|[Tt]r)illion|lakh\\scrore|lakh|crore)s?\\b|\\s?(${keys(MULTIPLES)})(?![\\p{L}\\p{N}]))?`;

/** Rules for amounts with the code of a currency, and for what is written before or after a sign. */
export const CURRENCY_RULES: readonly Rule[] = [
  // CHF 20.-, 15,- €
  [
    rule(
      `(?<=(?:${SIGN}|(?<!\\p{L})(?:${keys(CURRENCIES)}))\\s?\\d{1,9})[.,][-\u2013\u2014]{1,2}|(?<=\\d)[.,][-\u2013\u2014]{1,2}(?=\\s?(?:[€£]|(?:kr|${keys(CURRENCIES)})(?!\\p{L})))`,
    ),
    '',
  ],
  // USD $50, CAD$50, EUR €5, US $50
  [
    rule(`(?<![\\p{L}\\p{N}/])(?:(US|CA|AU|NZ|HK|MX)[DN]\\s?\\$|(?:EUR|GBP|JPY|CNY|INR)\\s?([€£¥₹]))(?=\\s?\\d)`),
    (_, country, sign) => sign ?? `${country}$`,
  ],
  [/(?<=(?<!\p{L}|\b[Tt]he )US) (?=\$\d)/gu, ''],
  // USD 5-10, 5-10 USD, 10€-20€; the INR of blood is not that of India.
  [
    rule(
      `(?<![\\p{L}\\p{N}])INR(?=:?\\s?\\d(?:\\.\\d{1,2})?(?:${DASH}\\d(?:\\.\\d{1,2})?)?(?![\\d.,]*\\d|\\s?\\p{L}+illion|\\s(?:lakh|crore)))`,
    ),
    'I N R',
  ],
  [rule(`(?<![\\p{L}\\p{N}/])(${keys(CURRENCIES)})\\s?(${NUMBER})(?:${DASH}|\\sto\\s)(?=\\d)`), '$2 to $1 '],
  [
    rule(
      `(?<=(?<![\\p{L}\\p{N}.,/-])(?:${NUMBER}))${DASH}(?=(?:${NUMBER})${MULTIPLE}\\s?(?:${keys(CURRENCIES)})(?!\\p{L}))`,
    ),
    ' to ',
  ],
  [rule(`(?<=\\d\\s?[€£])${DASH}(?=\\d[\\d.,]{0,12}\\s?[€£])`), ' to '],
  // USD 5, 20 EUR
  [
    rule(`(?<![\\p{L}\\p{N}/])(${keys(CURRENCIES)})\\s?(${NUMBER})${MULTIPLE}(?![\\p{L}\\p{N}]|[.,]\\d)`),
    (_, code, amount, word, letter) => sayCurrency(code, amount, word ?? MULTIPLES[letter]),
  ],
  [
    rule(`(?:${START}|${SIGN})(${NUMBER})${MULTIPLE}\\s?(${keys(CURRENCIES)})(?![\\p{L}\\p{N}])`),
    (_, amount, word, letter, code) => sayCurrency(code, amount, word ?? MULTIPLES[letter]),
  ],
];

/** Rules for amounts with the sign of a currency. */
export const MONEY_RULES: readonly Rule[] = [
  // $5 million dollars
  [/(?<=[$€£]\d[\d.,]{0,15}(?:\s?(?:[Tt]housand|(?:[MmBb]|[Tt]r)illion|[kKmMbB]))?)\s(?:dollars|euros|pounds)\b/g, ''],
  // $3.50, £1m, 20 €
  [
    rule(
      `${ARTICLE}(${SIGN})\\s?(${AMOUNT})(\\+(?=\\s?(?:thousand|[mbtr]+illion|[kKmMbB](?!\\p{L}))))?${MULTIPLE}(?=(\\p{L}?))${NOUN}`,
    ),
    (_, article, sign, amount, plus, word, letter, next, noun) => {
      const multiple = word ?? MULTIPLES[letter];
      return sayMoney(sign, amount, plus ? `plus ${multiple}` : multiple, describesNoun(article, noun)) + (next && ' ');
    },
  ],
  [rule(`${START}(${NUMBER})\\s?¢`), (_, amount) => `${sayNumber(amount)} ${amount === '1' ? 'cent' : 'cents'}`],
  [
    rule(`${START}(${NUMBER})\\s?([$€£₹¥₩₽₺₴₱₫₪฿₸₾₼৳₡₲₵₭₮֏₿])(?!\\d)`),
    (_, amount, sign) => sayMoney(sign, amount, undefined),
  ],
];

function sayCurrency(code: string, amount: string, multiple: string | undefined): string {
  const parts = CURRENCIES[code]!.formatToParts(multiple ? 1e6 : valueOf(amount));
  const name = parts.find(({ type }) => type === 'currency')!.value;
  return `${sayNumber(amount)} ${multiple ? `${multiple} ` : ''}${name}`;
}

/** @param isPart - Whether the amount describes a noun, so that its units are in the singular. */
function sayMoney(sign: string, amount: string, multiple: string | undefined, isPart = false): string {
  const [one, many, cent, cents] = MONEY[sign]!;
  const several = isPart ? one : many;
  const [whole = '', all = ''] = amount.replaceAll(',', '').split('.', 2);
  const fraction = all.replace(/0+$/, '');
  const unit = (number: string, single: string, plural: string): string =>
    `${sayInteger(number)} ${number === '1' || isPart ? single : plural}`;
  if (multiple) return `${sayNumber(amount)} ${multiple} ${several}`;
  if (fraction === '') return unit(whole || '0', one, many);
  if (fraction.length > 2 || !cent || !cents)
    return `${whole ? sayNumber(amount) : `point ${sayDigits(fraction)}`} ${several}`;
  const parts = unit(String(Number(fraction.padEnd(2, '0'))), cent, cents);
  return Number(whole) === 0 ? parts : `${unit(whole, one, many)} and ${parts}`;
}
