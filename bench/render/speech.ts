/** Length of the signal, in seconds. */
const SECONDS = 20;
/** Parts of a syllable and their lengths in seconds. */
const SYLLABLE = [
  ['fricative', 0.08],
  ['vowel', 0.22],
  ['pause', 0.04],
] as const;

/**
 * Returns a signal with the features of speech that matter to a time stretch: vowels with gliding pitch, fricatives and
 * pauses.
 *
 * @param sampleRate - In Hz.
 */
export function speech(sampleRate: number): Int16Array {
  const samples = new Int16Array(SECONDS * sampleRate);
  let at = 0;
  let seed = 1;
  const noise = (): number => (seed = (Math.imul(seed, 1664525) + 1013904223) | 0) / 2 ** 31;
  for (let syllable = 0; at < samples.length; syllable++) {
    for (const [kind, seconds] of SYLLABLE) {
      const count = Math.round(seconds * sampleRate);
      let phase = 0;
      let last = 0;
      for (let i = 0; i < count && at < samples.length; i++, at++) {
        const envelope = Math.sin((Math.PI * (i + 0.5)) / count);
        const white = noise();
        if (kind === 'pause') {
          samples[at] = 20 * white;
        } else if (kind === 'fricative') {
          samples[at] = 2500 * envelope * (white - last);
        } else {
          // Pitch of 90 to 210 Hz, with formants at four and eleven times the pitch.
          phase += (2 * Math.PI * (150 + 60 * Math.sin(syllable + i / count))) / sampleRate;
          const voice = Math.sin(phase) + 0.7 * Math.sin(4 * phase) + 0.3 * Math.sin(11 * phase);
          samples[at] = 9000 * envelope * (voice + 0.05 * white);
        }
        last = white;
      }
    }
  }
  return samples;
}
