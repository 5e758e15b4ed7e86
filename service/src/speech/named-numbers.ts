import { keys } from './abbreviations.js';
import type { Rule } from './mapped-text.js';
import { rule, START } from './number-patterns.js';
import { sayInteger, sayPair, sayYear } from './number-words.js';

/** Numbers with signs that have become names. */
const NAMES: Readonly<Record<string, string>> = {
  '24/7': 'twenty-four seven',
  '24x7': 'twenty-four seven',
  '24/7/365': 'twenty-four seven three sixty-five',
  '802.11': 'eight oh two dot eleven ',
  '50/50': 'fifty-fifty',
  '50-50': 'fifty-fifty',
  '20/20': 'twenty-twenty',
  '9/11': 'nine eleven',
  '1s and 0s': 'ones and zeros',
  '0s and 1s': 'zeros and ones',
  '401(k)': 'four oh one k',
  '403(b)': 'four oh three b',
  '401k': 'four oh one k',
  '403b': 'four oh three b',
};

/** Roads, standards and models, whose numbers are read in pairs: Highway 101, RTX 4090, Boeing 737. */
const IN_PAIRS =
  'Route|Highway|Interstate|ISO|IEC|IEEE|DIN|RFC|PEP|RTX|GTX|RX|Boeing|Xbox|Office|Microsoft|Porsche|Peugeot|[Ff]orm|HTTP|[Ee]rror|[Ss]tatus|Flight';

/** Things whose number may end in a letter: "Runway 27L". */
const LETTERED =
  '[Ss]eat|[Uu]nit|[Rr]oom|[Gg]ate|[Ll]ot|[Ss]uite|[Aa]partment|[Aa]pt|[Rr]ow|[Ll]ocker|[Bb]erth|[Ss]ite|[Bb]uilding|[Rr]oute|[Hh]ighway';
const LETTERED_IN_CAPITALS =
  '[Rr]unway|[Ee]xit|[Hh]wy|[Ii]nterstate|[Ff]light|[Bb]ay|[Pp]latform|[Ss]ize|[Bb]us|[Dd]oor|[Ss]tand|[Ss]lot|[Cc]ar|[Pp]ier|[Dd]ock|[Tt]erminal|[Hh]all|[Ll]ane|[Tt]rack|[Bb]ooth|[Cc]ell|[Ww]ard|[Ll]ab|[Ss]tudio|[Aa]isle|[Bb]ox|[Ss]tall|[Ss]pot|[Tt]able|[Zz]one|[Ss]ection|[Bb]lock|[Cc]abin|[Hh]angar|[Cc]ourt';

/** Words before and after the distance of a race: "He ran a 5k", "the 10k walk". */
const RUNS =
  'ran|runs?|running|jog(?:ged|ging)?|walk(?:ed|ing)?|complet(?:ed?|ing)|finish(?:ed|ing)?|rac(?:ed?|ing)|train(?:ed|ing)?|enter(?:ed)?';
const RACES = 'run(?!\\srate)|walk|race|runners?|fun\\srun|road\\srace|trail|swim|ski|course|training|PR|PB|finishers?';

