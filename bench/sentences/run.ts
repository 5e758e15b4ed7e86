/**
 * Cuts the examples of Pragmatic Segmenter (https://github.com/diasks2/pragmatic_segmenter, MIT) into sentences, and
 * prints how many are cut as its authors did: `npm run sentences --prefix bench -- FOLDER`, a checkout of it.
 *
 * Some examples are against our rules: a line is a sentence here, because lists are read item by item.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadSentenceRules } from '../../src/text/load-sentence-rules.js';
import { SentenceCutter } from '../../src/text/sentences.js';
import { show } from '../show.js';

const STRING = String.raw`"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'`;
const EXAMPLE = new RegExp(
  String.raw`text: (${STRING}), language: ['"](\w+)['"](.*)\)\s*expect\(ps\.segment\)\.to eq\(\[((?:${STRING}|[,\s])*)\]\)`,
  'gu',
);

const folder = process.argv[2];
if (folder === undefined) throw new Error('Name the folder of a checkout of Pragmatic Segmenter.');
const specs = join(folder, 'spec/pragmatic_segmenter/languages');
const verbose = process.argv.includes('--verbose');
const rows: Record<string, unknown>[] = [];

for (const file of readdirSync(specs)) {
  let all = 0;
  let right = 0;
  for (const [, text, language, options, list] of readFileSync(join(specs, file), 'utf8').matchAll(EXAMPLE)) {
    if (options !== '') continue; // for documents with broken lines
    const wanted = [...list!.matchAll(new RegExp(STRING, 'gu'))].map(([one]) => valueOf(one).trim());
    const cut = sentencesOf(valueOf(text!), language!, await loadSentenceRules(language!));
    all++;
    if (JSON.stringify(cut) === JSON.stringify(wanted)) right++;
    else if (verbose) console.log({ file, cut, wanted });
  }
  if (all > 0) rows.push({ language: file.replace('_spec.rb', ''), right, of: all });
}
show('sentences: examples', rows);

function sentencesOf(text: string, language: string, rules: Awaited<ReturnType<typeof loadSentenceRules>>): string[] {
  const cutter = new SentenceCutter(rules, language);
  return [...cutter.push(text), cutter.rest() ?? ''].map((sentence) => sentence.trim()).filter((one) => one !== '');
}

/** Returns the value of a string literal of Ruby. */
function valueOf(literal: string): string {
  const inner = literal.slice(1, -1);
  if (literal.startsWith("'")) return inner.replaceAll("\\'", "'");
  return inner.replaceAll(
    /\\(.)/gsu,
    (_, character: string) => ({ n: '\n', t: '\t', r: '\r' })[character] ?? character,
  );
}
