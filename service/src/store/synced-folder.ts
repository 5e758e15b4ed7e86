import fs from 'node:fs';
import type { PGlite } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';

/** A folder whose files reach the disk when PostgreSQL syncs them. PGlite's own file system ignores that. */
export class SyncedFolder extends NodeFS {
  override async init(pg: PGlite, options: Parameters<NodeFS['init']>[1]): ReturnType<NodeFS['init']> {
    const { emscriptenOpts } = await super.init(pg, options);
    const addSync = (module: unknown): void => {
      const { NODEFS } = module as { NODEFS: { stream_ops: object; realPath(node: object): string } };
      Object.assign(NODEFS.stream_ops, {
        fsync({ nfd, node }: { nfd?: number; node: object }): number {
          if (nfd === undefined) syncFolderNow(NODEFS.realPath(node));
          else fs.fsyncSync(nfd);
          return 0;
        },
      });
    };
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...(emscriptenOpts.preRun ?? []), addSync] } };
  }
}

/** Flushes a folder, which has the names of its files, to disk. Windows cannot, and does not need it. */
function syncFolderNow(path: string): void {
  if (process.platform === 'win32') return;
  const file = fs.openSync(path, 'r');
  try {
    fs.fsyncSync(file);
  } finally {
    fs.closeSync(file);
  }
}
