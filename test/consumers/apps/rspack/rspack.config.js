export default {
  mode: 'production',
  entry: { main: './main.js', 'own-files': './own-files.js' },
  // Rspack loads chunks with script elements, so it needs its own Trusted Types policy.
  output: { clean: true, trustedTypes: 'rspack' },
};
