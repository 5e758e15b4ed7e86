import { join } from 'node:path';
import { build } from 'esbuild';
import type { Plugin } from 'vite';
import { ensureInstalled } from '../../scripts/install.mjs';

/**
 * Vite plugin for folders with a package.json of their own. When a page first imports a module of such a folder, it
 * installs the packages; the page waits. Serves the module bundled with what it imports, because Vite reloads pages when
 * it bundles a package that was not there at its start.
 *
 * @param root - Folder of the repository.
 * @param folders - Relative to the root.
 */
export function ownPackages(root: string, folders: readonly string[]): Plugin {
  const bundle = async (folder: string, path: string): Promise<string> => {
    await ensureInstalled(folder);
    const { outputFiles } = await build({
      absWorkingDir: root,
      entryPoints: [join(folder, path)],
      bundle: true,
      write: false,
      format: 'esm',
      target: 'es2022',
      logLevel: 'error',
    });
    return outputFiles[0]!.text;
  };
  return {
    name: 'own-packages',
    configureServer(server) {
      for (const folder of folders) {
        server.middlewares.use(`/${folder}`, (request, response, next) => {
          const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
          // Pages show their source without running it.
          if (!pathname.endsWith('.ts') || searchParams.has('raw')) {
            next();
            return;
          }
          void bundle(folder, pathname).then((code) => {
            response.setHeader('Content-Type', 'text/javascript');
            response.end(code);
          }, next);
        });
      }
    },
  };
}
