import { EsbuildPlugin } from 'esbuild-loader';

export default {
  mode: 'production',
  entry: { main: './main.jsx', 'own-files': './own-files.jsx' },
  module: { rules: [{ test: /\.jsx$/, loader: 'esbuild-loader', options: { jsx: 'automatic' } }] },
  optimization: { minimizer: [new EsbuildPlugin()] },
  output: { clean: true, trustedTypes: 'webpack' },
};