/** Rules of numbers that are names. */
export const NAME_RULES: readonly Rule[] = [
  // 24/7, 401(k)
  [
    rule(`(?<![\\d/.]|(?<!\\p{L})-)(?:${keys(NAMES).replace(/[().]/g, '\\$&')})(?![\\d/-]|(?<=[kb])\\p{L})`),
    (found) => NAMES[found]!,
  ],
  // I-280, Highway 101, ISO 8601, RFC 793
  [
    rule(`(?<=\\b(?:(?:I|US)-|(?:${IN_PAIRS})[ -]))([1-9]\\d{2,3})(?![\\d.,]\\d|\\d|-\\d{2}-|\\p{L})`),
    (_, number) => (number.length === 4 ? sayYear(number) : sayPair(number)),
  ],
  // a Porsche 911 Turbo
  [/(?<![\p{L}\p{N}.,$€£-])911(?=\s(?:Turbo|Carrera|GT[23]|Targa)(?!\p{L}))/gu, 'nine eleven'],
  // Rule 10b-5, 17 CFR 240.10b-5
  [
    /(?<![\d,])(240\.|)10[bB]-(\d{1,2})(?!\d)/g,
    (_, part, number) => `${part && 'two forty point '}ten b ${sayInteger(number)}`,
  ],
  // the iPhone 5s
  [/(?<=\biPhone \d{1,2})s(?![\p{L}\p{N}])/gu, ' S'],
  // Runway 27L, Highway 99W, but a gate 3m wide
  [
    rule(
      `(?<=(?<!\\ba\\s)\\b(?:(?:${LETTERED})s?\\s(?=\\d{1,4}\\p{Ll})|(?:${LETTERED}|${LETTERED_IN_CAPITALS})s?\\s(?:\\d{1,4}\\p{Lu}(?:,\\s|\\s(?:and|or|to)\\s)){0,2}(?=\\d{1,4}\\p{Lu})|I-))(\\d{1,4})([gGhHJkKlLmMvVwWS])(?![\\p{L}\\p{N}²³/-]|\\s(?:wide|long|high|tall|deep|away|ahead|apart|thick|from|of|per|x|×|by)\\b)`,
    ),
    (_, number, letter) => `${number.length === 3 ? sayPair(number) : sayInteger(number)} ${letter.toUpperCase()}`,
  ],
  // 5W-30 oil, a record of 5W-3L, 14k gold, 3M makes tape
  [
    /(?<![\p{L}\p{N}.,-])(\d{1,2})W-(\d{1,2}(?!\d))(L?)(?![\p{L}\p{N}])/gu,
    (_, first, second, lost) => `${sayInteger(first)} W ${sayInteger(second)}${lost && ' L'}`,
  ],
  [/(?<=(?<![\p{L}\p{N}.,])\d{1,2})(?:[ -]?[kK]t?|kt)(?=\s(?:(?:white|yellow|rose|solid|pure)\s)?gold\b)/gu, ' karat'],
  [
    /(?<![\p{L}\p{N}.,$€£-])3M(?=['’]s|\s(?:makes?|made|company|Co\.?|Corp|Company|Corporation|N95|Scotch|Command|Post-it|tape|products?|stock|shares|said|says|sells|sold|announced|is|was|has|will|and|masks?|respirators?|adhesives?)(?!\p{L}))(?!\s(?:is|was|has|will|and)\s(?:\d|spent|paid|raised))/gu,
    'three M',
  ],
  // He ran a 5k, the 10k walk
  [
    rule(
      `(?<=(?<![\\p{L}\\p{N}.,$€£-])\\d{1,3})k(?=(?:(?:,|\\sor|\\sand|/)\\s?\\d{1,3}[kK])?[\\s-](?:${RACES})\\b)|(?<=\\b(?:charity|trot|virtual|memorial)\\s\\d{1,3}|\\b(?:${RUNS})\\s(?:(?:in|for)\\s)?(?:an?|the|my|his|her|their|our|its|first|every|another|each)\\s(?:(?:first|local|charity|fast|quick|virtual)\\s)?\\d{1,3})[kK](?![\\p{L}\\p{N}])(?!\\s(?:loan|race\\scar|dollars?|people|users))`,
      'giu',
    ),
    ' K',
  ],
  // a 404 error, the 737 MAX, the 405 freeway
  [
    rule(
      `(?<![\\p{L}\\p{N}.,$€£-])(?:[45]\\d{2}(?=\\s(?:errors?|page|response|status)\\b)|7[0-8]7(?=\\s(?:MAX|Max|NG|Dreamliner|jets?|planes?|airliner|aircraft|pilots?|cockpit|freighter)\\b)|(?<=\\b[Tt]he\\s)\\d{3}(?=\\s(?:[Ff]reeway|[Ii]nterchange)\\b))`,
    ),
    sayPair,
  ],
  // the 49ers
  [rule(`${START}(\\d{1,3})ers(?![\\p{L}\\p{N}])`), (_, number) => `${sayInteger(number).replace(/e$/, '')}ers`],
  // grades K–5
  [/(?<=(?<![\p{L}\p{N}])K)\u2013(?=\d{1,2}(?![\p{L}\p{N}]))/gu, ' '],
];
