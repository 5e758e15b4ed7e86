import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Kind } from './planted/clean.js';
import { FAULTS } from './planted/faults.js';
import { loadVoices } from './planted/spoken.js';
import { alarmsOf, missesOf, type Wrong } from './planted/tally.js';

const isLong = process.env.SVC_LONG !== undefined;

/** Recordings for each fault, and clean ones of each kind. */
const PLANTED = isLong ? 40 : 1;
const CLEAN = isLong ? 270 : 6;
/** Longest utterance, in seconds. */
const LONGEST = isLong ? 10 : 1;

/** Share of each fault that is found, with a place within 20 ms. */
const FOUND = 0.95;

/**
 * Share of stretched recordings in which a false alarm is accepted, since what a splice does to soft speech cannot always be
 * told from a fault. None of the short ones has any.
 */
const ALARMS_STRETCHED = isLong ? 0.02 : 0;

const textOf = (wrong: readonly Wrong[]): string =>
  wrong.map(({ seed, kind, what }) => `  seed ${seed}, ${kind}: ${what}`).join('\n');

describe('The analysis, in recordings made by chance', () => {
  let voices: Int16Array[];

  before(async () => {
    voices = await loadVoices();
  });

  for (const kind of ['fixed', 'adaptive', 'other player', 'linear player'] satisfies Kind[]) {
    it(`raises no false alarm: ${kind}`, (test) => {
      const alarms = alarmsOf(voices, kind, CLEAN, 10_000, LONGEST);
      test.diagnostic(`${kind}: ${alarms.length} false alarms in ${CLEAN} clean recordings`);
      const allowed = kind === 'adaptive' ? ALARMS_STRETCHED : 0;
      assert.ok(alarms.length <= allowed * CLEAN, textOf(alarms));
    });
  }

  for (const fault of FAULTS) {
    it(`finds where it is: ${fault.name}`, (test) => {
      const misses = missesOf(fault, voices, PLANTED, 1, LONGEST);
      test.diagnostic(`${fault.name}: ${PLANTED - misses.length} of ${PLANTED}`);
      assert.ok(misses.length <= (1 - FOUND) * PLANTED, textOf(misses));
    });
  }
});
