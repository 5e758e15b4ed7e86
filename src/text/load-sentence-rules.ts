import { ENGLISH, type SentenceRules, words } from './sentence-rules.js';

/** Languages whose numbers with a full stop are ordinals, without rules of their own here. */
const WITH_ORDINALS = words('bs cs da et fi hr hu is lt lv nb nn no pl sk sl sr tr');

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
  if (WITH_ORDINALS.has(base)) return { ...ENGLISH, hasOrdinals: true };
  try {
    return (await OTHERS[base]?.())?.rules ?? ENGLISH;
  } catch {
    return ENGLISH;
  }
}
