import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { describe, it } from 'node:test';
import { build } from 'esbuild';

describe('svc-speaker/inspector/recorder.js', () => {
  it('loads nothing that renders', async () => {
    const { metafile } = await build({
      entryPoints: [fileURLToPath(new URL('../../../src/inspector/recorder.ts', import.meta.url))],
      bundle: true,
      format: 'esm',
      metafile: true,
      write: false,
    });
    const files = Object.keys(metafile.inputs).map((path) => path.slice(path.indexOf('src/')));
    assert.deepEqual(files.sort(), [
      'src/inspector/recorder.ts',
      'src/inspector/recording.ts',
      'src/inspector/speaker-reader.ts',
      'src/inspector/speaker-recorder.ts',
    ]);
  });
});
