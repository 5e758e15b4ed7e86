import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { ROOT } from './root.mjs';

/** Modules that say what crosses the border of a thread file: to and from other threads, and the network. */
const BORDER_MODULES = [
  'src/dsp/resampler-table.ts',
  'src/protocol/message.ts',
  'src/protocol/playable-session.ts',
  'src/ring/port-message.ts',
  'src/ring/ring-descriptor.ts',
  'src/connection/command.ts',
];

const WORD = /[A-Za-z_]\w*/g;
const COMMENT = /\/\*[^]*?\*\/|\/\/.*/g;

/** Where the compiler keeps the declarations of the language and of platforms. */
const LIB = join(compilerFolder(), 'lib');
const LANGUAGE = (await readdir(LIB)).filter((name) => /^lib\.es.*\.d\.ts$/.test(name)).map((name) => join(LIB, name));
const PLATFORMS = {
  worker: join(LIB, 'lib.webworker.d.ts'),
  worklet: join(ROOT, 'node_modules', '@types', 'audioworklet', 'index.d.ts'),
};

/**
 * Matches the names that properties keep when a thread file is minified: every word in the declarations of the language
 * and of the thread's platform, and in the modules that say what crosses a border. Any other property is the thread's
 * alone, and may be named anything.
 *
 * @param {keyof typeof PLATFORMS} platform
 */
export async function namesToKeep(platform) {
  const paths = [...LANGUAGE, PLATFORMS[platform], ...BORDER_MODULES.map((path) => join(ROOT, path))];
  const texts = await Promise.all(paths.map((path) => readFile(path, 'utf8')));
  const words = texts.flatMap((text) => text.replace(COMMENT, '').match(WORD) ?? []);
  return new RegExp(`^(${[...new Set(words)].join('|')})$`);
}

function compilerFolder() {
  const require = createRequire(join(ROOT, 'node_modules', 'typescript', 'package.json'));
  return dirname(require.resolve(`@typescript/typescript-${process.platform}-${process.arch}/package.json`));
}
