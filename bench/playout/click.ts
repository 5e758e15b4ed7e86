import type { Alignment } from './alignment.js';
import { ClickBand } from '../../src/testing/click-band.js';
import type { Run } from './silence.js';
import { OUTPUT_PER_MS, OUTPUT_RATE } from './simulate.js';

/** Lower edge of the band that is searched for clicks, in Hz. Fricatives may be as loud as a click there. */
const CLICK_HZ = 6000;

/**
 * Lower edge of the band that contains no speech, in Hz: the voices have a rate of 16 kHz. It contains only the marker,
 * at -72 dBFS.
 */
const FAINT_HZ = 10_000;

/** Breaks this close to the beginning belong to the ramp there, in samples. */
const RAMP = 5 * OUTPUT_PER_MS;

/** Levels in dB relative to clean speech, see ClickBand. `faint` means above 10 kHz, where nothing hides a click. */
export interface Clicks {
  /** At the beginnings and ends of sound. */
  readonly edgesDb: readonly number[];
  readonly faintEdgesDb: readonly number[];
  /** Where the player altered the speech without silence. */
  readonly splicesDb: readonly number[];
  readonly faintSplicesDb: readonly number[];
  /** Levels of the clean speech at the same places. */
  readonly cleanSplicesDb: readonly number[];
}

/** Finds clicks in recordings of one loop of speech. */
export class ClickMeter {
  readonly click: ClickBand;
  readonly faint: ClickBand;
  readonly #clean: Float32Array;

  /** @param clean - The loop as the resampler outputs it. */
  constructor(clean: Float32Array) {
    this.#clean = clean;
    this.click = new ClickBand(CLICK_HZ, clean, OUTPUT_RATE);
    this.faint = new ClickBand(FAINT_HZ, clean, OUTPUT_RATE);
  }

  /**
   * @param range - Range of the output that has sound.
   * @param silent - Runs of silence in the output.
   * @param origin - Index in the loop of the stream's first sample.
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
