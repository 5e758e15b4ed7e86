/** Describes the elements for editors and documentation; `scripts/build.mjs` runs it. */
export default {
  globs: ['src/element/**/*.ts', 'src/define.ts', 'src/inspector/**/*.ts'],
  outdir: 'dist',
  litelement: true,
  // package.json already names the manifest.
  packagejson: false,
  plugins: [namePublishedFiles()],
};

/** The analyzer reads our sources; whoever reads the manifest has only what was built from them. */
function namePublishedFiles() {
  return {
    name: 'name-published-files',
    packageLinkPhase({ customElementsManifest }) {
      renameIn(customElementsManifest);
    },
  };
}

/** Rewrites `module` and `path` values in place, wherever they stand in the manifest. */
function renameIn(value) {
  for (const [key, inner] of Object.entries(value)) {
    if (typeof inner === 'object' && inner !== null) renameIn(inner);
    else if ((key === 'module' || key === 'path') && typeof inner === 'string') {
      value[key] = inner.replace(/^\/?src\/(.+)\.[jt]s$/, 'dist/$1.js');
    }
  }
}
