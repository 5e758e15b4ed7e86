import { ENGLISH, type SentenceRules } from './sentence-rules.js';

/** English, an unknown language, and languages without abbreviations that end in a full stop. */
const LIKE_ENGLISH = /^(?:en|ja|ko|zh|)$/;

const OTHERS: Readonly<Record<string, () => Promise<{ readonly rules: SentenceRules }>>> = {
  de: () => import('./sentence-rules.de.js'),
  es: () => import('./sentence-rules.es.js'),
  fr: () => import('./sentence-rules.fr.js'),
  it: () => import('./sentence-rules.it.js'),
  pt: () => import('./sentence-rules.pt.js'),
  ru: () => import('./sentence-rules.ru.js'),
};

/**
 * Resolves with the rules of a language. Those of English are here; others are loaded. If that fails, the rules of
 * English apply.
 *
 * @param language - A BCP 47 tag, such as `de-AT`; empty if unknown.
 */
export async function loadSentenceRules(language: string): Promise<SentenceRules> {
  const base = language.split(/[-_]/, 1)[0]!.toLowerCase();
  if (LIKE_ENGLISH.test(base)) return ENGLISH;
  try {
    const own = await OTHERS[base]?.();
    return own?.rules ?? (await import('./sentence-rules.more.js')).rulesOf(base);
  } catch {
    return ENGLISH;
  }
}
