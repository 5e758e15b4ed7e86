import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type BuildOptions, type Plugin } from 'esbuild';

/** Of the repository. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const EXAMPLES = join(ROOT, 'docs', 'examples');

/** The path of an example, from `docs/examples/`. */
export function example(file: string): string {
  return join(EXAMPLES, file);
}

/** What was asked for by ourselves. */
const OURS = Symbol('ours');

/** Leads the package's public names to what was built, and the backends' shared files to where they are. */
const publicNames: Plugin = {
  name: 'public-names',
  setup({ onResolve, resolve }) {
    // VitePress brings a Vue of its own, which lies nearer to the examples than ours.
    onResolve({ filter: /^vue(\/|$)/ }, ({ path, kind, pluginData }) =>
      pluginData === OURS ? undefined : resolve(path, { kind, resolveDir: ROOT, pluginData: OURS }),
    );
    onResolve({ filter: /^svc-speaker\// }, ({ path }) => {
      const module = path.slice('svc-speaker/'.length, -'.js'.length);
      return {
        path: join(
          ROOT,
          'dist',
          ['backend', 'react', 'testing', 'vue'].includes(module) ? `${module}/index.js` : `${module}.js`,
        ),
      };
    });
    onResolve({ filter: /\/(speech|users)\.js$/ }, ({ path }) => ({
      path: example(`backend/${path.slice(path.lastIndexOf('/') + 1)}`),
    }));
  },
};

/** Bundles an example for a page, or for another place without packages. */
export async function bundle(file: string, { plugins = [], ...options }: BuildOptions = {}): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [example(file)],
    bundle: true,
    format: 'esm',
    write: false,
    logLevel: 'silent',
    plugins: [publicNames, ...plugins],
    nodePaths: [join(ROOT, 'docs/node_modules'), join(ROOT, 'node_modules')],
    ...options,
  });
  return outputFiles![0]!.text;
}

/** Bundles a program that imports examples, by their paths from `docs/examples/`. */
export function bundleProgram(program: string, options: BuildOptions = {}): Promise<string> {
  const stdin = { contents: program, resolveDir: EXAMPLES, loader: 'tsx' } as const;
  return bundle('', { entryPoints: [], stdin, ...options });
}

/** Loads an example into this process, with the files and the package it imports. */
export async function load<Exports>(file: string): Promise<Exports> {
  // Where the packages are found that it is to run in: those of the site, and ours.
  const outfile = join(ROOT, 'docs/node_modules/.cache/examples', String(process.pid), `${file}.mjs`);
  await mkdir(dirname(outfile), { recursive: true });
  await build({
    entryPoints: [example(file)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    external: ['express', 'fastify', 'hono', 'svc-service'],
    logLevel: 'silent',
    plugins: [publicNames],
  });
  return (await import(pathToFileURL(outfile).href)) as Exports;
}
