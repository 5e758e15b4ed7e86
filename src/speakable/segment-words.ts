/** Scripts that do not put spaces between words. */
export const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/**
 * Divides a text into words and what is between them; into nothing where the browser cannot.
 *
 * @param language - A BCP 47 tag. `zh_CN` is known too; for any other text, the language of the browser counts.
 */
export function segmentWords(text: string, language?: string): Iterable<Intl.SegmentData> {
  if (!('Segmenter' in Intl)) return [];
  return new Intl.Segmenter(knownTag(language), { granularity: 'word' }).segment(text);
}

function knownTag(language: string | undefined): string | undefined {
  try {
    return Intl.getCanonicalLocales(language?.replaceAll('_', '-'))[0];
  } catch {
    return undefined;
  }
}
