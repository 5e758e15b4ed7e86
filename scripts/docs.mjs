/**
 * `npm run docs`: builds the documentation site into `.cache/docs/site`. Fails if a public symbol has no documentation,
 * a link is dead, or a code block is not one of the examples that the tests run.
 *
 * `-- --serve`, or `npm run docs:serve`, then does the same as `npm start`, with the site at `/docs/`, where its pages
 * can speak. `SVC_DOCS_BASE` is the base path of the site, `/docs/` by default. The static imports are only Node's
 * modules and our own, because a fresh clone has no packages yet.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { runNode } from './command.mjs';
import { checkExamples } from './docs/examples.mjs';
import { checkLinks } from './docs/links.mjs';
import { ensureInstalled } from './install.mjs';
import { ROOT } from './root.mjs';

/** Folder of the built site. */
export const SITE = join(ROOT, '.cache', 'docs', 'site');

/**
 * Builds the site from the pages and the built package.
 *
 * @returns {Promise<{ undocumented: string[], deadLinks: string[] }>} Problems of the site.
 * @throws {Error} If it cannot be built; VitePress prints the reason.
 */
export async function buildSite() {
  await ensureInstalled('docs');
  // Not a literal: its imports have only just been installed, and the type check must not follow it.
  const { writeReference } = await import(pathToFileURL(join(ROOT, 'docs', '.vitepress', 'reference.mjs')).href);
  const undocumented = await writeReference();
  const code = await runNode([join('docs', 'node_modules', 'vitepress', 'bin', 'vitepress.js'), 'build', 'docs']);
  if (code !== 0) throw new Error('The site cannot be built; VitePress says why, above.');
  const deadLinks = checkLinks(SITE, {
    base: process.env.SVC_DOCS_BASE ?? '/docs/',
    // The demo is served next to the site.
    isServed: (path) => existsSync(join(ROOT, path.replace(/\/$/, '/index.html'))),
  });
  return { undocumented, deadLinks };
}

async function main() {
  await ensureInstalled();
  if ((await runNode(['scripts/build.mjs'])) !== 0) return 1;
  const problems = { ...(await buildSite()), unknownCode: checkExamples() };
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
