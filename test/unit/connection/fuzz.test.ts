import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Random } from '../../../src/testing/random.js';
import { FuzzWorld } from './fuzz-world.js';

/** Frames, messages and commands in all, and in each world. */
const EVENTS = process.env.SVC_LONG ? 10_000_000 : 40_000;
const EVENTS_OF_A_WORLD = 500;
/** Seeds of worlds that once failed. */
const FOUND: readonly number[] = [];

it('A speaker loses no sample, settles each utterance once, and leaves nothing open, whatever arrives', () => {
  const first = process.env.SVC_LONG ? Date.now() % 1e9 : 1;
  const seeds = [...FOUND, ...Array.from({ length: EVENTS / EVENTS_OF_A_WORLD }, (_, index) => first + index)];
  const worlds = { utterances: 0, frames: 0, samples: 0, sockets: 0, resumptions: 0 };
  for (const seed of seeds) {
    const world = new FuzzWorld(new Random(seed));
    try {
      for (let event = 0; event < EVENTS_OF_A_WORLD; event++) world.act();
      world.finish();
    } catch (error) {
      if (error instanceof Error) error.message = `In the world with the seed ${seed}: ${error.message}`;
      throw error;
    }
    for (const [name, count] of Object.entries(world.counts)) worlds[name as keyof typeof worlds] += count;
  }
  // The worlds do what they are for.
  const perWorld = Object.fromEntries(Object.entries(worlds).map(([name, count]) => [name, count / seeds.length]));
  assert.ok(perWorld['utterances']! > 20, `utterances: ${perWorld['utterances']}`);
  assert.ok(perWorld['frames']! > 40, `frames: ${perWorld['frames']}`);
  assert.ok(perWorld['samples']! > 5000, `samples: ${perWorld['samples']}`);
  assert.ok(perWorld['sockets']! > 5, `sockets: ${perWorld['sockets']}`);
  assert.ok(perWorld['resumptions']! > 0.2, `resumptions: ${perWorld['resumptions']}`);
});
