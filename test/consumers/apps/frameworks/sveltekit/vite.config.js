import { sveltekit } from '@sveltejs/kit/vite';
import { defineConfig } from 'vite';

export default defineConfig({
  plugins: [sveltekit()],
  preview: { host: process.env.HOST, port: Number(process.env.PORT), strictPort: true },
});
