import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Kind } from './planted/clean.js';
import { loadVoices } from './planted/spoken.js';
import { alarmsOf, describeWrong } from './planted/tally.js';

const isLong = process.env.SVC_LONG !== undefined;

/** Number of recordings of each kind. */
const CLEAN = isLong ? 270 : 3;
/** Seed of the first recording. */
const SEED = 10_000;
/** Longest utterance, in seconds. */
const LONGEST = isLong ? 10 : 1;

/**
 * Accepted share of stretched recordings with a false alarm. The effect of a splice on soft speech cannot always be
 * distinguished from a fault. In the short run, none is accepted.
 */
const ALARMS_STRETCHED = isLong ? 0.02 : 0;

// A file of its own, because the long run takes a core for many minutes, as that of planted-faults.test.ts does.
describe('The analysis of random recordings without a fault', () => {
  let voices: Int16Array[];

  before(async () => {
    voices = await loadVoices();
  });

  for (const kind of ['fixed', 'adaptive', 'other player', 'linear player'] satisfies Kind[]) {
    it(`raises no false alarm: ${kind}`, (test) => {
      const alarms = alarmsOf(voices, kind, CLEAN, SEED, LONGEST);
      test.diagnostic(`${kind}: ${alarms.length} false alarms in ${CLEAN} clean recordings`);
      const allowed = kind === 'adaptive' ? ALARMS_STRETCHED : 0;
      assert.ok(alarms.length <= allowed * CLEAN, describeWrong(alarms));
    });
  }
});
