import { SpeakableText } from '../../../src/speakable/speakable-text.js';
import type { Run } from '../../../src/speakable/runs.js';

/** Returns the runs of pieces, and whether the parser was loaded. */
export async function readPieces(...pieces: readonly string[]): Promise<{ runs: Run[]; isLoaded: boolean }> {
  const text = new SpeakableText();
  const runs: Run[] = [];
  let isLoaded = false;
  for (const piece of pieces) {
    runs.push(...text.push(piece));
    isLoaded ||= text.waits;
    if (text.waits) runs.push(...(await text.load()));
  }
  runs.push(...text.end());
  return { runs, isLoaded };
}
