import { defineConfig } from 'vite';

export default defineConfig({
  // Else the development server makes one file of svc-speaker/assets.js, far from the files that it names.
  optimizeDeps: { exclude: ['svc-speaker'] },
});
