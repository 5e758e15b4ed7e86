import type { Alignment } from './alignment.js';
import { ClickBand } from '../../src/testing/click-band.js';
import type { Run } from './silence.js';
import { OUTPUT_PER_MS, OUTPUT_RATE } from './simulate.js';

/** Clicks are looked for above this frequency, in Hz; there, fricatives may be as loud as a click. */
const CLICK_HZ = 6000;

/** Above this one there is no speech, as the voices have 16 kHz, but only the marker, at -72 dBFS. */
const FAINT_HZ = 10_000;

/** Breaks so near the beginning are the ramp there, in samples. */
const RAMP = 5 * OUTPUT_PER_MS;

/** Levels in dB against clean speech, see ClickBand; `faint` means above 10 kHz, where nothing hides a click. */
export interface Clicks {
  /** Where sound begins and where it ends. */
  readonly edgesDb: readonly number[];
  readonly faintEdgesDb: readonly number[];
  /** Where the player did something to the speech without silence. */
  readonly splicesDb: readonly number[];
  readonly faintSplicesDb: readonly number[];
  /** What the speech itself has there. */
  readonly cleanSplicesDb: readonly number[];
}

/** Looks for clicks in recordings of one loop of speech. */
export class ClickMeter {
  readonly click: ClickBand;
  readonly faint: ClickBand;
  readonly #clean: Float32Array;

  /** @param clean - The loop as the resampler makes it. */
  constructor(clean: Float32Array) {
    this.#clean = clean;
    this.click = new ClickBand(CLICK_HZ, clean, OUTPUT_RATE);
    this.faint = new ClickBand(FAINT_HZ, clean, OUTPUT_RATE);
  }

  /**
   * @param range - Where the output sounds.
   * @param silent - Its runs of silence.
   * @param origin - Index into the loop of the stream's first sample.
   */
  measure(
    output: Float32Array,
    length: number,
    range: Run,
    silent: readonly Run[],
    { breaks, first }: Alignment,
    origin: number,
  ): Clicks {
    const begins = [range.from, ...silent.map(({ to }) => to)];
    const ends = [range.to, ...silent.map(({ from }) => from)];
    const edges = (band: ClickBand): number[] => [
      ...begins.map((at) => band.edge(output, length, at, true)),
      ...ends.map((at) => band.edge(output, length, at, false)),
    ];
    const splicesDb: number[] = [];
    const faintSplicesDb: number[] = [];
    const cleanSplicesDb: number[] = [];
    const clean = this.#clean;
    let shift = origin + first - range.from;
    for (const { from, to, speech, silence } of breaks) {
      if (silence === 0 && from > range.from + RAMP && to < range.to) {
        splicesDb.push(this.click.loudest(output, length, from, to));
        faintSplicesDb.push(this.faint.loudest(output, length, from, to));
        const index = (from + shift) % clean.length;
        cleanSplicesDb.push(this.click.loudest(clean, clean.length, index, index + to - from));
      }
      shift += speech - (to - from);
    }
    return { edgesDb: edges(this.click), faintEdgesDb: edges(this.faint), splicesDb, faintSplicesDb, cleanSplicesDb };
  }
}
