/**
 * Compares the Markdown of `src/speakable` with parsers that others wrote: the size of what a page would load, and the
 * time to follow an answer that arrives in tokens. Prints the time of a lexicon, too: `npm run markdown --prefix bench`.
 */
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { parser as lezer, GFM } from '@lezer/markdown';
import { build } from 'esbuild';
import MarkdownIt from 'markdown-it';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { makeLexicon } from '../../src/speakable/lexicon.js';
import { Markdown } from '../../src/speakable/markdown.js';
import { show } from '../show.js';
import { rounded } from '../timing.js';

const SENTENCE =
  'The **quick** brown [fox](https://example.org/fox) jumps over `the` lazy dog, and _runs_ away again. ';
const BLOCKS = [SENTENCE.repeat(4), '## Steps', '- one\n- two *or* three', '| a | b |\n|---|---|\n| 1 | 2 |', SENTENCE];
const ANSWER = Array.from({ length: 6 }, () => BLOCKS.join('\n\n')).join('\n\n');
const TOKENS = ANSWER.match(/[^]{1,4}/g)!;

const markdownIt = new MarkdownIt({ linkify: true });
const gfmParser = lezer.configure(GFM);

/** Parsers of whole texts. To follow an answer, they parse its last block again with each token. */
const OTHERS: Readonly<Record<string, { code: string; parse: (text: string) => unknown }>> = {
  micromark: {
    code: `export { micromark } from 'micromark'; export { gfm, gfmHtml } from 'micromark-extension-gfm';`,
    parse: (text) => micromark(text, { extensions: [gfm()], htmlExtensions: [gfmHtml()] }),
  },
  'markdown-it': { code: `export { default } from 'markdown-it';`, parse: (text) => markdownIt.parse(text, {}) },
  '@lezer/markdown': { code: `export { parser, GFM } from '@lezer/markdown';`, parse: (text) => gfmParser.parse(text) },
};

async function sizeOf(contents: string): Promise<number> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: fileURLToPath(new URL('.', import.meta.url)), loader: 'ts' },
    bundle: true,
    minify: true,
    format: 'esm',
    write: false,
  });
  return gzipSync(outputFiles[0]!.contents).length;
}

/** Returns the median of several times, in milliseconds. */
function time(run: () => void): number {
  const times = Array.from({ length: 9 }, () => {
    const start = performance.now();
    run();
    return performance.now() - start;
  });
  return times.toSorted((a, b) => a - b)[4]!;
}

function follow(parse: (text: string) => unknown): void {
  let block = '';
  for (const token of TOKENS) {
    block += token;
    parse(block);
    block = block.slice(block.lastIndexOf('\n\n') + 1);
  }
}

const rows: Record<string, unknown>[] = [];
const add = (parser: string, bytes: number, ms: number): void => {
  rows.push({ parser, 'kB, gzip': rounded(bytes / 1000, 1), 'ms for an answer': rounded(ms, 1) });
};

add(
  'src/speakable',
  await sizeOf(`export * from '../../src/speakable/markdown.js'`),
  time(() => {
    const markdown = new Markdown();
    for (const token of TOKENS) markdown.push(token);
    markdown.end();
  }),
);
for (const [name, { code, parse }] of Object.entries(OTHERS))
  add(
    name,
    await sizeOf(code),
    time(() => follow(parse)),
  );
show('markdown: parsers', rows, [`An answer has ${ANSWER.length} characters in ${TOKENS.length} tokens.`]);

const lexicon = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`word${index} of many`, 'x']));
const sentence = 'Some words of many, word999 of many, and word12 of others in a sentence that is not short at all. ';
const runs = [{ original: sentence, spoken: sentence }];
const count = 200;
const makeMs = time(() => makeLexicon(lexicon, 'en'));
const say = makeLexicon(lexicon, 'en');
const sayMs = time(() => {
  for (let index = 0; index < count; index++) say(runs);
});
show('markdown: lexicon', [
  { entries: 1000, 'ms for each call': rounded(makeMs, 2), 'ms for each sentence': rounded(sayMs / count, 3) },
]);
