import { readdirSync } from 'node:fs';
import { basename, relative } from 'node:path';
import { build } from 'esbuild';
import { tsImport } from 'tsx/esm/api';

const { react18 } = await tsImport('./react-18.ts', import.meta.url);

/** Test files of frameworks, with the build options that each needs. Other tests use the packages as users get them. */
const FRAMEWORKS = {
  'react.test.ts': {},
  'react-18.test.ts': { plugins: [react18()] },
  // The build that includes the template compiler.
  'vue.test.ts': { alias: { 'vue/server-renderer': '@vue/server-renderer', vue: 'vue/dist/vue.esm-bundler.js' } },
};

/** Frameworks run in development mode, in which they print warnings and StrictMode mounts twice. */
const development = {
  define: {
    'process.env.NODE_ENV': '"development"',
    __VUE_OPTIONS_API__: 'true',
    __VUE_PROD_DEVTOOLS__: 'false',
    __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'false',
  },
};

/** Folders of the test files that are built together. */
const FOLDERS = ['test/page', 'test/engines'];

/**
 * Serves the test files as bundles. A page that requests some 200 modules one by one needs seconds to load them. As a
 * middleware, it precedes the plugins, which would parse and compile each bundle again for each page.
 *
 * Tests of frameworks are bundled one by one. All others are built together, with chunks for what they share, so that the
 * browser compiles it once.
 *
 * With `--watch`, the runner follows a page's requests to learn which files it depends on. Only the tests of frameworks
 * are bundled then, because browsers cannot load React's CommonJS.
 */
export function bundleMiddleware() {
  const watches = process.argv.includes('--watch');
  /** @type {Promise<Map<string, string>> | undefined} Bundles and chunks by path. */
  let together;
  /** @type {Map<string, Promise<Map<string, string>>>} By name of the test file. */
  const frameworks = new Map();
  /**
   * @param {string} path
   * @returns {Promise<string | undefined>} The bundle or chunk that is served at a path.
   */
  const bundleAt = async (path) => {
    if (!FOLDERS.some((folder) => path.startsWith(`/${folder}/`))) return undefined;
    const served = path.replace(/\.ts$/, '.js');
    const name = basename(served).replace(/\.js(\.map)?$/, '.ts');
    const framework = FRAMEWORKS[name];
    if (framework) {
      if (watches || !frameworks.has(name)) frameworks.set(name, bundleFramework(name, framework));
      return (await frameworks.get(name))?.get(served);
    }
    if (watches) return undefined;
    together ??= bundleTogether();
    return (await together).get(served);
  };
  /**
   * @param {{ path: string, type: string, body: unknown }} context
   * @param {() => Promise<unknown>} next
   */
  return async (context, next) => {
    const body = await bundleAt(context.path);
    if (body === undefined) {
      await next();
      return;
    }
    context.type = 'js';
    context.body = body;
  };
}

const options = /** @type {const} */ ({
  bundle: true,
  write: false,
  format: 'esm',
  target: 'es2022',
  // In files of their own: a page would load an inline map, which is larger than the code.
  sourcemap: 'linked',
  outbase: '.',
  outdir: '.',
  // `sideEffects` of package.json describes the built package; this bundles the sources.
  ignoreAnnotations: true,
});

async function bundleTogether() {
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
  );
  const { outputFiles } = await build({
    ...options,
    conditions: ['production'],
    entryPoints: files.filter((file) => file.endsWith('.test.ts') && !(basename(file) in FRAMEWORKS)),
    splitting: true,
    chunkNames: 'test/page/shared/[name]-[hash]',
  });
  return byPath(outputFiles);
}

/**
 * @param {string} name - Of a test file in `test/page/one-page`.
 * @param {(typeof FRAMEWORKS)[string]} framework
 */
async function bundleFramework(name, framework) {
  const entryPoints = [`test/page/one-page/${name}`];
  const { outputFiles } = await build({ ...options, ...development, ...framework, entryPoints });
  return byPath(outputFiles);
}

/** @param {import('esbuild').OutputFile[]} files */
function byPath(files) {
  return new Map(files.map(({ path, text }) => [`/${relative('', path).replaceAll('\\', '/')}`, text]));
}
