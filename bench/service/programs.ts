import { rmSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { buildService } from '../../service/build.mjs';

/** Programs of the bench, built for Node: a compiler in the process would count as memory of the service. */
export interface Programs {
  /** The service as shipped. */
  readonly cli: string;
  /** A node with limits and voices of the bench (node-process.ts). */
  readonly node: string;
  /** A client (client-process.ts). */
  readonly client: string;
}

/** Builds the service as shipped, and the programs of the bench in the same folder. */
export async function buildPrograms(): Promise<Programs> {
  const folder = fileURLToPath(new URL(`../../.cache/bench-service/${process.pid}/`, import.meta.url));
  await mkdir(folder, { recursive: true });
  await (buildService as (folder: string) => Promise<void>)(folder);
  await build({
    entryPoints: ['node-process', 'client-process'].map((name) =>
      fileURLToPath(new URL(`${name}.ts`, import.meta.url)),
    ),
    outdir: folder,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    logLevel: 'warning',
  });
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  return { cli: `${folder}cli.js`, node: `${folder}node-process.js`, client: `${folder}client-process.js` };
}
