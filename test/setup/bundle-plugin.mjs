import { basename } from 'node:path';
import { build } from 'esbuild';
import { tsImport } from 'tsx/esm/api';

const { react18 } = await tsImport('./react-18.ts', import.meta.url);

/** Test files of frameworks, and what they need. The others take packages as their users get them. */
const FRAMEWORKS = {
  'react.test.ts': {},
  'react-18.test.ts': { plugins: [react18()] },
  // The build with a template compiler.
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

/**
 * Serves each test file as one bundle. A page that requests some 200 modules one by one needs seconds to load them.
 *
 * `--watch` follows the requests of a page to know which files it depends on, so only the tests of frameworks are bundled
 * then: React is CommonJS, which no browser loads.
 */
export function bundlePlugin() {
  const watches = process.argv.includes('--watch');
  /** @type {Map<string, Promise<string>>} By path. Most files run on two pages. */
  const bundles = new Map();
  return {
    name: 'bundle',
    async serve({ path }) {
      if (!/^\/test\/.*\.test\.ts$/.test(path)) return undefined;
      if (watches) return basename(path) in FRAMEWORKS ? { type: 'js', body: await bundle(path) } : undefined;
      if (!bundles.has(path)) bundles.set(path, bundle(path));
      return { type: 'js', body: await bundles.get(path) };
    },
  };
}

/** @param {string} path - Of a test file, from the root, with a slash in front. */
async function bundle(path) {
  const framework = FRAMEWORKS[basename(path)];
  const { outputFiles } = await build({
    ...(framework ? { ...development, ...framework } : { conditions: ['production'] }),
    entryPoints: [path.slice(1)],
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    sourcemap: 'inline',
    // `sideEffects` of package.json describes the built package; this bundles the sources.
    ignoreAnnotations: true,
  });
  return outputFiles[0].text;
}
