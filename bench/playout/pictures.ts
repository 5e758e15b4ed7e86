import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { encodeWav } from '../../src/testing/wav.js';
import { align, type Alignment } from './alignment.js';
import type { Bench } from './bench.js';
import { silentRuns, soundingRange } from './silence.js';
import { OUTPUT_PER_MS, OUTPUT_RATE } from './simulate.js';
import { TraceRunner } from './trace-job.js';
import { drawWaveform } from './waveform.js';

/** Length of the zoomed part around the longest interruption, in milliseconds. */
const ZOOM_MS = 450;

/**
 * Writes the output for each trace with seed 1: a WAV file, pictures of its waveform (whole, and around the longest
 * interruption), and its spectrogram if sox is installed.
 *
 * @param directory - Created if missing.
 * @throws {Error} If it is not writable.
 */
export function writePictures(directory: string, bench: Bench, player: string, traces: readonly string[]): void {
  mkdirSync(directory, { recursive: true });
  const runner = new TraceRunner(bench);
  let sox = true;
  for (const trace of traces) {
    const { recording, speech, origin } = runner.play({ player, trace, seed: 1 });
    const { output, length } = recording;
    const range = soundingRange(output, length);
    const silent = silentRuns(output, range);
    const alignment = align(output, range, silent, speech.clean, origin);
    const file = join(directory, `${trace}-${player.replace(':', '')}`);
    writeFileSync(`${file}.wav`, encodeWav(output.subarray(0, length), OUTPUT_RATE));
    const all = { from: 0, to: length, rowMs: 5000, rowHeight: 90 };
    writeFileSync(`${file}-waveform.png`, drawWaveform(output, silent, alignment, all));
    const at = Math.max(0, longest(alignment) - (ZOOM_MS / 2) * OUTPUT_PER_MS);
    const near = { from: at, to: Math.min(length, at + ZOOM_MS * OUTPUT_PER_MS), rowMs: ZOOM_MS / 3, rowHeight: 300 };
    writeFileSync(`${file}-zoom.png`, drawWaveform(output, silent, alignment, near));
    if (!sox) continue;
    try {
      execFileSync('sox', [`${file}.wav`, '-n', 'spectrogram', '-x', '3000', '-o', `${file}-spectrogram.png`]);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      sox = false;
      console.log('sox is not installed: no spectrograms');
    }
  }
  console.log(`${traces.length} recordings in ${directory}`);
}

/** Returns the middle of the longest break. */
function longest({ breaks }: Alignment): number {
  const [first] = breaks.toSorted((a, b) => b.to - b.from - (a.to - a.from));
  return first ? Math.round((first.from + first.to) / 2) : 0;
}
