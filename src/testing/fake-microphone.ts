import { createHash } from 'node:crypto';
import { renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Sound } from './sound.js';
import { encodeWav } from './wav.js';

/**
 * Returns arguments for Chromium, for `launchOptions.args`, that make a sound its only microphone. The sound repeats
 * from the moment when a page opens the microphone. Chromium does not ask for permission.
 *
 * @param sound - Begin it with silence, because a page needs time to start. It is written to a file in the system's
 *   temporary folder. The name of the file depends on the sound only.
 */
export function fakeMicrophone({ samples, sampleRate }: Sound): string[] {
  const file = encodeWav(
    Float32Array.from(samples, (sample) => sample / 32768),
    sampleRate,
  );
  const path = join(tmpdir(), `svc-microphone-${createHash('sha256').update(file).digest('hex').slice(0, 16)}.wav`);
  // Playwright's processes may write it at the same time.
  writeFileSync(`${path}.${process.pid}`, file);
  renameSync(`${path}.${process.pid}`, path);
  return [
    '--use-fake-device-for-media-stream',
    '--use-fake-ui-for-media-stream',
    `--use-file-for-fake-audio-capture=${path}`,
  ];
}
