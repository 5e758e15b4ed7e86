import { gzipSync } from 'node:zlib';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
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
export async function gzipBytes({ imports }: Player): Promise<number> {
  return gzipSync(await bundle(imports), { level: 9 }).length;
}

async function bundle(contents: string): Promise<string> {
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
  });
  return outputFiles[0]!.text;
}
