import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, it } from 'node:test';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const PAGE = join(ROOT, 'docs', 'architecture.md');

/**
 * A folder of sources. `lib` names its project in tsconfig/. It may import its own files, everything in `imports`, and
 * types of what is in `types`: rooms, files without their ending, and packages. `*` stands for any rest, and alone for
 * any package.
 */
type Room = { lib: string; imports: string[]; types?: string[] };
const ROOMS = JSON.parse(readFileSync(join(ROOT, 'rooms.json'), 'utf8')) as Record<string, Room>;

/** Imports and re-exports, `import()`, and types such as `typeof import()`. The formatter writes no other quotes. */
const IMPORT =
  /^(?:import|export)(\s+type\b)?(?:[^'`;=]*?\bfrom)?\s*'([^']+)'|(\btypeof\s+)?\bimport\(\s*(?:\/\*.*?\*\/\s*)?'([^']+)'/gm;

/** Returns the paths without endings, or the packages, that a file imports. */
function importsOf(file: string, text: string): { path: string; isFile: boolean; isType: boolean }[] {
  return Array.from(text.matchAll(IMPORT), ([, type, from, typeOf, lazy]) => {
    const specifier = from ?? lazy ?? '';
    const isFile = specifier.startsWith('.');
    const path = isFile ? posix.join(posix.dirname(file), specifier).replace(/\.(js|tsx?)$/, '') : specifier;
    return { path, isFile, isType: Boolean(type ?? typeOf) };
  });
}

/** Returns the innermost room that contains a path. */
function roomOf(path: string): string | undefined {
  return Object.keys(ROOMS)
    .filter((room) => path.startsWith(`${room}/`))
    .toSorted((a, b) => b.length - a.length)[0];
}

/** Returns the imports that the file's room does not allow. Adds the entries of `ROOMS` that allow the others to `used`. */
function forbiddenImports(file: string, text: string, used = new Set<string>()): string[] {
  const room = roomOf(file)!;
  const { imports, types = [] } = ROOMS[room]!;
  return importsOf(file, text).flatMap(({ path, isFile, isType }) => {
    if (isFile && roomOf(path) === room) return [];
    const allows = (entry: string): boolean =>
      entry === (isFile ? roomOf(path) : path) ||
      entry === path ||
      (entry.endsWith('*') && path.startsWith(entry.slice(0, -1)) && (!isFile || entry !== '*'));
    const entry = [...imports, ...(isType ? types : [])].find(allows);
    if (entry === undefined) return `${file} → ${path}`;
    used.add(`${room} → ${entry}`);
    return [];
  });
}

/** Returns the cycles of a graph, each as the path that leads back to its first node. */
function cyclesOf(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const cycles: string[] = [];
  const done = new Set<string>();
  const visit = (node: string, path: readonly string[]): void => {
    if (path.includes(node)) cycles.push([...path.slice(path.indexOf(node)), node].join(' → '));
    if (path.includes(node) || done.has(node)) return;
    for (const next of graph.get(node) ?? []) visit(next, [...path, node]);
    done.add(node);
  };
  for (const node of graph.keys()) visit(node, []);
  return cycles;
}

/** Sources of all rooms, by path. */
const SOURCES = new Map(
  ['src', 'worklet', 'service/src', 'service/dashboard', 'demo', 'create'].flatMap((top) =>
    readdirSync(join(ROOT, top), { recursive: true, encoding: 'utf8' })
      .map((name) => `${top}/${name.replaceAll('\\', '/')}`)
      .filter(
        (file) =>
          /\.(tsx?|vue|js)$/.test(file) &&
          !/\.generated\.ts$|^create\/(?:templates|voices)\/|\/node_modules\//.test(file),
      )
      .map((file) => [file, readFileSync(join(ROOT, file), 'utf8')] as const),
  ),
);

/** Writes `ROOMS` into the tables of docs/architecture.md whose first two columns are a folder and what it contains. */
function withRules(page: string): string {
  return page.replaceAll(/^\| folder +\| contains .*\n(?:\|.*\n)+/gm, (table) => {
    const rows = [...table.matchAll(/^\| `(.+)\/` *\| (.*?) *\|/gm)].map(([, name = '', contains = '']) => {
      const { lib, imports, types = [] } = ROOMS[name] ?? { lib: '', imports: [] };
      const list = (entries: string[]): string[] =>
        entries.length > 0 ? [entries.map((entry) => `\`${entry}\``).join(', ')] : [];
      const rules = [...list(imports), ...list(types).map((text) => `types of ${text}`)].join('; ');
      return [`\`${name}/\``, contains, lib, rules || 'nothing'];
    });
    const cells = [['folder', 'contains', 'lib', 'may import'], ...rows];
    const widths = [0, 1, 2, 3].map((column) => Math.max(...cells.map((row) => row[column]!.length)));
    const lines = cells.map((row) => row.map((cell, column) => cell.padEnd(widths[column]!)));
    const rule = widths.map((width) => '-'.repeat(width));
    return [lines[0]!, rule, ...lines.slice(1)].map((line) => `| ${line.join(' | ')} |\n`).join('');
  });
}

describe('rooms.json', () => {
  it('names each folder of sources', () => {
    const folders = new Set([...SOURCES.keys()].map((file) => posix.dirname(file)));
    const strangers = [...folders].filter((folder) => !(folder in ROOMS) && !/^(demo|create)\//.test(folder));
    assert.deepEqual(strangers, []);
  });

  it('allows all imports, and nothing that no file imports', () => {
    const used = new Set<string>();
    const forbidden = [...SOURCES].flatMap(([file, text]) => forbiddenImports(file, text, used));
    assert.deepEqual(forbidden, []);
    const allowed = Object.entries(ROOMS).flatMap(([room, { imports, types = [] }]) =>
      [...imports, ...types].map((entry) => `${room} → ${entry}`),
    );
    assert.deepEqual(new Set(allowed), used);
  });

  for (const [form, text] of Object.entries({
    import: `import {\n  a,\n} from '../playback/index.js';`,
    're-export': `export * from '../element/index.js';`,
    'side effect': `import '../define.js';`,
    'dynamic import': `export const late = () => import('../element/index.js');`,
    'type of another room': `import type { A } from '../element/index.js';`,
    package: `import { html } from 'lit';`,
  })) {
    it(`finds a forbidden ${form}`, () => assert.equal(forbiddenImports('src/output/planted.ts', text).length, 1));
  }

  it('lets a room have only types of some others', () => {
    const text = `import type { A } from '../playback/index.js';\n`;
    assert.deepEqual(forbiddenImports('src/output/planted.ts', text), []);
  });

  it('allows no cycle, and the files have none, of types neither', () => {
    const files = Array.from(SOURCES, ([file, text]) => {
      const paths = importsOf(file, text).flatMap(({ path }) => [`${path}.ts`, `${path}.tsx`, path]);
      return [file, paths.filter((path) => SOURCES.has(path))] as const;
    });
    const rooms = Object.entries(ROOMS).map(
      ([room, { imports, types = [] }]) => [room, [...imports, ...types]] as const,
    );
    assert.deepEqual(cyclesOf(new Map([...files, ...rooms])), []);
    const graph = { a: ['b'], b: ['c'], c: ['b'] };
    assert.deepEqual(cyclesOf(new Map(Object.entries(graph))), ['b → c → b']);
  });

  it('names the only project that compiles a room', () => {
    for (const name of readdirSync(join(ROOT, 'tsconfig'))) {
      const { include = [] } = JSON.parse(
        readFileSync(join(ROOT, 'tsconfig', name), 'utf8').replaceAll(/^ *\/\/.*/gm, ''),
      ) as { include?: string[] };
      const folders = include
        .filter((pattern) => pattern.includes('*'))
        .map((pattern) => posix.join('tsconfig', posix.dirname(pattern)));
      for (const [room, { lib }] of Object.entries(ROOMS)) {
        const isIncluded = folders.some((folder) =>
          folder.endsWith('/**') ? `${room}/`.startsWith(folder.slice(0, -2)) : folder === room,
        );
        // Patterns also include `demo/server`, which is excluded again, because it has a project of its own.
        if (room !== 'demo/server') assert.equal(isIncluded, name === `${lib}.json`, `${room} in tsconfig/${name}`);
      }
    }
  });

  it('is what the tables of docs/architecture.md show', () => {
    const page = readFileSync(PAGE, 'utf8');
    const message = 'To write the tables: SVC_WRITE=1 npm test -- test/unit/house/rooms.test.ts';
    if (process.env.SVC_WRITE) writeFileSync(PAGE, withRules(page));
    else assert.equal(page, withRules(page), message);
    const folders = Array.from(page.matchAll(/^\| `(.+)\/` /gm), ([, folder]) => folder);
    assert.deepEqual(new Set(folders), new Set(Object.keys(ROOMS)));
  });
});
