import resolve from '@rollup/plugin-node-resolve';

export default {
  input: ['main.js', 'assets.js'],
  output: { dir: 'dist' },
  plugins: [resolve()],
};
