import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, it } from 'node:test';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** Folders that hold sources and nothing else; what is compiled goes to `dist` and `.cache`. */
const FOLDERS = ['src', 'worklet', 'service/src', 'demo'];

/** Declarations that are written by hand, of what has no types of its own. */
const WRITTEN = new Set([
  'src/playback/platform.d.ts',
  'demo/vue/vue-files.d.ts',
  'service/src/speech/webassembly.d.ts',
]);

/** What lies in the folders of sources, tracked or not. */
const files = FOLDERS.flatMap((folder) =>
  readdirSync(ROOT + folder, { recursive: true, encoding: 'utf8' }).map(
    (file) => `${folder}/${file.replaceAll('\\', '/')}`,
  ),
);

describe('The sources', () => {
  it('have nothing compiled beside them: it would be loaded in their place, and age', () => {
    const compiled = files.filter((file) => /\.([cm]?js|[cm]?js\.map|d\.[cm]?ts)$/.test(file) && !WRITTEN.has(file));
    assert.deepEqual(compiled, []);
  });

  it('are where this test looks for them, with the declarations that it lets pass', () => {
    for (const folder of FOLDERS) assert.ok(files.some((file) => file.startsWith(folder) && file.endsWith('.ts')));
    for (const file of WRITTEN) assert.ok(files.includes(file), file);
  });
});
