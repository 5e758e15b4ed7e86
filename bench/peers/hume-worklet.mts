import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** URL from which hume 0.16.0 loads its worklet at run time; the package does not contain the file. */
const URL_OF_WORKLET = 'https://storage.googleapis.com/evi-react-sdk-assets/audio-worklet-20250506.js';

/** Cache between runs, outside the repository. Without a network, the file can be put here by hand. */
const KEPT = fileURLToPath(new URL('../../.cache/bench-peers/audio-worklet-20250506.js', import.meta.url));

const TIMEOUT_MS = 5000;

/** Returns the worklet's source text; null if it is neither cached nor available. */
export async function humeWorklet(): Promise<string | null> {
  const kept = await readFile(KEPT, 'utf8').catch(() => null);
  if (kept !== null) return kept;
  const response = await fetch(URL_OF_WORKLET, { signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(() => null);
  if (!response?.ok) return null;
  const text = await response.text();
  await mkdir(dirname(KEPT), { recursive: true });
  await writeFile(KEPT, text);
  return text;
}
