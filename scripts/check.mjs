/**
 * `npm run lint`, `format`, `format:check`, `types`, `unused`, `package` and `size`: installs the tools, and the packages
 * whose types the tools read, and runs the tools. Arguments after the name of the check go to its tools.
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { runNode } from './command.mjs';
import { ensureInstalled } from './install.mjs';
import { ROOT } from './root.mjs';

/** Package with the tools. */
const TOOLS = 'scripts/checks';
/** Packages that the tests and the demo import, beside those of the root. */
const IMPORTED = ['test', 'test/react-18', 'demo/talk-back/detector', 'demo/livekit/room'];

const formatter = tool('oxfmt/bin/oxfmt');
const publint = tool('publint/src/cli.js');
/**
 * Folders whose packages are installed, and the files of the programs with their arguments.
 *
 * @type {Record<string, { folders: string[], programs: string[][], cwd?: string }>}
 */
const CHECKS = {
  format: { folders: [TOOLS], programs: [[formatter]] },
  'format:check': { folders: [TOOLS], programs: [[formatter, '--check']] },
  lint: {
    folders: [TOOLS, ...IMPORTED],
    programs: [[tool('oxlint/bin/oxlint'), '--type-aware', '--deny-warnings'], ['scripts/lint/pages.mjs']],
  },
  types: { folders: IMPORTED, programs: [[join('node_modules', 'typescript', 'bin', 'tsc'), '-b']] },
  unused: { folders: [TOOLS], programs: [[tool('knip/bin/knip.js')]] },
  package: {
    folders: [TOOLS],
    programs: [
      [publint, '--strict'],
      [publint, '--strict', 'service'],
      [tool('@arethetypeswrong/cli/dist/index.js'), '--pack', '.', '--profile', 'esm-only'],
    ],
  },
  size: {
    folders: [TOOLS],
    programs: [[join('node_modules', 'size-limit', 'bin.js')], [join('..', 'docs-rooms.mjs'), '--check']],
    // Size Limit loads the plugins that package.json of the current folder names.
    cwd: TOOLS,
  },
};

/** @param {string} file - Path in the packages of the tools. */
function tool(file) {
  return join(TOOLS, 'node_modules', file);
}

/**
 * Returns the folders whose packages a check needs, beside those of the root.
 *
 * @param {string} name
 */
export function foldersOf(name) {
  return CHECKS[name]?.folders ?? [];
}

/** @type {(name: string, args: string[]) => Promise<number>} */
async function check(name, args) {
  const found = CHECKS[name];
  if (!found) {
    console.error(`There is no check "${name}". The checks are ${Object.keys(CHECKS).join(', ')}.`);
    return 2;
  }
  for (const folder of ['.', ...found.folders]) await ensureInstalled(folder);
  // Oxlint looks for the program of its type-aware rules in the current folder.
  const tsgolint = process.platform === 'win32' ? 'tsgolint.cmd' : 'tsgolint';
  const env = { OXLINT_TSGOLINT_PATH: join(ROOT, tool(join('.bin', tsgolint))) };
  for (const [file = '', ...rest] of found.programs) {
    const code = await runNode([file, ...rest, ...args], { env, cwd: found.cwd });
    if (code !== 0) return code;
  }
  return 0;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  process.exitCode = await check(process.argv[2] ?? '', process.argv.slice(3));
}
