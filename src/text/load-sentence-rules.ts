import { ENGLISH, type SentenceRules, words } from './sentence-rules.js';

/** Languages that have no file of their own. */
const MORE = words(
  'af ar bg bn bs cs da el et fi hi hr hu hy id is kk lt lv ml mr nb nl nn no pl ro sk sl sr sv sw tr uk vi',
);

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
  try {
    if (MORE.has(base)) return (await import('./sentence-rules.more.js')).rulesOf(base);
    return (await OTHERS[base]?.())?.rules ?? ENGLISH;
  } catch {
    return ENGLISH;
  }
}
