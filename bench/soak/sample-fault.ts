import type { Utterance } from '../../src/index.js';

const WAV_HEADER_BYTES = 44;

/** Compares the samples of an utterance that was heard with what was sent. Returns a sentence; null if they are the same. */
export async function sampleFault(utterance: Utterance, expected: Int16Array): Promise<string | null> {
  const kept = new Int16Array((await (await utterance.toBlob()).arrayBuffer()).slice(WAV_HEADER_BYTES));
  const wrong = kept.findIndex((sample, index) => sample !== expected[index]);
  if (kept.length === expected.length && wrong < 0) return null;
  return `${kept.length} of ${expected.length} samples, the first wrong one is ${wrong}`;
}
