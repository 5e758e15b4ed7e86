/** Width of a character in pixels, without the space after it. */
export const GLYPH_WIDTH = 5;
export const GLYPH_HEIGHT = 7;

/** Rows of each character from top to bottom, as digits to base 32: five pixels, the left one first. */
const GLYPHS: Readonly<Record<string, string>> = {
  0: 'ehjlphe',
  1: '4c4444e',
  2: 'eh1248v',
  3: 'v2421he',
  4: '26aiv22',
  5: 'vgu11he',
  6: '68guhhe',
  7: 'v124888',
  8: 'ehhehhe',
  9: 'ehhf12c',
  a: '00e1fhf',
  b: 'ggmphhu',
  c: '00egghe',
  d: '11djhhf',
  e: '00ehvge',
  f: '698s888',
  g: '0fhhf1e',
  h: 'ggmphhh',
  i: '40c444e',
  j: '20622ic',
  k: 'ggikoki',
  l: 'c44444e',
  m: '00qllhh',
  n: '00mphhh',
  o: '00ehhhe',
  p: '00uhugg',
  q: '00djf11',
  r: '00mpggg',
  s: '00ege1u',
  t: '88s8896',
  u: '00hhhjd',
  v: '00hhha4',
  w: '00hhlla',
  x: '00ha4ah',
  y: '00hhf1e',
  z: '00v248v',
  '.': '00000cc',
  '-': '000v000',
  ' ': '0000000',
};

/** Shape of any other character: a box. */
const OTHER = 'vhhhhhv';

/**
 * Returns true if a pixel of a text is set.
 *
 * @param x - From the left edge of the text; a character is `GLYPH_WIDTH + 1` wide.
 * @param y - From the top of the text, less than `GLYPH_HEIGHT`.
 */
export function isInk(text: string, x: number, y: number): boolean {
  const column = x % (GLYPH_WIDTH + 1);
  const character = text[Math.floor(x / (GLYPH_WIDTH + 1))];
  if (character === undefined || column === GLYPH_WIDTH) return false;
  const rows = GLYPHS[character.toLowerCase()] ?? OTHER;
  return ((Number.parseInt(rows[y]!, 32) >> (GLYPH_WIDTH - 1 - column)) & 1) === 1;
}
