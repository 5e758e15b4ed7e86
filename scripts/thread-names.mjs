import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { ROOT } from './root.mjs';

/** Modules that say what crosses the border of a thread file: to and from other threads, and the network. */
const BORDER_MODULES = [
  'src/dsp/resampler-table.ts',
  'src/protocol/message.ts',
  'src/ring/port-message.ts',
  'src/session/command.ts',
];

/** Of the compiler's declarations, those of the language and of what a worker has. */
const LANGUAGE_OR_WORKER = /^lib\.(es.*|webworker(\..*)?)\.d\.ts$/;
const AUDIO_WORKLET = 'node_modules/@types/audioworklet/index.d.ts';

const WORD = /[A-Za-z_]\w*/g;
const COMMENT = /\/\*[^]*?\*\/|\/\/.*/g;

/**
 * Matches the names that properties keep when a thread file is minified: every word that the platform's declarations
 * use, or a module that says what crosses a border. Any other property is ours alone, and may be named anything.
 */
export async function namesToKeep() {
  const require = createRequire(join(ROOT, 'node_modules', 'typescript', 'package.json'));
  const compiler = dirname(require.resolve(`@typescript/typescript-${process.platform}-${process.arch}/package.json`));
  const declarations = (await readdir(join(compiler, 'lib'))).filter((name) => LANGUAGE_OR_WORKER.test(name));
  const paths = [
    ...declarations.map((name) => join(compiler, 'lib', name)),
    ...[AUDIO_WORKLET, ...BORDER_MODULES].map((path) => join(ROOT, path)),
  ];
  const texts = await Promise.all(paths.map((path) => readFile(path, 'utf8')));
  const words = texts.flatMap((text) => text.replace(COMMENT, '').match(WORD) ?? []);
  return new RegExp(`^(${[...new Set(words)].join('|')})$`);
}
