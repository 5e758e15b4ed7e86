import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build, type BuildOptions } from 'esbuild';
import type { ChosenMutant } from './choose-mutants.js';
import { nodeSwitch, SWITCH } from './node-switch.js';

/** Files on which the results depend: sources, tests, and the scripts that build and run them. */
const PROGRAM = /^(src|worklet|service|test\/(unit|page|setup)|scripts)\//;

/** Sources that are compiled in the tree. */
const COMPILED = /^(src\/|worklet\/|service\/|demo\/|bench\/(?!peers\/)|test\/(?!consumers\/)).*\.ts$/;

/** Module in the tree that Node loads before tests. */
export const SWITCH_FILE = '.switch.mjs';

/**
 * Copies the working tree to `tree` and plants all mutants there: mutant `i` of the list becomes
 * `globalThis.mutantSwitch?.(i) ? changed : original`. Threads without a switch run the original. Builds what tests load. Does nothing if the tree is already that of these files.
 *
 * All TypeScript is compiled to JavaScript beside it, because starting tsx takes longer than most tests.
 */
export async function plantMutants(root: string, tree: string, mutants: readonly ChosenMutant[]): Promise<void> {
  const git = ['ls-files', '--cached', '--others', '--exclude-standard'];
  const listed = execFileSync('git', git, { cwd: root, encoding: 'utf8' }).trim().split('\n');
  const files = listed.filter((file) => existsSync(join(root, file)) && !file.startsWith('bench/mutants/'));
  const state = createHash('sha256').update(JSON.stringify(mutants));
  for (const file of files.filter((name) => PROGRAM.test(name)))
    state.update(file).update(readFileSync(join(root, file)));
  const stamp = state.digest('hex');
  const stampFile = join(tree, '.stamp');
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return;

  rmSync(tree, { recursive: true, force: true });
  for (const file of files) cpSync(join(root, file), join(tree, file));
  for (const folder of [
    'node_modules',
    'test/node_modules',
    'test/react-18/node_modules',
    'scripts/checks/node_modules',
  ]) {
    if (existsSync(join(root, folder))) symlinkSync(join(root, folder), join(tree, folder));
  }
  writeFileSync(join(tree, SWITCH_FILE), nodeSwitch);
  for (const [file, text] of withMutants(root, mutants)) writeFileSync(join(tree, file), text);

  const buildFile = join(tree, 'service/build.mjs');
  const banner = `banner: { js: ${JSON.stringify(nodeSwitch)} },`;
  edit(buildFile, "platform: 'node',", (found) => `${found} ${banner}`);
  const program = `import { buildThreads } from ${JSON.stringify(join(tree, 'scripts/build-threads.mjs'))};
    import { buildService } from ${JSON.stringify(buildFile)};
    await buildThreads();
    await buildService();`;
  execFileSync(process.execPath, ['--input-type=module', '-e', program], { cwd: tree, stdio: 'inherit' });
  // The page decides which mutant is active in the threads that it starts from these texts.
  edit(
    join(tree, 'src/launch/thread-sources.generated.ts'),
    /: string = "/g,
    () => `: string = (globalThis.threadSwitch ?? '') + "`,
  );

  const sources = files.filter((file) => COMPILED.test(file) && !file.endsWith('.d.ts'));
  const generated = ['src/launch/thread-sources', 'src/testing/recorder-sources', 'service/src/speech/resample-kernel'];
  const all = [...sources, ...generated.map((name) => `${name}.generated.ts`)];
  const ofService = (file: string): boolean => file.startsWith('service/');
  await compile(
    tree,
    all.filter((file) => !ofService(file)),
    { outdir: tree, outbase: tree },
  );
  await compile(tree, all.filter(ofService), { outdir: tree, outbase: tree, banner: { js: nodeSwitch } });
  const ofPackage = all.filter((file) => file.startsWith('src/'));
  await compile(tree, ofPackage, { outdir: join(tree, 'dist'), outbase: join(tree, 'src') });
  writeFileSync(stampFile, stamp);
}

/** Sources with all their mutants, by file. */
function withMutants(root: string, mutants: readonly ChosenMutant[]): Map<string, string> {
  const texts = new Map<string, string>();
  for (const file of new Set(mutants.map((mutant) => mutant.file))) {
    const text = readFileSync(join(root, file), 'utf8');
    const insertions = mutants.flatMap((mutant, number) => {
      if (mutant.file !== file) return [];
      const { start, end, replacement } = mutant;
      // An outer mutant opens before, and closes after, an inner one at the same place.
      return [
        { at: start, order: -end, text: `(globalThis.${SWITCH}?.(${number})?(${replacement}):(` },
        { at: end, order: -start - text.length * 2, text: '))' },
      ];
    });
    insertions.sort((a, b) => a.at - b.at || a.order - b.order);
    let result = '';
    let done = 0;
    for (const { at, text: inserted } of insertions) {
      result += text.slice(done, at) + inserted;
      done = at;
    }
    texts.set(file, result + text.slice(done));
  }
  return texts;
}

async function compile(tree: string, files: readonly string[], options: BuildOptions): Promise<void> {
  await build({
    ...options,
    absWorkingDir: tree,
    entryPoints: files.map((file) => join(tree, file)),
    format: 'esm',
    target: 'es2023',
    logLevel: 'error',
    tsconfigRaw: { compilerOptions: { target: 'es2022', verbatimModuleSyntax: true } },
  });
}

function edit(file: string, found: string | RegExp, change: (text: string) => string): void {
  const before = readFileSync(file, 'utf8');
  const after = before.replace(found, change);
  if (after === before) throw new Error(`${file} has no ${found}. Correct plant-mutants.ts.`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, after);
}
