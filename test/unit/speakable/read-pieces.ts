import assert from 'node:assert/strict';
import { SpeakableText } from '../../../src/speakable/speakable-text.js';
import { originalOf, type Run, spokenOf } from '../../../src/speakable/runs.js';

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

/** Expects what is spoken for texts, as a whole and one character at a time. */
export async function expectSpoken(texts: Readonly<Record<string, string>>): Promise<void> {
  for (const [text, expected] of Object.entries(texts)) {
    for (const pieces of [[text], text.split('')]) {
      const { runs } = await readPieces(...pieces);
      assert.equal(spokenOf(runs), expected);
      assert.equal(originalOf(runs), text);
    }
  }
}
