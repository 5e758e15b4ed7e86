import type { Measure } from './measures.mjs';
import { FLOOR, type Player } from './players.mjs';
import type { Results } from './results.mjs';
import { TONES_HZ } from './tone-signal.mjs';

/** Content of a report. */
export interface ReportInput {
  readonly players: readonly Player[];
  readonly measures: readonly Measure[];
  readonly results: Results;
  /** Size in bytes after gzip, by name of the player. */
  readonly sizes: ReadonlyMap<string, number>;
}

type Row = Readonly<Record<string, unknown>>;

/** Measures whose gaps are in the table of the players. */
const SHOWN = ['paced', 'jitter', 'stall', 'slow'];

/**
 * Returns what matters for each player, as medians: milliseconds of gaps, with the page blocked too; from the first frame to
 * the first sound; silence after a cancel, with the loudest click of all runs; processor time of the whole browser; size.
 */
export function playerRows({ players, measures, results, sizes }: ReportInput): Row[] {
  const floor = results.median(FLOOR.name, 'cpu', 'cpuSecondsPerMinute');
  const shown = measures.filter(({ name }) => SHOWN.includes(name));
  return players.map(({ name, title }) => {
    const cell = (measure: string, figure: string, digits = 0) =>
      results.runs(name, measure).length === 0
        ? results.failures(name, measure).join('; ')
        : rounded(results.median(name, measure, figure), digits);
    const cpu = results.median(name, 'cpu', 'cpuSecondsPerMinute');
    const click = rounded(results.highest(name, 'cancel', 'cancelClickDb'), 0);
    return {
      player: title,
      ...Object.fromEntries(shown.map((measure) => [`${measure.arrivals}, gaps ms`, cell(measure.name, 'gapMs')])),
      'page blocked 500 ms, gap ms': cell('block', 'blockedGapMs'),
      'first sound ms': cell('paced', 'firstSoundMs'),
      'silent after cancel ms': cell('cancel', 'silentAfterMs'),
      'its worst click dB': click,
      'CPU s/min': cell('cpu', 'cpuSecondsPerMinute', 1),
      'times a loop': cpu === null || floor === null ? null : rounded(cpu / floor, 1),
      'gzip kB': rounded((sizes.get(name) ?? NaN) / 1000, 1),
    };
  });
}

/** Returns for each measure of speech: gaps / ms of gaps / clicks / ms of lost speech / ms of added sound, as medians. */
export function speechRows({ players, measures, results }: ReportInput): Row[] {
  const speech = measures.filter(({ arrivals }) => arrivals !== undefined);
  const figures = ['gaps', 'gapMs', 'clicks', 'lostMs', 'addedMs'];
  return players.map(({ name, title }) => {
    const cellOf = (measure: string): string =>
      results.runs(name, measure).length === 0
        ? results.failures(name, measure).join('; ')
        : figures.map((figure) => rounded(results.median(name, measure, figure), 0)).join(' / ');
    return { player: title, ...Object.fromEntries(speech.map((measure) => [measure.arrivals, cellOf(measure.name)])) };
  });
}

/** Returns the level of a sine over everything else, at some frequencies, in dB. */
export function toneRows({ players, results }: ReportInput): Row[] {
  return players.map(({ name, title }) => ({
    player: title,
    ...Object.fromEntries(
      TONES_HZ.map((hz) => [`${hz / 1000} kHz, dB`, rounded(results.median(name, 'tones', `sndr${hz}`), 0)]),
    ),
    'context Hz': rounded(results.median(name, 'tones', 'contextRate'), 0),
  }));
}

/** Returns the report as data, with the figures of each single run. */
export function jsonReport({ players, measures, results, sizes }: ReportInput, preface: readonly string[]): unknown {
  return {
    bench: 'peers',
    preface,
    players: [...players, FLOOR].map(({ name, title }) => ({
      name,
      title,
      gzipBytes: sizes.get(name) ?? null,
      runs: Object.fromEntries(measures.map((measure) => [measure.name, results.runs(name, measure.name)])),
      failures: Object.fromEntries(measures.map((measure) => [measure.name, results.failures(name, measure.name)])),
    })),
  };
}

/** Returns null for null, and never -0. */
function rounded(value: number | null, digits: number): number | null {
  return value === null ? null : Number(value.toFixed(digits)) + 0;
}
