/**
 * Writes out the examples of NeMo text processing (https://github.com/NVIDIA/NeMo-text-processing, Apache 2.0), and prints
 * how many get the words that its authors give: `npm run normalize --prefix bench -- FOLDER [--verbose]`, a checkout.
 *
 * Hyphens, commas, capitals, "and" in numbers, "the" before days and schemes of addresses are not compared: they are
 * matters of taste.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { normalizeText } from '../../service/src/speech/normalize-text.js';

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

for (const name of CLASSES) {
  const file = join(folder, `tests/nemo_text_processing/en/data_text_normalization/test_cases_${name}.txt`);
  const pairs = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.includes('~'))
    .map((line) => [line.slice(0, line.lastIndexOf('~')), line.slice(line.lastIndexOf('~') + 1)] as const);
  const wrong = pairs.filter(([written, spoken]) => plain(normalizeText(written)) !== plain(spoken));
  const right = pairs.length - wrong.length;
  console.log(`${name.padEnd(12)} ${right} of ${pairs.length} (${Math.round((100 * right) / pairs.length)} %)`);
  if (verbose) for (const [written, spoken] of wrong) console.log({ written, spoken, ours: normalizeText(written) });
}
