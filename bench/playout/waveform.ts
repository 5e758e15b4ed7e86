import { type Colour, drawWaveform as draw, type Stretch } from '../../src/testing/waveform.js';
import type { Alignment } from './alignment.js';
import type { Run } from './silence.js';
import { OUTPUT_PER_MS } from './simulate.js';

/** The drawn part of a recording, and its layout. */
export interface View {
  /** In output samples. */
  readonly from: number;
  readonly to: number;
  readonly rowMs: number;
  /** In pixels. */
  readonly rowHeight: number;
}

const SILENT: Colour = [230, 60, 50];
const PUT_IN: Colour = [255, 205, 110];
const TOUCHED: Colour = [180, 225, 180];

/**
 * Draws the played sound: speech in blue. The background is red where the player was silent, yellow where it inserted
 * sound, green where it removed sound or faded.
 *
 * @returns A PNG file.
 */
export function drawWaveform(
  output: Float32Array,
  silent: readonly Run[],
  { breaks }: Alignment,
  { rowMs, ...view }: View,
): Buffer {
  const stretches: Stretch[] = breaks.map(({ from, to, speech, silence }) => ({
    from,
    to,
    colour: to - from - silence - speech > OUTPUT_PER_MS ? PUT_IN : TOUCHED,
  }));
  for (const { from, to } of silent) stretches.push({ from, to, colour: SILENT });
  return draw(output, stretches, { ...view, rowSamples: rowMs * OUTPUT_PER_MS });
}
