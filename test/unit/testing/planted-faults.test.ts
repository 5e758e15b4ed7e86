import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { FAULTS } from './planted/faults.js';
import { loadVoices } from './planted/spoken.js';
import { describeWrong, missesOf } from './planted/tally.js';

const isLong = process.env.SVC_LONG !== undefined;

/** Number of recordings of each fault. */
const PLANTED = isLong ? 40 : 1;
/** Seed of the first recording. */
const SEED = 1;
/** Longest utterance, in seconds. */
const LONGEST = isLong ? 10 : 1;

/** Required share of recordings in which a fault is found within 20 ms of its place. */
const FOUND = 0.95;

describe('The analysis of random recordings with a fault', () => {
  let voices: Int16Array[];

  before(async () => {
    voices = await loadVoices();
  });

  for (const fault of FAULTS) {
    it(`finds the place of a fault: ${fault.name}`, (test) => {
      const misses = missesOf(fault, voices, PLANTED, SEED, LONGEST);
      test.diagnostic(`${fault.name}: ${PLANTED - misses.length} of ${PLANTED}`);
      assert.ok(misses.length <= (1 - FOUND) * PLANTED, describeWrong(misses));
    });
  }
});
