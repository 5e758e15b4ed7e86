import { keys } from './abbreviations.js';
import type { Rule } from './mapped-text.js';
import { NUMBER, rule } from './number-patterns.js';
import { sayNumber } from './number-words.js';
import { UNITS } from './unit-words.js';

/** Units of which there is a price or a rate, beside those after a number. */
const PER: Readonly<Record<string, string>> = {
  mo: 'month',
  month: 'month',
  yr: 'year',
  year: 'year',
  wk: 'week',
  week: 'week',
  d: 'day',
  day: 'day',
  hr: 'hour',
  h: 'hour',
  hour: 'hour',
  night: 'night',
  person: 'person',
  minute: 'minute',
  min: 'minute',
  s: 'second',
  sec: 'second',
  kg: 'kilogram',
  g: 'gram',
  lb: 'pound',
  oz: 'ounce',
  l: 'liter',
  L: 'liter',
  ml: 'milliliter',
  mL: 'milliliter',
  gal: 'gallon',
  km: 'kilometer',
  mi: 'mile',
  m: 'meter',
  'km²': 'square kilometer',
  'sq ft': 'square foot',
  'ft²': 'square foot',
  ha: 'hectare',
  mol: 'mole',
  'm²': 'square meter',
  'm³': 'cubic meter',
  'cm²': 'square centimeter',
  'cm³': 'cubic centimeter',
  dL: 'deciliter',
  dl: 'deciliter',
  μL: 'microliter',
  bbl: 'barrel',
  GB: 'gigabyte',
  kWh: 'kilowatt hour',
  MWh: 'megawatt hour',
  sf: 'square foot',
  sqft: 'square foot',
  'sq mi': 'square mile',
  'ft³': 'cubic foot',
  ft3: 'cubic foot',
  m2: 'square meter',
  m3: 'cubic meter',
  cm2: 'square centimeter',
  cm3: 'cubic centimeter',
  'm²K': 'square meter kelvin',
  'm²·K': 'square meter kelvin',
  second: 'second',
  mile: 'mile',
  kilometer: 'kilometer',
  ton: 'ton',
  acre: 'acre',
  capita: 'capita',
  cup: 'cup',
  dose: 'dose',
  serving: 'serving',
  share: 'share',
  user: 'user',
  seat: 'seat',
  visit: 'visit',
  word: 'word',
  item: 'item',
};

/** Units after a number that may follow a slash. */
const AFTER_SLASH = Object.keys({ ...UNITS, ...PER }).filter((unit) => !/[%°‰‱]|^(?:kr|zł|Kč)$|\//.test(unit));
const UNIT = keys(Object.fromEntries(AFTER_SLASH.map((unit) => [unit, unit])));

/** Units after words, such as copies/mL: those of one letter would be something else. */
const LONG_UNIT =
  'second|minute|hour|day|night|week|month|year|person|mile|kilometer|capita|acre|min|sec|hr|wk|mo|yr|kg|lb|oz|gal|km²?|mi|mm|cm|' +
  '[mdμ]L|ml|dl|ha|m[²³]|mm³|cm³|sq (?:ft|mi)|GB|MWh|kWh|bbl';

/** Amounts of which there is a rate: 100 km, 5 mL, but not the 22 lb that are 10 kg. */
const AMOUNT = '(?:1|2|2\\.5|5|10|15|20|50|100|500|1,?000|1\\.73)\\s?(?:m?[lL]|k?g|dL|km|m²|hr?|hrs|d|min)';

/** Units after the unit of a number: /kg/day, /100 km. */
export const RATE = `(?:(?:/(?:${UNIT})|\\s?/\\s?${AMOUNT})(?![\\p{L}\\p{N}²³·])){1,3}`;

/** Writes out units after a slash: "per kilogram per day", "per one hundred kilometers". */
export function sayRate(rate = ''): string {
  return rate.replace(rule(`\\s?/\\s?(${NUMBER})?\\s?([^/]+)`), (_, count: string | undefined, unit: string) => {
    const one = PER[unit] ?? UNITS[unit]![0];
    return ` per ${count ? `${sayNumber(count)} ` : ''}${!count || count === '1' ? one : (UNITS[unit]?.[1] ?? `${one}s`)}`;
  });
}

/** Rules of rates of money and of words: 5 dollars/3mo, copies/mL, CFU/mL, 12/kg. They precede those of units. */
export const RATE_RULES: readonly Rule[] = [
  [
    rule(
      `(?<=\\b(?:dollars?|euros?|pounds?|cents?|pence|yen|won|rupees?|francs|yuan|pesos|baht|kroner|zlotys|people|calories|units?))\\s?/\\s?(\\d{1,2})?((?:${keys(PER)})(?:/(?:${keys(PER)}))?)(?![\\p{L}\\p{N}])`,
    ),
    (_, count = '', unit) => sayRate(`/${count}${unit}`),
  ],
  [
    rule(
      `(?<=\\p{Ll}{2}s|\\p{Lu}{2}(?!/GB)|[\\d²³⁰-⁹]|cubed|squared|th|\\d[kKMB]|\\p{L}{2}on)((?:/(?:${LONG_UNIT})(?![\\p{L}\\p{N}²³])){1,2})`,
    ),
    (_, rate) => sayRate(rate),
  ],
  // 10^9/L
  [/(?<=\b10(?:\sto\sthe\s\p{L}{3,12}|[\u2070-\u2079]{1,2}))\/L(?![\p{L}\p{N}])/gu, ' per liter'],
  [/(?<=\d\s?U)(\/(?:m?L|kg|hr?|day)){1,2}(?![\p{L}\p{N}])/gu, (rate) => sayRate(rate)],
  [/(?<=\b(?:dollars|euros|pounds|cents))\/(?=1(?:,000|[MKk]\b))/g, ' per '],
];
