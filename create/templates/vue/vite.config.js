import vue from '@vitejs/plugin-vue';
import { nodeHandler } from 'svc-speaker/backend.js';
import { defineConfig } from 'vite';
import { backend } from './speech.js';

/** Mounts the backend in the development server. In production, server.js does that. */
const speech = {
  name: 'speech',
  configureServer: ({ middlewares }) => void middlewares.use('/speech', nodeHandler(backend)),
};

export default defineConfig({
  plugins: [vue(), speech],
  server: { port: Number(process.env.PORT ?? 3000) },
});
