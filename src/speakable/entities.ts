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

/** Ends of the names of letters with an accent, such as `eacute`: the combining character, from U+0300. */
const ACCENTS: Readonly<Record<string, number>> = {
  grave: 0,
  acute: 1,
  circ: 2,
  tilde: 3,
  uml: 8,
  ring: 10,
  caron: 12,
  cedil: 39,
};

/** Returns the text for an entity without `&` and `;`, such as `amp` or `#x20AC`; undefined if it is unknown. */
export function decodeEntity(name: string): string | undefined {
  if (name[0] !== '#') {
    if (Object.hasOwn(NAMED, name)) return NAMED[name];
    const accent = name.slice(1);
    if (!Object.hasOwn(ACCENTS, accent)) return undefined;
    return (name[0]! + String.fromCharCode(0x300 + ACCENTS[accent]!)).normalize('NFC');
  }
  const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
  const isCharacter = code > 0 && code <= 0x10_ff_ff && !(code >= 0xd8_00 && code <= 0xdf_ff);
  return isCharacter ? String.fromCodePoint(code) : '\uFFFD';
}
