import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { App } from './apps.js';
import { ROOT } from './consumers.js';
import type { Found, Refused } from './matrix.js';
import { POLICIES } from './page-policy.js';

/** The file with the results of a run, between the lines `BEGIN` and `END`. */
const DOCS = join(ROOT, 'docs', 'deployment.md');
const FORMATTER = join(ROOT, 'scripts', 'checks', 'node_modules', 'oxfmt', 'bin', 'oxfmt');
const BEGIN = '<!-- What follows is written by `npm run docs:bundlers`. -->';
const END = '<!-- What follows is written by people. -->';

/** Results of a run, for the tables of docs/deployment.md. */
export interface Findings {
  /** Folder of the apps. */
  readonly apps: string;
  readonly found: readonly Found[];
  readonly refused: readonly Refused[];
}

/**
 * Returns docs/deployment.md as it is, and as it should be.
 *
 * @throws {Error} If the file lacks the lines between which the tables are placed.
 */
export async function compareDocs(findings: Findings): Promise<{ is: string; toBe: string }> {
  const is = await readFile(DOCS, 'utf8');
  const [before, rest] = is.split(BEGIN);
  const after = rest?.split(END)[1];
  if (after === undefined) throw new Error(`docs/deployment.md has no place for the tables: ${BEGIN} … ${END}`);
  const text = [before, BEGIN, '\n\n', await tables(findings), '\n', END, after].join('');
  return {
    is,
    toBe: execFileSync(process.execPath, [FORMATTER, '--stdin-filepath', DOCS], {
      input: text,
      cwd: ROOT,
      encoding: 'utf8',
    }),
  };
}

/** Writes the results of a run into docs/deployment.md. */
export async function writeDocs(findings: Findings): Promise<void> {
  await writeFile(DOCS, (await compareDocs(findings)).toBe);
}

async function tables({ apps, found, refused }: Findings): Promise<string> {
  const names = new Map<App, string>();
  for (const { app } of [...found, ...refused]) names.set(app, await nameOf(apps, app));
  // One row per app, in the order of `found`.
  const rows = [...new Set(found.map(({ app }) => app))].map((app) => [
    names.get(app)!,
    ...POLICIES.map((policy) => heard(found.filter((cell) => cell.app === app && cell.policy === policy))),
  ]);
  const refusals = refused.map(({ app, policy, files, remedy }) => [names.get(app)!, policy, code(files), remedy]);
  return [
    ...table(['', ...POLICIES], rows),
    '',
    'Setups that cannot work fail with `output-failed`, and the message names the remedy:',
    '',
    ...table(['', 'policy', 'thread files', 'the message contains'], refusals),
    '',
  ].join('\n');
}

/** Text for the cells of one app under one policy, such as `built in: shared, message`; isolated pages come first. */
function heard(cells: readonly Found[]): string {
  const files = [...new Set(cells.map((cell) => cell.files))].sort().reverse();
  const parts = files.map((name) => {
    const transports = cells
      .filter((cell) => cell.files === name)
      .sort((a, b) => Number(b.isolated) - Number(a.isolated))
      .map(({ transport }) => transport);
    return `${code(name)}: ${transports.join(', ')}`;
  });
  return parts.join('; ') || '–';
}

function code(files: string): string {
  return files.endsWith('.js') ? `\`${files}\`` : files;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`);
}

async function nameOf(apps: string, { packages, note, folder }: App): Promise<string> {
  const titles = await Promise.all(
    packages.map(async ({ name, title }) => {
      const folders = [folder, dirname(folder), '.'].map((one) =>
        join(apps, one, 'node_modules', name, 'package.json'),
      );
      const { version } = JSON.parse(await readFile(folders.find(existsSync)!, 'utf8')) as { version: string };
      return `${title} ${version}`;
    }),
  );
  return [titles.join(' + '), note].filter(Boolean).join(', ');
}
