import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';

export default defineConfig({
  plugins: [svelte()],
  build: { rolldownOptions: { input: ['index.html', 'own-files.html'] } },
});
