/**
 * Words that comments and documentation do not use, with what to write instead. Only words that are wrong wherever they
 * occur: a check that is sometimes wrong is soon switched off. docs/glossary.md has the terms of the project.
 *
 * @type {readonly (readonly [pattern: RegExp, instead: string])[]}
 */
const WORDS = [
  [/\bmend(s|ed|ing)?\b/i, 'fix'],
  [/\bheed(s|ed|ing)?\b/i, 'honour, follow'],
  [/\banew\b/i, 'again'],
  [/\bof late\b/i, 'recently'],
  [/\bat best\b/i, 'the minimum or maximum'],
  [/\bso long as\b/i, 'while, if'],
  [/\bthereby\b/i, 'so'],
  [/\bwho(so)?ever\b/i, 'any caller, everyone who'],
  [/\b(is|are|was|were) told\b/i, 'receives, is notified'],
  [/\bgiven up\b/i, 'times out, is abandoned'],
  [/\blets? go\b/i, 'drops, releases'],
  [/\bin vain\b/i, 'without success'],
  [/\blest\b/i, 'so that … not'],
  [/\bwhere(by|in|upon)\b/i, 'by which, in which'],
  [/\b(there|here)(of|upon|with)\b/i, 'of it, with it'],
  [/\bin order to\b/i, 'to'],
  [/\butili[sz]e/i, 'use'],
];

/** Begins a doc comment with a riddle. */
const RIDDLE = /^\*\s*(?:\*\s*)?(What|Of|Who|Whose|Whether|In which|By which)\b/;

/**
 * Finds words of the list in a text.
 *
 * @param {string} text
 * @returns {{ index: number, message: string }[]}
 */
export function oddWords(text) {
  return WORDS.flatMap(([pattern, instead]) =>
    [...text.matchAll(new RegExp(pattern, 'gi'))].map(({ index, 0: word }) => ({
      index,
      message: `Plain English: instead of "${word}", write: ${instead}.`,
    })),
  );
}

/** Plugin of oxlint, so that the editor underlines what CI refuses. */
export default {
  meta: { name: 'prose' },
  rules: {
    'plain-words': {
      /** @param {any} context - ESLint's rule context. */
      create(context) {
        return {
          Program() {
            const { sourceCode } = context;
            for (const comment of sourceCode.getAllComments()) {
              const start = comment.range[0] + 2;
              for (const { index, message } of oddWords(comment.value)) {
                const loc = sourceCode.getLocFromIndex(start + index);
                context.report({ loc: { start: loc, end: loc }, message });
              }
              const riddle = comment.type === 'Block' && RIDDLE.exec(comment.value);
              if (!riddle) continue;
              const message = `Plain English: begin a doc comment with a noun phrase or a verb, not with "${riddle[1]}".`;
              context.report({ loc: comment.loc, message });
            }
          },
        };
      },
    },
  },
};
