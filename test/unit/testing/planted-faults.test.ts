import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Kind } from './planted/clean.js';
import { FAULTS } from './planted/faults.js';
import { loadVoices } from './planted/spoken.js';
import { alarmsOf, missesOf, type Wrong } from './planted/tally.js';

const isLong = process.env.SVC_LONG !== undefined;

/** Number of recordings of each fault, and of clean recordings of each kind. */
const PLANTED = isLong ? 40 : 1;
const CLEAN = isLong ? 270 : 3;
/** Seed of the first recording with a fault, and of the first clean one. */
const PLANTED_SEED = 1;
const CLEAN_SEED = 10_000;
/** Longest utterance, in seconds. */
const LONGEST = isLong ? 10 : 1;

/** Required share of recordings in which a fault is found within 20 ms of its place. */
const FOUND = 0.95;

/**
 * Accepted share of stretched recordings with a false alarm. The effect of a splice on soft speech cannot always be
 * distinguished from a fault. In the short run, none is accepted.
 */
const ALARMS_STRETCHED = isLong ? 0.02 : 0;

const textOf = (wrong: readonly Wrong[]): string =>
  wrong.map(({ seed, kind, what }) => `  seed ${seed}, ${kind}: ${what}`).join('\n');

describe('The analysis of random recordings', () => {
  let voices: Int16Array[];

  before(async () => {
    voices = await loadVoices();
  });

  for (const kind of ['fixed', 'adaptive', 'other player', 'linear player'] satisfies Kind[]) {
    it(`raises no false alarm: ${kind}`, (test) => {
      const alarms = alarmsOf(voices, kind, CLEAN, CLEAN_SEED, LONGEST);
      test.diagnostic(`${kind}: ${alarms.length} false alarms in ${CLEAN} clean recordings`);
      const allowed = kind === 'adaptive' ? ALARMS_STRETCHED : 0;
      assert.ok(alarms.length <= allowed * CLEAN, textOf(alarms));
    });
  }

  for (const fault of FAULTS) {
    it(`finds the place of a fault: ${fault.name}`, (test) => {
      const misses = missesOf(fault, voices, PLANTED, PLANTED_SEED, LONGEST);
      test.diagnostic(`${fault.name}: ${PLANTED - misses.length} of ${PLANTED}`);
      assert.ok(misses.length <= (1 - FOUND) * PLANTED, textOf(misses));
    });
  }
});
