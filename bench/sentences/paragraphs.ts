/**
 * Cuts paragraphs into sentences that annotators have marked, as a model would write them: in random pieces.
 * `npm run paragraphs --prefix bench -- FOLDER [--verbose]`, a checkout of a Universal Dependencies treebank of English
 * (https://github.com/UniversalDependencies/UD_English-GUM). It takes up to 1,000 paragraphs of at least two sentences.
 *
 * Prints how many ends of sentences are found, how many are found where there is none, in how many paragraphs the pieces
 * make a difference (there should be none), and with which piece the first sentence is returned: the earliest is the one
 * with the first letter of the next sentence.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Random } from '../../src/testing/random.js';
import { SentenceCutter } from '../../src/text/sentences.js';
import { show } from '../show.js';
import { quantile, rounded } from '../timing.js';

const PARAGRAPHS = 1000;
const CHUNKINGS = 5;

const folder = process.argv[2];
if (folder === undefined) throw new Error('Name the folder of a checkout of a treebank.');
const verbose = process.argv.includes('--verbose');

/** Paragraphs, each as its sentences. */
function readParagraphs(text: string): string[][] {
  const paragraphs: string[][] = [];
  for (const sentence of text.split(/\n\n+/u)) {
    const words = /^# text = (.*)$/mu.exec(sentence)?.[1]?.trim();
    if (words === undefined) continue;
    if (/^# new(?:par|doc)/mu.test(sentence) || paragraphs.length === 0) paragraphs.push([]);
    paragraphs.at(-1)!.push(words);
  }
  return paragraphs.filter((sentences) => sentences.length > 1);
}

/** Positions, without spaces, at which sentences end before the end of the text. */
function endsOf(sentences: readonly string[]): number[] {
  let at = 0;
  return sentences.slice(0, -1).map((sentence) => (at += sentence.replaceAll(/\s/gu, '').length));
}

function cut(pieces: readonly string[]): { sentences: string[]; first: number } {
  const cutter = new SentenceCutter();
  const sentences: string[] = [];
  let first = Infinity;
  let length = 0;
  for (const piece of pieces) {
    length += piece.length;
    sentences.push(...cutter.push(piece));
    if (sentences.length > 0) first = Math.min(first, length);
  }
  sentences.push(cutter.rest() ?? '');
  return { sentences, first };
}

const random = new Random(1);
function inPieces(text: string): string[] {
  const pieces: string[] = [];
  for (let at = 0; at < text.length; at += pieces.at(-1)!.length) {
    pieces.push(text.slice(at, at + 1 + random.below(12)));
  }
  return pieces;
}

const files = readdirSync(folder).filter((name) => name.endsWith('.conllu'));
const paragraphs = files
  .flatMap((name) => readParagraphs(readFileSync(join(folder, name), 'utf8')))
  .slice(0, PARAGRAPHS);

let marked = 0;
let found = 0;
let wrong = 0;
let different = 0;
const lateness: number[] = [];
for (const wanted of paragraphs) {
  const text = wanted.join(' ');
  const whole = cut([text]).sentences;
  const ends = new Set(endsOf(wanted));
  const cuts = endsOf(whole.filter((sentence) => sentence.trim() !== ''));
  const right = cuts.filter((at) => ends.has(at)).length;
  marked += ends.size;
  found += right;
  wrong += cuts.length - right;
  if (verbose && (right < ends.size || right < cuts.length)) console.log({ wanted, whole });
  for (let count = 0; count < CHUNKINGS; count++) {
    if (JSON.stringify(cut(inPieces(text)).sentences) !== JSON.stringify(whole)) different++;
  }
  const { first } = cut(Array.from(text));
  if (first < Infinity) lateness.push(first - whole[0]!.length - 1);
}
lateness.sort((a, b) => a - b);
const percent = (part: number, all: number): number => rounded((100 * part) / all, 1);
show(`sentences: ${basename(folder)}`, [
  {
    treebank: basename(folder),
    paragraphs: paragraphs.length,
    'ends inside': marked,
    'found (%)': percent(found, marked),
    'found where there is none': wrong,
    'changed by the pieces': `${different} of ${CHUNKINGS * paragraphs.length}`,
    'first sentence at once (%)': percent(lateness.filter((late) => late <= 0).length, lateness.length),
    'characters later, p99': quantile(lateness, 0.99),
    most: lateness.at(-1),
  },
]);
