import { basename } from 'node:path';
import { build } from 'esbuild';
import { tsImport } from 'tsx/esm/api';

const { react18 } = await tsImport('./react-18.ts', import.meta.url);

/** Test files that are served in one piece, and what they need for that. */
const BUNDLED = {
  'react.test.ts': {},
  'react-18.test.ts': { plugins: [react18()] },
  // The build with a compiler of templates.
  'vue.test.ts': { alias: { 'vue/server-renderer': '@vue/server-renderer', vue: 'vue/dist/vue.esm-bundler.js' } },
};

/**
 * Bundles the tests of frameworks: React is CommonJS, which no browser loads, and one of its versions is to stand in for
 * the other. Frameworks come as they are in development, since only then they complain and StrictMode is strict.
 */
export function frameworksPlugin() {
  return {
    name: 'frameworks',
    async serve({ path }) {
      const options = BUNDLED[basename(path)];
      if (!options || !path.startsWith('/test/page/')) return undefined;
      const { outputFiles } = await build({
        ...options,
        entryPoints: [path.slice(1)],
        bundle: true,
        write: false,
        format: 'esm',
        target: 'es2022',
        sourcemap: 'inline',
        // `sideEffects` of package.json is about what is built; this is from the sources.
        ignoreAnnotations: true,
        define: {
          'process.env.NODE_ENV': '"development"',
          __VUE_OPTIONS_API__: 'true',
          __VUE_PROD_DEVTOOLS__: 'false',
          __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'false',
        },
      });
      return { type: 'js', body: outputFiles[0].text };
    },
  };
}
