import type { Rule } from './mapped-text.js';
import { DASH, rule } from './number-patterns.js';
import { sayOrdinal } from './number-words.js';

/** Words before a Roman numeral that is read as a number, also if it is I. */
const NUMBERED =
  'Type|Phase|Class|Stage|Level|Grade|Tier|Category|Schedule|Title|Act|Scene|Mark|Bowl|Fantasy|Rocky|Apollo|' +
  'Generation|Chapter|Part|Section|Article|Volume|Episode|Appendix|World War|Figure|Table|Book';

/** Verbs after the pronoun I: "The Article I wrote". */
const VERBS =
  '[Hh]a[dv]e?|[Aa]m|[Ee]ver|[Nn]ever|[Ww]rote|[Rr]ead|[Tt]ook|[Tt]ake|[Tt]each|[Tt]aught|[Ll]ove|[Ll]iked?|[Ss]aw|[Mm]ade|[Kk]now|[Kk]new|[Tt]hink|[Nn]eed|[Ww]ant|[Gg]ot|[Ff]ound|[Uu]sed?|[Bb]ought|[Cc]an|[Cc]ould|[Ww]ould|[Ww]ill|[Dd]o|[Dd]id|[Mm]ost|[Rr]eally|[Jj]ust|[Aa]lways|[Ss]hould|[Mm]entioned|[Aa]ttended|[Pp]ublished|[Ww]as|[Hh]ope|[Pp]lay(?:ed)?|[Ss]ent|[Ss]aid';

/** Titles of rulers, and first names of families in which sons are named like their fathers. */
const RULER = 'King|Queen|Emperor|Empress|Tsar|Czar|Pope|Kaiser|Sultan|Shah|Pharaoh|Patriarch|Prince|Khan';
const FIRST_NAMES =
  'Adam|Andrew|Anthony|Arthur|Ben|Benjamin|Calvin|Charles|Christopher|Daniel|David|Davis|Donald|Douglas|Edward|Eric|Ernest|Frank|Fred|Frederick|George|Gerald|Harold|Harry|Henry|Howard|Jack|Jacob|James|Jeffrey|John|Joseph|Kenneth|Larry|Lawrence|Lewis|Louis|Mark|Martin|Matthew|Michael|Patrick|Paul|Peter|Philip|Ralph|Raymond|Richard|Robert|Roger|Ronald|Russell|Samuel|Stephen|Steven|Theodore|Thomas|Thurston|Timothy|Walter|William';

/** Names of rulers, whose numerals are read as ordinals. */
const RULERS =
  'Albert|Alexander|Benedict|Carlos|Catherine|Charles|Christian|Clement|Darius|Edward|Elizabeth|Felipe|Ferdinand|' +
  'Francis|Frederick|George|Gregory|Gustav|Harald|Henry|Innocent|Ivan|James|John|Joseph|Leo|Leopold|Louis|Mary|' +
  'Maximilian|Napoleon|Nicholas|Olaf|Otto|Paul|Pedro|Peter|Philip|Pius|Ptolemy|Ramesses|Ramses|Richard|Robert|Thutmose|' +
  'Urban|Wilhelm|William|Xerxes';

const DASHES = rule(`^${DASH}$`);

