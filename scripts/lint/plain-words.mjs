/**
 * Words that comments, messages and documentation do not use, with what to write instead. Only words that are wrong
 * wherever they occur: a check that is sometimes wrong is soon switched off. docs/glossary.md has the terms of the project.
 *
 * @type {readonly (readonly [pattern: RegExp, instead: string])[]}
 */
const WORDS = [
  [/\bmend(s|ed|ing)?\b/gi, 'fix'],
  [/\bheed(s|ed|ing)?\b/gi, 'honour, follow'],
  [/\banew\b/gi, 'again'],
  [/\bof late\b/gi, 'recently'],
  [/\bat best\b/gi, 'the minimum or maximum'],
  [/\bso long as\b/gi, 'while, if'],
  [/\bthereby\b/gi, 'so'],
  [/\bwho(so)?ever\b/gi, 'any caller, everyone who'],
  [/\b(is|are|was|were) told\b/gi, 'receives, is notified'],
  [/\bgiven up\b/gi, 'times out, is abandoned'],
  [/\blets? go\b/gi, 'drops, releases'],
  [/\bin vain\b/gi, 'without success'],
  [/\blest\b/gi, 'so that … not'],
  [/\bwhere(by|in|upon)\b/gi, 'by which, in which'],
  [/\b(there|here)(of|upon|with)\b/gi, 'of it, with it'],
  [/\bin order to\b/gi, 'to'],
  [/\butili[sz]e/gi, 'use'],
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
    [...text.matchAll(pattern)].map(({ index, 0: word }) => ({
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
        const { sourceCode } = context;
        const check = (/** @type {string} */ text, /** @type {number} */ start) => {
          for (const { index, message } of oddWords(text)) {
            const loc = sourceCode.getLocFromIndex(start + index);
            context.report({ loc: { start: loc, end: loc }, message });
          }
        };
        // Messages are prose, too. A text of one word is a name.
        const checkText = (/** @type {any} */ node) => {
          const text = sourceCode.getText(node);
          if (text.includes(' ')) check(text, node.range[0]);
        };
        return {
          Literal: (/** @type {any} */ node) => typeof node.value === 'string' && checkText(node),
          TemplateElement: checkText,
          Program() {
            for (const comment of sourceCode.getAllComments()) {
              check(comment.value, comment.range[0] + 2);
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
