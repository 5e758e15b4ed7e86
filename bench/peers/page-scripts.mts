import { gzipSync } from 'node:zlib';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { withoutDynamicImports } from '../../scripts/without-dynamic-imports.mjs';
import type { Player } from './players.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));

/** Bundles the page of a player: first the tap, then the player, then the code that drives it. */
export function pageScript({ name }: Player): Promise<string> {
  return bundle(
    `import './page/tap.mjs';
     import player from './page/players/${name}.mjs';
     import { run } from './page/main.mjs';
     void run(player);`,
  );
}

/**
 * Returns the size after gzip, in bytes, of the code that a page loads for a player: its import, bundled and minified,
 * without the code of this bench.
 */
export async function gzipBytes({ imports, notLoaded }: Player): Promise<number> {
  return gzipSync(await bundle(imports, notLoaded), { level: 9 }).length;
}

/** @param notLoaded - Paths of dynamic imports to leave out. */
async function bundle(contents: string, notLoaded?: RegExp): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: here, loader: 'ts' },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    minify: true,
    legalComments: 'none',
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"production"', global: 'globalThis' },
    // Our element loads it only on request.
    external: ['standardized-audio-context'],
    plugins: notLoaded ? [withoutDynamicImports(notLoaded)] : [],
  });
  return outputFiles[0]!.text;
}