/** Rules of Roman numerals, which become Arabic ones. A voice would spell them. */
export const ROMAN_RULES: readonly Rule[] = [
  [/(?<![\p{L}\p{N}])WW(?:(I|1)|II|2)(?![\p{L}\p{N}])/gu, (_, one) => `World War ${one ? 1 : 2}`],
  // the XIX century, XV–XVI centuries
  [
    rule(`(?<![\\p{L}\\p{N}])([IVX]{1,5})(?:(${DASH}|\\s(?:and|or|to)\\s)([IVX]{1,5}))?(?=\\s[Cc]entur(?:y|ies)\\b)`),
    (_, first, between = '', last = '') =>
      sayOrdinal(valueOfRoman(first)) + between.replace(DASHES, ' to ') + (last && sayOrdinal(valueOfRoman(last))),
  ],
  // Phase I/II, Type 1/2
  [
    rule(
      `(?<=\\b(?:[Pp]hase|[Tt]ype|[Cc]lass|[Gg]rade|[Ss]tage|[Tt]ier|[Cc]ategory)s?\\s)([IV]{1,3}|\\d)([ab]?)/([IV]{1,3}|\\d)(?=[ab]?(?![\\p{L}\\p{N}/-]))`,
    ),
    (_, first, letter, second) => `${valueOfRoman(first)}${letter} slash ${valueOfRoman(second)}`,
  ],
  // Chapters I–III
  [
    rule(
      `(?<=\\b(?:${NUMBERED.replaceAll('|', 's|')}s|Appendices|Classes|Categories)\\s)([IVXL]{1,7})(${DASH}|,?\\s(?:and|or|to|through)\\s)([IVXL]{1,7})(?![\\p{L}\\p{N}'’])`,
    ),
    (_, first, between, last) => `${valueOfRoman(first)}${between.replace(DASHES, ' to ')}${valueOfRoman(last)}`,
  ],
  // Type II, World War I, class XL
  [
    rule(
      `(?<=\\b(?:(?:${NUMBERED})\\s|(?:${NUMBERED.toLowerCase()})\\s(?=[IVXL]{2})))(?!I\\s(?:${VERBS})\\b)([IVXL]{1,7})(?![\\p{L}\\p{N}’'-])`,
    ),
    valueOfRoman,
  ],
  // King Abdullah II, Pope Sixtus V, King Carl XVI Gustaf, Thurston Howell III
  [
    rule(
      `(?<=\\b(?:${RULER})\\s(?:\\p{Lu}\\p{L}{1,20}\\s){1,2})(?:[IVX]{2,6}|[VX](?!\\.\\s?\\p{Lu})|I(?=[.,;:!?)]|$|\\s(?:of|and|is|who|ruled|died|reigned|\\p{Lu})))(?![\\p{L}\\p{N}’'-])|(?<=\\b(?:${FIRST_NAMES})\\s(?:\\p{Lu}\\p{L}{0,20}\\.?\\s)?(?!and\\b)\\p{Lu}\\p{L}{2,20},?\\s)(?:I{2,3}|IV)(?![\\p{L}\\p{N}-])`,
    ),
    (numeral) => `the ${sayOrdinal(valueOfRoman(numeral))}`,
  ],
  // King Charles I, Francis I of France; otherwise, it may be the pronoun.
  [
    rule(
      `(?<=\\b(?:King|Queen|Emperor|Empress|Tsar|Czar|Pope|Kaiser|Sultan)\\s(?:${RULERS})\\s)I(?![\\p{L}\\p{N}’'-])|(?<=\\b(?:${RULERS})\\s)I(?=\\sof\\s\\p{Lu})`,
    ),
    'the first',
  ],
  // Henry VIII, but John V. Smith
  [
    rule(`(?<=\\b(?:${RULERS})\\s)([IVX]{2,6}|[VX](?!\\.\\s?\\p{Lu}))(?![\\p{L}\\p{N}-])`),
    (numeral) => {
      const number = valueOfRoman(numeral);
      return number === numeral ? numeral : `the ${sayOrdinal(number)}`;
    },
  ],
  // Diablo III. IV and XX have other meanings.
  [
    rule(
      `(?<=(?<![\\p{L}\\p{N}])\\p{Lu}\\p{Ll}{2,30}\\s)(?!IV|XX?(?![IV])|VI\\s(?:or|and|editor|mode|is)\\b)(?<!\\b(?:Use|Using|Run|Open|Try|Install|Start|Type|With|In|The)\\s(?=VI(?![IV])))([IVX]{2,6})(?![\\p{L}\\p{N}-])`,
    ),
    valueOfRoman,
  ],
];

/** Returns the number that a Roman numeral stands for, in digits; or what it got, if that is none. */
export function valueOfRoman(numeral: string): string {
  if (!/^(?:XL|L?X{0,3})(?:IX|IV|V?I{0,3})$/.test(numeral)) return numeral;
  const values = Array.from(numeral, (letter) => [1, 5, 10, 50]['IVXL'.indexOf(letter)]!);
  return String(values.reduce((sum, value, index) => sum + (value < (values[index + 1] ?? 0) ? -value : value), 0));
}
