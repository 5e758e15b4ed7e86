import { parseArgs } from 'node:util';
import { MEASURES, type Measure } from './measures.mjs';
import { PLAYERS, type Player } from './players.mjs';

/** Options of the command line. */
export interface Options {
  readonly players: readonly Player[];
  readonly measures: readonly Measure[];
  /** Number of runs of each measure that depends on chance. */
  readonly runs: number;
}

/** Shown for `--help`, and for invalid options. */
export const USAGE = `npm start -- [--players NAMES] [--measures NAMES] [--runs N]

  --players   some of: ${PLAYERS.map(({ name }) => name).join(', ')}; "ours" is both of ours (default: all)
  --measures  some of: ${MEASURES.map(({ name }) => name).join(', ')} (default: all)
  --runs      of which the median is taken (default 3)`;

/**
 * Parses the command line.
 *
 * @returns null if it contains `--help`.
 * @throws {Error} If it contains an unknown name or an invalid number.
 */
export function readOptions(args: string[]): Options | null {
  const { values } = parseArgs({
    args,
    options: {
      players: { type: 'string' },
      measures: { type: 'string' },
      runs: { type: 'string', default: '3' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return null;
  const runs = Number(values.runs);
  if (!Number.isInteger(runs) || runs < 1) throw new Error(`--runs must be a whole number from 1, not ${values.runs}.`);
  const names = values.players?.replace(/\bours\b/, 'svc-speaker-shared,svc-speaker-message');
  return { players: pick(PLAYERS, names), measures: pick(MEASURES, values.measures), runs };
}

function pick<T extends { name: string }>(all: readonly T[], names: string | undefined): readonly T[] {
  if (names === undefined) return all;
  const wanted = names.split(',');
  const unknown = wanted.filter((name) => !all.some((item) => item.name === name));
  if (unknown.length > 0) throw new Error(`There is no ${unknown.join(', ')}.`);
  return all.filter(({ name }) => wanted.includes(name));
}
