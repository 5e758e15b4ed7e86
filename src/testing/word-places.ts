import { align } from './alignment.js';
import type { Heard } from './heard.js';
import { Reference } from './reference.js';
import type { Sound } from './sound.js';

/** Greatest distance of a word's beginning from sound that was recognised, in seconds. */
const NEAR = 0.1;

/**
 * Finds where words begin in a recording.
 *
 * @param sent - Speech that was sent.
 * @param starts - Beginnings of words in it, in seconds.
 * @returns Sample of the recording for each word; NaN if its sound is not there.
 */
export function placesOf({ samples, sampleRate }: Heard, sent: Sound, starts: readonly number[]): number[] {
  const segments = align(samples, new Reference(sent, sampleRate));
  return starts.map((seconds) => {
    const at = seconds * sampleRate;
    const distances = segments.map(({ from, to, shift }) => Math.max(from - shift - at, at - (to - shift), 0));
    const least = Math.min(...distances);
    return least <= NEAR * sampleRate ? at + segments[distances.indexOf(least)]!.shift : Number.NaN;
  });
}
