import { defineConfig } from 'vite';

export default defineConfig({
  // Otherwise the development server moves svc-speaker/assets.js into its cache, away from the files that it refers to.
  optimizeDeps: { exclude: ['svc-speaker'] },
});
