import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** Bundles the script of a page. */
export async function bundlePage(url: URL): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(url)],
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2022',
  });
  return outputFiles[0]!.text;
}
