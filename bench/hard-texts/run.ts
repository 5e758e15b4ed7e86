/**
 * Shows that hard texts take time that grows with their length, not with its square:
 * `npm run hard-texts --prefix bench`. Prints the time of 10,000 characters, and that of 40,000 as a multiple: for the
 * player, as a stream of single characters and as a string; and for the service, which writes out numbers and signs.
 */
import { threadClock } from '../../src/base/thread-clock.js';
import { readText } from '../../src/text/read-text.js';
import { originalOf, type Run } from '../../src/speakable/runs.js';
import { toPlainText } from '../../service/src/speech/plain-text.js';

const LENGTH = 10_000;
const FACTOR = 4;

const HARD: Readonly<Record<string, string>> = {
  'one letter': 'a',
  'words without an end': 'word ',
  sentences: 'It is so. ',
  digits: '1',
  'digits in groups': '1,234.',
  Thai: 'สวัสดีครับ',
  Chinese: '我们今天学习',
  'lone surrogates': '\uD83D',
  'joined emoji': '👩‍👩‍👧‍👦',
  'open quotes': '"',
  'open emphasis': '*a',
  'open links': '[a](',
  'open tags': '<a ',
  'open code': '`a',
  'nested quotes': '> ',
  'table rows': '| a ',
  backslashes: '\\',
  spaces: `*a*${' '.repeat(FACTOR * LENGTH)}`,
  'web address': 'https://example.org/',
};

async function read(text: string | AsyncIterable<string>): Promise<string> {
  const parts: string[] = [];
  const add = (part: readonly Run[]): void => void parts.push(originalOf(part));
  const options = { markup: 'markdown', lexicon: null } as const;
  await readText(text, options, 'en', add, new AbortController().signal, threadClock);
  return parts.join('');
}

async function* characters(text: string): AsyncGenerator<string> {
  yield* text.split('');
}

const WAYS: Readonly<Record<string, (text: string) => Promise<string> | string>> = {
  stream: (text) => read(characters(text)),
  string: read,
  service: (text) => (toPlainText(`Hello ${text}`, true), text),
};

async function time(run: (text: string) => Promise<string> | string, text: string): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < 3; round++) {
    const start = performance.now();
    const given = await run(text);
    times.push(performance.now() - start);
    if (given !== text) throw new Error(`Characters were lost of ${JSON.stringify(text.slice(0, 20))} …`);
  }
  return Math.min(...times);
}

const columns = Object.keys(WAYS).map((way) => way.padStart(20));
console.log(`${''.padEnd(22)}${columns.join('')}`);
for (const [name, piece] of Object.entries(HARD)) {
  const [short, long] = [LENGTH, LENGTH * FACTOR].map((length) =>
    piece.repeat(Math.ceil(length / piece.length)).slice(0, length),
  ) as [string, string];
  const cells: string[] = [];
  for (const run of Object.values(WAYS)) {
    const ms = await time(run, short);
    const times = (await time(run, long)) / ms;
    cells.push(`${ms.toFixed(1)} ms × ${times.toFixed(1)}`.padStart(20));
  }
  console.log(`${name.padEnd(22)}${cells.join('')}`);
}
