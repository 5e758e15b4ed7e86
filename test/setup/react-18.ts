import { fileURLToPath } from 'node:url';
import type { Plugin } from 'esbuild';

/** Bundles the React 18 that `test/react-18` installs, in place of the React 19 of the root. */
export function react18(): Plugin {
  const resolveDir = fileURLToPath(new URL('../react-18', import.meta.url));
  return {
    name: 'react-18',
    setup(bundler) {
      bundler.onResolve({ filter: /^react(-dom)?(\/|$)/ }, ({ path, kind, resolveDir: from }) =>
        from === resolveDir ? undefined : bundler.resolve(path, { kind, resolveDir }),
      );
    },
  };
}
