/**
 * Writes out the examples of NeMo text processing (https://github.com/NVIDIA/NeMo-text-processing, Apache 2.0), and prints
 * how many get the words that its authors give: `npm run normalize --prefix bench -- FOLDER [--verbose]`, a checkout.
 *
 * Then prints the pairs of rules whose order changes one of these texts, and no example of our own tests.
 *
 * Hyphens, commas, capitals, "and" in numbers, "the" before days and schemes of addresses are not compared: they are
 * matters of taste.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MappedText, type Rule } from '../../service/src/speech/mapped-text.js';
import { normalizeText, RULES } from '../../service/src/speech/normalize-text.js';
import { EXAMPLES } from '../../service/test/speech/normalize-examples.js';
import { show } from '../show.js';

const CLASSES = 'cardinal decimal money time date telephone measure ordinal electronic fraction math range'.split(' ');

const folder = process.argv[2];
if (folder === undefined) throw new Error('Name the folder of a checkout of NeMo text processing.');
const verbose = process.argv.includes('--verbose');

function plain(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/\bhttps? colon slash slash\b/g, '')
    .replaceAll(/[-,."']/g, ' ')
    .replaceAll(/\b(?:and|the)\b/g, ' ')
    .replaceAll(/\boh\b/g, 'o')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

const sayOut = (text: string): string => normalizeText(MappedText.of(text)).text;

const texts: string[] = [];
const rows: Record<string, unknown>[] = [];
for (const name of CLASSES) {
  const file = join(folder, `tests/nemo_text_processing/en/data_text_normalization/test_cases_${name}.txt`);
  const pairs = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.includes('~'))
    .map((line) => [line.slice(0, line.lastIndexOf('~')), line.slice(line.lastIndexOf('~') + 1)] as const);
  const wrong = pairs.filter(([written, spoken]) => plain(sayOut(written)) !== plain(spoken));
  texts.push(...pairs.map(([written]) => written));
  rows.push({ class: name, right: pairs.length - wrong.length, of: pairs.length });
  if (verbose) for (const [written, spoken] of wrong) console.log({ written, spoken, ours: sayOut(written) });
}

show('normalize: examples', rows);

function read(text: string, rules: readonly Rule[]): string {
  return rules.reduce((said, [pattern, by]) => said.replace(pattern, by as string), text);
}

function moved(from: number, to: number): Rule[] {
  const rules = RULES.toSpliced(from, 1);
  rules.splice(to, 0, RULES[from]!);
  return rules;
}

/** Returns the pairs of rules of which neither can pass the other without a change of a text, each with the text. */
function collisions(among: readonly string[]): Map<string, string> {
  const found = new Map<string, string>();
  for (const text of among) {
    const said = read(text, RULES);
    const applied = [...RULES.keys()].filter((rule) => read(text, RULES.toSpliced(rule, 1)) !== said);
    for (const [index, first] of applied.entries())
      for (const second of applied.slice(index + 1)) {
        const isFixed = [moved(second, first), moved(first, second)].every((rules) => read(text, rules) !== said);
        if (isFixed) found.set(`${RULES[first]![0]}\n  ${RULES[second]![0]}`, text);
      }
  }
  return found;
}

const shown = collisions(
  Object.values(EXAMPLES)
    .flat()
    .map(([text]) => text),
);
const all = collisions(texts);
console.log(`pairs of rules whose order matters: ${shown.size} in our examples, ${all.size} in these texts`);
for (const [pair, text] of all) if (!shown.has(pair)) console.log(`not in our examples: ${text}\n  ${pair}`);
