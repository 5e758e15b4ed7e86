import { decodeEntity } from '../../../src/speakable/entities.js';
import type { Rule } from './mapped-text.js';

/** Marks of other scripts, and hyphens. */
const MARKS: Readonly<Record<string, string>> = {
  '、': ',',
  '。': '.',
  '〜': '~',
  '٪': '%',
  '٫': '.',
  '٬': ',',
  '\u2010': '-',
  '\u2011': '-',
};

/** Signs of powers of ten behind a number, in Chinese and Japanese. */
const POWERS: Readonly<Record<string, number>> = { 十: 10, 百: 100, 千: 1e3, 万: 1e4, 億: 1e8, 亿: 1e8, 兆: 1e12 };

/** Small capitals from A to Z. There is none of X. */
const SMALL_CAPITALS = 'ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘꞯʀꜱᴛᴜᴠᴡ ʏᴢ';

/** A letter that stands beside digits without belonging to them: it is neither Latin, nor Greek, nor a sign. */
const FOREIGN = String.raw`(?![\p{Script=Latin}\p{Script=Greek}\p{Script=Common}])\p{L}`;

/** Rules of characters that are another way to write usual ones. They precede all others. */
export const CHARACTER_RULES: readonly Rule[] = [
  // Direction marks, soft hyphens and the like would divide numbers. Emoji need their joiners.
  [/(?![\u200c\u200d])\p{Cf}|\ufe0f?\u20e3/gu, ''],
  [/&(#\d{1,7}|#[xX][\dA-Fa-f]{1,6}|[A-Za-z]\w{1,7});/g, (found, name) => decodeEntity(name) ?? found],
  // e and its accent as two characters, digits that are struck through
  [/[\0-\x7f](?!\ufe0f)\p{M}+/gu, (marked) => marked.normalize('NFC').replace(/^([\0-\x7f])\p{M}+$/u, '$1')],
  [/ⁿ(?!ᵈ)/g, '^n'],
  [/[、。！，：；？](?=\p{L})/gu, (mark) => `${mark} `],
  [new RegExp(`[${Object.keys(MARKS).join('')}]`, 'g'), (mark) => MARKS[mark]!],
  [/(?<=\d)(?=[₀-₉])/g, ' base '],
  // ⅳ, and Ⅻ by itself. What Ⅳ is after a word is for the rules of Roman numerals.
  [
    /(?<![\u2160-\u217f])(?:[\u2170-\u217b]|(?<!\p{Lu}\p{L}{1,30}\s)[\u2160-\u216b])(?![\p{L}\u2160-\u217f])/gu,
    (numeral) => String((numeral.charCodeAt(0) % 16) + 1),
  ],
  // Letters and digits that are styled, full-width, above or below the line, Roman numerals, ligatures, ㎏, ㎡, ￥
  [
    /[\u207f\u02b0-\u02b8\u02e1-\u02e3\u1d2c-\u1d5b\u2080-\u2089\u210a-\u2115\u2119-\u211d\u2124\u2128-\u2134\u2160-\u217f\u24b6-\u24e9\u3371-\u337a\u3380-\u33df\ufb00-\ufb06\uff01-\uff5e\uffe0-\uffe6\u{1f130}-\u{1f149}\u{1d400}-\u{1d7ff}]+/gu,
    (styled) => styled.normalize('NFKC'),
  ],
  // sᴍᴀʟʟ ᴄᴀᴘs, 🅱🅾🆇
  [
    new RegExp(`[${SMALL_CAPITALS.replace(' ', '')}]`, 'gu'),
    (letter) => letterOf(SMALL_CAPITALS.indexOf(letter)).toLowerCase(),
  ],
  [/[\u{1f150}-\u{1f169}\u{1f170}-\u{1f189}]\ufe0f?/gu, (letter) => letterOf((letter.codePointAt(0)! - 0x1f150) % 32)],
  // ①, ⑴, ⒈, ⓪, ㉑, ❶, ⓫
  [
    /([\u2460-\u249b\u24ea\u3251-\u325f\u32b1-\u32bf])|[\u2776-\u2793\u24eb-\u24ff]/g,
    (sign, folded) => ` ${folded?.normalize('NFKC') ?? dingbatOf(sign)} `,
  ],
  [/(?!\d)\p{Nd}/gu, digitOf],
  // 5万, 39,800万円, 1億2000万
  [
    /(?:(?<![\d.,])\d[\d,]{0,8}(?:\.\d{1,4})?(?:[十百千]?[万億亿兆]|千)){1,3}(?:(?:\d,\d{3}|\d{1,4})(?!,?\d))?/g,
    (number) =>
      (number.match(/[\d.,]+\D*/g) ?? []).reduce((sum, part) => sum + valueOfMyriads(part), 0).toLocaleString('en'),
  ],
  [/(?<=\d)\s?円/g, '¥'],
  [new RegExp(`(?<=\\d)(?=${FOREIGN})|(?<=${FOREIGN})(?=\\d)`, 'gu'), ' '],
  // don´t, it`s, I‘m
  [/(?<=\p{L})[`´‘](?=\p{L})/gu, "'"],
  // 25 000 with a space that does not break
  [
    /(?<![\d.,(+-]|[\d+]\s)\d{1,3}(?:[\u00a0\u2009\u202f]\d{3})+(?:,\d{1,2})?(?![\d-]|[\s.]\d)/g,
    (number) => number.replace(',', '.').replace(/\s/g, ','),
  ],
  [/[\u00a0\u2009\u202f]/g, ' '],
];

function letterOf(index: number): string {
  return String.fromCharCode(0x41 + index);
}

/** Returns the value of a number with signs of powers of ten behind it: 50000 for 5万. */
function valueOfMyriads(number: string): number {
  const digits = number.replace(/[^\d.]/g, '');
  return Array.from(number).reduce((value, sign) => value * (POWERS[sign] ?? 1), Number(digits));
}

/** Returns a decimal digit of any script in ASCII. Digits of a script follow each other in Unicode, from zero. */
function digitOf(digit: string): string {
  const code = digit.codePointAt(0)!;
  let value = 0;
  while (/\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value++;
  return String(value % 10);
}

/** Returns the number in a circle: of the rows 11 to 20, 1 to 10, and 0, or of the block Dingbats, three rows of 1 to 10. */
function dingbatOf(sign: string): string {
  const code = sign.charCodeAt(0);
  if (code >= 0x2776) return String(((code - 0x2776) % 10) + 1);
  return String(code < 0x24f5 ? code - 0x24e0 : (code - 0x24f4) % 11);
}
