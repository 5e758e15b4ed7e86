import vue from '@vitejs/plugin-vue';
import { defineConfig } from 'vite';

export default defineConfig({
  plugins: [vue()],
  build: { rolldownOptions: { input: ['index.html', 'own-files.html'] } },
});
