import { fileURLToPath } from 'node:url';
import vue from '@vitejs/plugin-vue';
import { defineConfig } from 'vite';
import { crossOriginIsolation } from './demo/server/cross-origin-isolation.js';
import { docsSite } from './demo/server/docs-site.js';
import { ownPackages } from './demo/server/own-packages.js';
import { speechBackend } from './demo/server/speech-backend.js';
import { strictCsp } from './demo/server/strict-csp.js';

const root = fileURLToPath(new URL('.', import.meta.url));
const source = fileURLToPath(new URL('./src', import.meta.url));
const site = fileURLToPath(new URL('./.cache/docs/site', import.meta.url));

/**
 * Configuration of the demo's development server. `scripts/build.mjs` builds the package.
 *
 * `SVC_BASE_URL` and `SVC_API_KEY` name the speech service; `npm start` sets both for the embedded one. They are read
 * here, on the trusted side, and passed to the backend kit only.
 */
export default defineConfig({
  // The demo imports the package by its public names, which are resolved to the sources.
  resolve: {
    alias: [
      { find: /^svc-speaker\/(inspector|reader|react|vue)\.js$/, replacement: `${source}/$1/index.ts` },
      { find: /^svc-speaker\/(.+)\.js$/, replacement: `${source}/$1.ts` },
    ],
    // Vite's defaults without `development`, with which Lit logs a warning.
    conditions: ['module', 'browser'],
  },
  // No environment variable is exposed to the page.
  envPrefix: 'SVC_DEMO_PUBLIC_',
  envDir: false,
  plugins: [
    vue(),
    crossOriginIsolation({ except: '/demo/plain/' }),
    strictCsp({ page: '/demo/strict-csp/', baseUrl: process.env.SVC_BASE_URL }),
    ownPackages(root, ['demo/livekit/room', 'demo/talk-back/detector']),
    docsSite({ mount: '/docs/', folder: site }),
    speechBackend({ mount: '/speech', baseUrl: process.env.SVC_BASE_URL, apiKey: process.env.SVC_API_KEY }),
  ],
  // Bundled at the start: a dependency found later would reload the page while it speaks.
  optimizeDeps: {
    // By default, Vite would also scan the pages of the tests. It cannot scan imports of packages that are missing.
    entries: ['index.html', 'demo/*/index.html', '!demo/{livekit,talk-back}/index.html'],
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
    // In tests, a file that is written must not reload the page.
    ...(process.env.CI
      ? { watch: null, hmr: false }
      : { watch: { ignored: ['**/.cache/**', '**/dist/**', '**/test/**', '**/test-results/**'] } }),
  },
});
