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
  /** Lines that describe the method and the machine. */
  readonly preface: readonly string[];
}

/** Figures of speech measures: column, name of the figure, digits. */
const SPEECH_COLUMNS = [
  ['gaps', 'gaps', 0],
  ['gap ms', 'gapMs', 0],
  ['added ms', 'addedMs', 0],
  ['clicks', 'clicks', 0],
  ['loudest dB', 'worstClickDb', 1],
  ['lost ms', 'lostMs', 0],
  ['of it taken out', 'takenOutMs', 0],
  ['first sound ms', 'firstSoundMs', 0],
] as const;

const LEGEND = [
  '- **gaps**, **gap ms**: silence of 1 ms or more between first and last sound. The signal itself is never silent.',
  '- **added ms**: how much longer than the speech the sound took, gaps apart: slowed down, repeated or concealed.',
  '- **clicks**: places with 6 dB more energy between 6 and 11 kHz in 5 ms than the 99th percentile of the signal; **loudest dB**: the highest such energy, over the same.',
  '- **lost ms**: parts of the speech that are nowhere in the sound; **of it taken out**: pitch periods that a player says it left out to play faster.',
  '- **first sound ms**: from the first frame on the socket to the first sample rendered. Context and player are open by then, but for ours, which opens both when it is asked to speak, 500 ms before.',
  '- **silent after cancel**: until the last sample above -60 dBFS is rendered; **its click**: as the loudest, at that end; of all runs the worst, since a cut may happen to meet a zero.',
  '- **SNDR**: of a sine at half of full scale, at the rate of the device. Where the context has another rate, the recording was taken there by `decodeAudioData`, which has the resampler that stands before the device.',
  '- **CPU**: of all processes of the browser, per minute of speech, and as a multiple of the browser playing one buffer while the same frames come in.',
  '- **gzip**: of what a page imports to have the player, bundled and minified.',
];

/** Returns the report as Markdown. */
export function markdownReport(input: ReportInput): string {
  const { players, measures, preface } = input;
  const speech = measures.filter((measure) => isSpeech(measure.name));
  const notes = players.map(({ title, note }) => `- ${title}: ${note}`);
  return [
    preface.join('\n'),
    ...speech.map((measure) => speechTable(input, measure)),
    otherTable(input),
    LEGEND.join('\n'),
    notes.join('\n'),
  ].join('\n\n');
}

/** Returns the report as data, with the figures of each single run. */
export function jsonReport({ players, measures, results, sizes, preface }: ReportInput): unknown {
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

function isSpeech(name: string): boolean {
  return !['cancel', 'block', 'tones', 'cpu'].includes(name);
}

function speechTable({ players, results }: ReportInput, { name, meaning }: Measure): string {
  const rows = players.map((player) => {
    if (results.runs(player.name, name).length === 0) return [player.title, failure(results, player, name)];
    return [
      player.title,
      ...SPEECH_COLUMNS.map(([, figure, digits]) => number(results.median(player.name, name, figure), digits)),
    ];
  });
  return `### \`${name}\`: ${meaning}\n\n${table(['player', ...SPEECH_COLUMNS.map(([title]) => title)], rows)}`;
}

function otherTable({ players, results, sizes }: ReportInput): string {
  const floor = results.median(FLOOR.name, 'cpu', 'cpuSecondsPerMinute');
  const rows = players.map((player) => {
    const cell = (measure: string, figure: string, digits: number): string =>
      results.runs(player.name, measure).length === 0
        ? failure(results, player, measure)
        : number(results.median(player.name, measure, figure), digits);
    const cpu = results.median(player.name, 'cpu', 'cpuSecondsPerMinute');
    const ratio = cpu === null || floor === null ? '' : ` (${(cpu / floor).toFixed(1)}x)`;
    const size = sizes.get(player.name);
    return [
      player.title,
      cell('cancel', 'silentAfterMs', 0),
      number(results.highest(player.name, 'cancel', 'cancelClickDb'), 1),
      cell('block', 'blockedGapMs', 0),
      ...TONES_HZ.map((hz) => cell('tones', `sndr${hz}`, 0)),
      cell('tones', 'contextRate', 0),
      cell('cpu', 'cpuSecondsPerMinute', 1) + ratio,
      size === undefined ? '' : (size / 1000).toFixed(1),
    ];
  });
  const tones = TONES_HZ.map((hz) => `SNDR ${hz / 1000} kHz`);
  const columns = [
    'silent after cancel ms',
    'its click dB',
    'gap ms, page blocked 500 ms',
    ...tones,
    'context Hz',
    'CPU s/min',
    'gzip kB',
  ];
  return `### The rest\n\n${table(['player', ...columns], rows)}`;
}

function failure(results: Results, player: Player, measure: string): string {
  const reasons = results.failures(player.name, measure);
  return reasons.length === 0 ? '' : `failed: ${reasons.join('; ')}`;
}

function number(value: number | null, digits: number): string {
  // Avoid the sign of "-0".
  return value === null ? '' : (Number(value.toFixed(digits)) + 0).toFixed(digits);
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const filled = rows.map((row) => [...row, ...Array.from({ length: head.length - row.length }, () => '')]);
  const rule = head.map((_, index) => (index === 0 ? '---' : '---:'));
  return [line(head), line(rule), ...filled.map(line)].join('\n');
}
