// vite.config.js
export default {
  server: { proxy: { '/speech': 'http://localhost:3000' } },
};
