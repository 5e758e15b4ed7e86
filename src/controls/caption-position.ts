/** Usual pace of spoken English. */
const CHARACTERS_PER_SECOND = 15;

/**
 * Estimates how much of a text has been heard, 0 to 1. The service reports no word times, so the estimate uses the
 * length of the audio if it is known, otherwise the usual pace of speech. Good enough to scroll a caption, not to mark
 * a word.
 *
 * @param heard - Seconds of the text that have been heard.
 * @param seconds - Length of the audio; null while more may arrive.
 * @param characters - Length of the text.
 */
export function captionPosition(heard: number, seconds: number | null, characters: number): number {
  const expected = seconds ?? characters / CHARACTERS_PER_SECOND;
  return expected > 0 ? Math.min(1, Math.max(0, heard / expected)) : 0;
}
