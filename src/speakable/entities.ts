/** Entities that people and models write. HTML has 2,231. */
const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  shy: '',
  ndash: '–',
  mdash: '—',
  hellip: '…',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  laquo: '«',
  raquo: '»',
  bull: '•',
  middot: '·',
  copy: '©',
  reg: '®',
  trade: '™',
  deg: '°',
  micro: 'µ',
  plusmn: '±',
  times: '×',
  divide: '÷',
  frac12: '½',
  frac14: '¼',
  frac34: '¾',
  cent: '¢',
  pound: '£',
  yen: '¥',
  euro: '€',
  sect: '§',
  larr: '←',
  rarr: '→',
  szlig: 'ß',
  oslash: 'ø',
  Oslash: 'Ø',
  aelig: 'æ',
  AElig: 'Æ',
  iexcl: '¡',
  iquest: '¿',
  bdquo: '„',
  minus: '−',
  le: '≤',
  ge: '≥',
  ne: '≠',
  asymp: '≈',
  infin: '∞',
  sup2: '²',
  sup3: '³',
};

/** Letters with an accent: `eacute`. */
const ACCENTED = /^([A-Za-z])(grave|acute|circ|tilde|uml|ring|caron|cedil)$/;
const ACCENTS: Readonly<Record<string, string>> = {
  grave: '\u0300',
  acute: '\u0301',
  circ: '\u0302',
  tilde: '\u0303',
  uml: '\u0308',
  ring: '\u030A',
  caron: '\u030C',
  cedil: '\u0327',
};

/** Returns the text for an entity without `&` and `;`, such as `amp` or `#x20AC`; undefined if it is unknown. */
export function decodeEntity(name: string): string | undefined {
  const [, letter, accent] = ACCENTED.exec(name) ?? [];
  if (letter) return `${letter}${ACCENTS[accent!]!}`.normalize('NFC');
  if (name[0] !== '#') return Object.hasOwn(NAMED, name) ? NAMED[name] : undefined;
  const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
  const isCharacter = code > 0 && code <= 0x10_ff_ff && !(code >= 0xd8_00 && code <= 0xdf_ff);
  return isCharacter ? String.fromCodePoint(code) : '\uFFFD';
}
