import { fileURLToPath } from 'node:url';
import vue from '@vitejs/plugin-vue';
import { defineConfig } from 'vite';
import { crossOriginIsolation } from './demo/server/cross-origin-isolation.js';
import { docsSite } from './demo/server/docs-site.js';
import { speechBackend } from './demo/server/speech-backend.js';
import { strictCsp } from './demo/server/strict-csp.js';

const source = fileURLToPath(new URL('./src', import.meta.url));
const site = fileURLToPath(new URL('./.cache/docs/site', import.meta.url));

/**
 * The demo and its development server, nothing else: the package itself is built by `scripts/build.mjs`.
 *
 * `SVC_BASE_URL` and `SVC_API_KEY` say which speech service the host backend talks to; `npm start` sets both for the
 * embedded one. They are read here, on the trusted side, and handed to the backend kit only.
 */
export default defineConfig({
  // The demo imports the package by the names its users import; here they lead to the sources.
  resolve: {
    alias: [
      { find: /^svc-speaker\/(inspector|react|vue)\.js$/, replacement: `${source}/$1/index.ts` },
      { find: /^svc-speaker\/(.+)\.js$/, replacement: `${source}/$1.ts` },
    ],
    // Vite's own, less `development`: Lit says at every start that it is a slow build.
    conditions: ['module', 'browser'],
  },
  // No variable of the environment is meant for the page, so none gets there, whatever it is called.
  envPrefix: 'SVC_DEMO_PUBLIC_',
  envDir: false,
  plugins: [
    vue(),
    crossOriginIsolation({ except: '/demo/plain/' }),
    strictCsp({ page: '/demo/strict-csp/', baseUrl: process.env.SVC_BASE_URL }),
    docsSite({ mount: '/docs/', folder: site }),
    speechBackend({ mount: '/speech', baseUrl: process.env.SVC_BASE_URL, apiKey: process.env.SVC_API_KEY }),
  ],
  // All at once and beforehand: one found later would reload the page in the middle of a sentence.
  optimizeDeps: {
    // The pages of the demo. Unasked, Vite would look at every page below here, and at those of the tests in vain.
    entries: ['index.html', 'demo/*/index.html'],
    include: [
      'lit',
      'media-chrome',
      'react',
      'react/jsx-dev-runtime',
      'react-dom/client',
      'standardized-audio-context',
      'tone',
      'uplot',
      'vue',
    ],
  },
  server: {
    warmup: { clientFiles: ['./demo/main.ts'] },
    // Under test the page must stay what it is, whatever is written meanwhile.
    ...(process.env.CI
      ? { watch: null, hmr: false }
      : { watch: { ignored: ['**/.cache/**', '**/dist/**', '**/test/**', '**/test-results/**'] } }),
  },
});
