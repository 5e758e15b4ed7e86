import { copyFile, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import loadWabt from 'wabt';
import { writeEmbeddedTemplate } from './embedded-template.mjs';

const ROOM = fileURLToPath(new URL('.', import.meta.url));

/**
 * Bundles the service into `service/dist`: `index.js` (`createService`), `cli.js`, the workers of the voice, of
 * resampling and of the database, the page of the dashboard, and the empty database of a first start. Code shared with
 * the package `svc-speaker` is included; npm packages are not, because npm installs them.
 *
 * @param {string} [folder] - Another output folder, for tests; its content is deleted first.
 * @throws {Error} If the sources do not compile (esbuild prints the errors), or the database cannot be created.
 */
export async function buildService(folder = `${ROOM}dist`) {
  await rm(folder, { recursive: true, force: true });
  await assembleKernel();
  await build({
    absWorkingDir: ROOM,
    entryPoints: {
      index: 'src/index.ts',
      cli: 'src/cli.ts',
      'embedded-worker': 'src/store/embedded-worker.ts',
      'flite-worker': 'src/speech/flite-worker.ts',
    },
    outdir: folder,
    bundle: true,
    splitting: true,
    chunkNames: '[name]-[hash]',
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    sourcemap: true,
    legalComments: 'none',
    logLevel: 'warning',
  });
  await buildDashboard(join(folder, 'dashboard'));
  await writeEmbeddedTemplate(join(folder, 'embedded-template.br'));
}

/** Assembles the WebAssembly of the resampler into `resample-kernel.generated.ts`, which the sources import. */
export async function assembleKernel() {
  const path = join(ROOM, 'src', 'speech', 'resample-kernel');
  const { parseWat } = await loadWabt();
  const module = parseWat(`${path}.wat`, await readFile(`${path}.wat`, 'utf8'), { simd: true });
  const bytes = Buffer.from(module.toBinary({}).buffer).toString('base64');
  module.destroy();
  const generated = `// Written by service/build.mjs. Do not edit, do not commit.\nexport const resampleKernel: string = '${bytes}';\n`;
  const file = `${path}.generated.ts`;
  // An unchanged file must not trigger a rebuild in tools that watch it.
  if ((await readFile(file, 'utf8').catch(() => '')) !== generated) await writeFile(file, generated);
}

/**
 * Bundles the page of the dashboard, with lit: a script, a style sheet and a page that loads both.
 *
 * @param {string} folder - Output folder.
 */
async function buildDashboard(folder) {
  await build({
    absWorkingDir: join(ROOM, 'dashboard'),
    entryPoints: ['dashboard.ts', 'dashboard.css'],
    outdir: folder,
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    legalComments: 'eof',
    logLevel: 'warning',
  });
  await copyFile(join(ROOM, 'dashboard', 'index.html'), join(folder, 'index.html'));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await buildService();
