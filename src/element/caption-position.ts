/** What English takes, spoken at an even pace. */
const CHARACTERS_PER_SECOND = 15;

/**
 * About how much of a text has been heard, 0 to 1. The service does not say when a word is spoken: so by time, where it is
 * known how long the text takes, else by how fast people speak. Good for what is to be in view, not to mark a word.
 *
 * @param heard - Seconds of the text that have been heard.
 * @param seconds - How long all of it takes; null while more may come.
 * @param characters - Length of the text.
 */
export function captionPosition(heard: number, seconds: number | null, characters: number): number {
  const expected = seconds ?? characters / CHARACTERS_PER_SECOND;
  return expected > 0 ? Math.min(1, Math.max(0, heard / expected)) : 0;
}
