import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { normalizeText } from '../../src/speech/normalize-text.js';
import { processorSeconds } from './support/processor-seconds.js';
import { sayDigits, sayInteger, sayNumber, sayOrdinal, sayYear } from '../../src/speech/number-words.js';

const EXAMPLES: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  numbers: [
    ['0 7 12 85 100 1,234', 'zero seven twelve eighty-five one hundred one thousand two hundred thirty-four'],
    ['1,000,000 or 3.14 or .5', 'one million or three point one four or point five'],
    ['-7, 5 - 3, 2 + 2 = 4', 'minus seven, five minus three, two plus two equals four'],
    ['007', 'zero zero seven'],
    ['1,2,3', 'one, two, three'],
    ['#5, No. 7, ~9', 'number five, Number seven, about nine'],
    ['5–10, 5-10', 'five to ten, five to ten'],
    ['10k of 2M', 'ten thousand of two million'],
  ],
  ordinals: [['1st 2nd 3rd 21st 112th', 'first second third twenty-first one hundred twelfth']],
  years: [
    ['in 1984, 2005 and 2026', 'in nineteen eighty-four, two thousand five and twenty twenty-six'],
    ['in 1066, but 1234 apples', 'in ten sixty-six, but one thousand two hundred thirty-four apples'],
    ['1900 and 1905', 'nineteen hundred and nineteen oh five'],
    ['the 1980s and ’90s', 'the nineteen eighties and nineties'],
    ['1999-2003', 'nineteen ninety-nine to two thousand three'],
  ],
  money: [
    ['$3.50 $1 $0.05 -$2', 'three dollars and fifty cents one dollar five cents minus two dollars'],
    ['€5, 20 €, £1m, $2.5 billion', 'five euros, twenty euros, one million pounds, two point five billion dollars'],
    ['£0.01 or ¥300', 'one penny or three hundred yen'],
    ['$5–10', 'five to ten dollars'],
  ],
  dates: [
    ['2026-11-21', 'November twenty-first, twenty twenty-six'],
    ['May 5, 2026', 'May fifth, twenty twenty-six'],
    ['Sept. 3rd', 'September third'],
    ['2026-13-41', 'twenty twenty-six-thirteen-forty-one'],
  ],
  times: [
    ['10:30, 10:05, 10:00, 14:00', "ten thirty, ten oh five, ten o'clock, fourteen hundred"],
    ['At 5 p.m. Then go at 10:30am.', 'At five PM. Then go at ten thirty AM.'],
    ['16:9', 'sixteen to nine'],
  ],
  fractions: [
    ['1/2, 3/4, 2 1/2, 2½, 24/7', 'one half, three quarters, two and a half, two and a half, twenty-four seven'],
    ['9/11', 'nine slash eleven'],
  ],
  units: [
    ['50%, 3.5 %', 'fifty percent, three point five percent'],
    ['90 km/h, 1 kg, 5ft, 10 m²', 'ninety kilometers per hour, one kilogram, five feet, ten square meters'],
    ['-5 °C, 1°', 'minus five degrees Celsius, one degree'],
  ],
  'telephones, versions and machines': [
    ['call 555-1234', 'call five five five, one two three four'],
    ['(555) 123-4567', 'five five five, one two three, four five six seven'],
    ['+49 30 1234567', 'plus four nine, three zero, one two three four five six seven'],
    ['4155551234', 'four one five five five five one two three four'],
    ['v1.2.3', 'version one point two point three'],
    ['10.0.0.1', 'ten dot zero dot zero dot one'],
  ],
  abbreviations: [
    ['Dr. Hu vs. Mr. Bo', 'Doctor Hu versus Mister Bo'],
    ['St. Ives, Main St. here', 'Saint Ives, Main Street here'],
    ['Tea, e.g. green, etc. Then more, etc.', 'Tea, for example green, et cetera. Then more, et cetera.'],
    ['approx. 5', 'approximately five'],
  ],
  'what is not a number': [
    ['MP3, H2O, 4K', 'MP3, H2O, 4K'],
    ['https://a.b/1?2=3 a1@b2.com', 'https://a.b/1?2=3 a1@b2.com'],
    ['Well, yes. No.', 'Well, yes. No.'],
  ],
};

describe('normalizeText', () => {
  for (const [what, examples] of Object.entries(EXAMPLES)) {
    for (const [text, words] of examples) {
      it(`reads ${what}: ${text}`, () => {
        assert.equal(normalizeText(text), words);
      });
    }
  }

  it('leaves no digit but in words and addresses, and makes text at most 20 times as long', () => {
    const part = fc.oneof(
      fc.constantFrom(
        ...Array.from('0123456789'.repeat(3)),
        ...Array.from(" .,:/-+$€£%°½()#~'\n"),
        'k',
        ' kg',
        ' am',
        'st ',
        'v',
        'Jan. ',
        'etc.',
      ),
      fc.string({ unit: 'binary', maxLength: 3 }),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 80 }), (parts) => {
        const text = parts.join('');
        const words = normalizeText(text);
        assert.ok(words.length <= 20 * text.length + 40);
        for (const [digits] of words.matchAll(/[A-Za-z]?\d+[A-Za-z]?/g)) {
          const at = words.indexOf(digits);
          const around = words.slice(Math.max(0, at - 80), at + digits.length + 80);
          assert.match(around, /[\p{L}_]\d|\d[\p{L}_]|@|www|:\/\//u, JSON.stringify([text, words]));
        }
      }),
      { numRuns: process.env.SVC_LONG ? 10_000 : 300 },
    );
  });

  it('takes time in proportion to the length of the text, whatever that is', () => {
    const parts = [
      '1',
      '12,',
      '1.',
      '1:',
      '1/',
      '$',
      '-1',
      '+1 ',
      '(555) ',
      'a.',
      '5 k',
      'a@',
      'www.',
      'Jan. ',
      '1 2/',
      '½',
    ];
    const seconds = processorSeconds(() => {
      for (const part of [...parts, '1.1.1.1.', 'e.g.', 'St. A', "'80s", '\u2013', '°', '1a']) {
        normalizeText(part.repeat(300_000 / part.length));
      }
    });
    // It takes less than 2 s. A pattern that searches in quadratic time takes 15 s or more.
    assert.ok(seconds < 8, `${seconds} s`);
  });
});

describe('numbers in words', () => {
  it('says integers of up to 15 digits, and longer ones digit by digit', () => {
    assert.equal(sayInteger('100000000000001'), 'one hundred trillion one');
    assert.equal(sayInteger('999999'), 'nine hundred ninety-nine thousand nine hundred ninety-nine');
    assert.equal(sayInteger('1'.repeat(16)), 'one '.repeat(16).trim());
  });

  it('says every integer in its own way', () => {
    const said = new Set(Array.from({ length: 20_000 }, (_, number) => sayInteger(String(number))));
    assert.equal(said.size, 20_000);
  });

  it('says ordinals, years, digits and fractions', () => {
    assert.equal(sayOrdinal('20'), 'twentieth');
    assert.equal(sayOrdinal('1000'), 'one thousandth');
    assert.equal(sayYear('2000'), 'two thousand');
    assert.equal(sayYear('1066'), 'ten sixty-six');
    assert.equal(sayDigits('305'), 'three zero five');
    assert.equal(sayNumber('1,234.05'), 'one thousand two hundred thirty-four point zero five');
  });
});
