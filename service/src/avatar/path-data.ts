/** Numbers that each command takes. Arcs are left out: interpolating the numbers of two arcs does not give an arc. */
const NUMBERS = { M: 2, L: 2, H: 1, V: 1, C: 6, S: 4, Q: 4, T: 2, Z: 0 } as const;

const TOKEN = /([A-Za-z])|[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/g;

/**
 * Returns the commands of SVG path data, each with the count of its numbers, such as `M2 C6 C6 Z0`. Paths with the same
 * outline can be interpolated number by number.
 *
 * @returns `null` if `data` is not path data, or has arcs.
 */
export function pathOutline(data: string): string | null {
  if (data.replace(TOKEN, '').replace(/[ \t\r\n,]+/g, '') !== '') return null;
  const commands: { letter: string; numbers: number }[] = [];
  for (const [, letter] of data.matchAll(TOKEN)) {
    if (letter !== undefined) commands.push({ letter, numbers: 0 });
    else if (commands.length) commands.at(-1)!.numbers++;
    else return null;
  }
  if (commands[0]?.letter.toUpperCase() !== 'M') return null;
  for (const { letter, numbers } of commands) {
    const each = NUMBERS[letter.toUpperCase() as keyof typeof NUMBERS] as number | undefined;
    if (each === undefined || (each === 0 ? numbers > 0 : numbers === 0 || numbers % each !== 0)) return null;
  }
  return commands.map(({ letter, numbers }) => letter + numbers).join(' ');
}
