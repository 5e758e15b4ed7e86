import { defineConfig } from 'vite';

export default defineConfig({
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  // svc-speaker/react.js imports react.
  resolve: { alias: { react: 'preact/compat' } },
  build: { rolldownOptions: { input: ['index.html', 'own-files.html'] } },
});
