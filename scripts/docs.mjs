/**
 * `npm run docs`: builds the documentation site into `.cache/docs/site`, and fails if a public symbol has no
 * documentation, a link is dead, or a block of code is not one of the examples that the tests run.
 *
 * `-- --serve`, or `npm run docs:serve`, then starts what `npm start` starts, with the site at `/docs/`: its pages can
 * speak. `SVC_DOCS_BASE` is the path the site is for, `/docs/` by default. Only Node's own modules and ours are imported
 * up here, since on a fresh clone there are no others yet.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { runNode } from './command.mjs';
import { checkExamples } from './docs/examples.mjs';
import { checkLinks } from './docs/links.mjs';
import { ensureInstalled } from './install.mjs';
import { ROOT } from './root.mjs';

/** Where the site is, once it is built. */
export const SITE = join(ROOT, '.cache', 'docs', 'site');

/**
 * Builds the site out of the pages and of the package that was built.
 *
 * @returns {Promise<{ undocumented: string[], deadLinks: string[], unknownCode: string[] }>} What is wrong with it.
 * @throws {Error} If it cannot be built; what VitePress prints says why.
 */
export async function buildSite() {
  await ensureInstalled('docs');
  // Not a literal: what it imports is installed only now, and no type check follows it.
  const { writeReference } = await import(pathToFileURL(join(ROOT, 'docs', '.vitepress', 'reference.mjs')).href);
  const undocumented = await writeReference();
  const code = await runNode([join('docs', 'node_modules', 'vitepress', 'bin', 'vitepress.js'), 'build', 'docs']);
  if (code !== 0) throw new Error('The site cannot be built; VitePress says why, above.');
  const deadLinks = checkLinks(SITE, {
    base: process.env.SVC_DOCS_BASE ?? '/docs/',
    // The demo is served beside it.
    isServed: (path) => existsSync(join(ROOT, path.replace(/\/$/, '/index.html'))),
  });
  return { undocumented, deadLinks, unknownCode: checkExamples() };
}

async function main() {
  await ensureInstalled();
  if ((await runNode(['scripts/build.mjs'])) !== 0) return 1;
  const problems = await buildSite();
  const titles = { undocumented: 'Not documented', deadLinks: 'Dead links', unknownCode: 'Code that no test runs' };
  for (const [kind, title] of Object.entries(titles)) {
    const lines = problems[/** @type {keyof typeof titles} */ (kind)];
    if (lines.length > 0) console.error(`\n${title}:\n${lines.map((line) => `  ${line}`).join('\n')}`);
  }
  if (Object.values(problems).some((lines) => lines.length > 0)) return 1;
  console.log(`The site is in ${SITE}`);
  if (!process.argv.includes('--serve')) return 0;
  console.log('It will be at /docs/ below the address that follows.');
  return runNode(['scripts/start.mjs']);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) process.exitCode = await main();
