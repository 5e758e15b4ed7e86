import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type BuildOptions, type Plugin } from 'esbuild';

/** Root folder of the repository. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const EXAMPLES = join(ROOT, 'docs', 'examples');

/** Returns the absolute path of an example, which is given relative to `docs/examples/`. */
export function example(file: string): string {
  return join(EXAMPLES, file);
}

/** Marks resolve calls of this plugin, so that it does not handle them again. */
const OURS = Symbol('ours');

/** Resolves the package's public names to the build, and the shared files of the backend examples to their folder. */
const publicNames: Plugin = {
  name: 'public-names',
  setup({ onResolve, resolve }) {
    // VitePress installs its own Vue, which lies nearer to the examples than that of the repository.
    onResolve({ filter: /^vue(\/|$)/ }, ({ path, kind, pluginData }) =>
      pluginData === OURS ? undefined : resolve(path, { kind, resolveDir: ROOT, pluginData: OURS }),
    );
    onResolve({ filter: /^svc-speaker\// }, ({ path }) => {
      const module = path.slice('svc-speaker/'.length, -'.js'.length);
      return {
        path: join(
          ROOT,
          'dist',
          ['backend', 'dialects', 'react', 'testing', 'vue'].includes(module) ? `${module}/index.js` : `${module}.js`,
        ),
      };
    });
    onResolve({ filter: /\/(speech|users)\.js$/ }, ({ path }) => ({
      path: example(`backend/${path.slice(path.lastIndexOf('/') + 1)}`),
    }));
  },
};

/** Bundles an example for a page, or for another environment without packages. */
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

/** Bundles a program that imports examples by their paths relative to `docs/examples/`. */
export function bundleProgram(program: string, options: BuildOptions = {}): Promise<string> {
  const stdin = { contents: program, resolveDir: EXAMPLES, loader: 'tsx' } as const;
  return bundle('', { entryPoints: [], stdin, ...options });
}

/** Loads an example into this process, together with the files and the package that it imports. */
export async function load<Exports>(file: string): Promise<Exports> {
  // In a folder from which Node.js finds the external packages, both of the site and of the repository.
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
