/** Part of `npm run lint`: checks the words of the pages, as the plugin of oxlint checks those of comments. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { ROOT } from '../root.mjs';
import { oddWords } from './plain-words.mjs';

const git = ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'];
const pages = execFileSync('git', git, { cwd: ROOT, encoding: 'utf8' })
  .trim()
  .split('\n')
  .filter((page) => existsSync(`${ROOT}/${page}`));
let count = 0;
for (const page of pages) {
  // Code is not prose.
  const text = readFileSync(`${ROOT}/${page}`, 'utf8').replaceAll(/```[^]*?```|`[^`]*`/g, (code) =>
    code.replaceAll(/[^\n]/g, ' '),
  );
  for (const { index, message } of oddWords(text)) {
    console.error(`${page}:${text.slice(0, index).split('\n').length}: ${message}`);
    count++;
  }
}
if (count > 0) process.exitCode = 1;
