export default {
  mode: 'production',
  entry: { main: './main.js', 'own-files': './own-files.js' },
  // webpack loads parts of a page as scripts: with Trusted Types it needs a policy of its own.
  output: { clean: true, trustedTypes: 'webpack' },
};
