/** Paths of the dynamic imports that a page does not load for speech of a session. */
export const NOT_FOR_SPEECH =
  /(controls|check-dialect|audio-input|decode-audio|wav-blob|page-sessions|read-text|words|web-vtt)\.js$|^standardized-audio/;

/**
 * Leaves dynamic imports out of a bundle whose size is measured.
 *
 * @param {RegExp} paths - Those to leave out.
 * @returns {import('esbuild').Plugin}
 */
export function withoutDynamicImports(paths) {
  return {
    name: 'without-dynamic-imports',
    setup({ onResolve }) {
      onResolve({ filter: paths }, ({ kind, path }) =>
        kind === 'dynamic-import' ? { path, external: true } : undefined,
      );
    },
  };
}
