import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Interruption } from '../../../demo/talk-back/interruption.js';
import { FakeClock } from '../fake-clock.js';

const FRAME_MS = 32;
const TIMES = { enoughMs: () => 160, patienceMs: 700 };

/** An interruption with a fake clock, and what it did: each effect with the milliseconds since the start. */
function rig() {
  const clock = new FakeClock();
  const startMs = clock.now();
  const effects: string[] = [];
  const note = (effect: string) => () => void effects.push(`${effect} ${clock.now() - startMs}`);
  const interruption = new Interruption(
    {
      duck: note('duck'),
      unduck: note('unduck'),
      cancel: note('cancel'),
      after: (ms, action) => clock.after(ms, action),
    },
    TIMES,
  );
  /** Hears frames, each at its end: `v` has voice, any other letter has none. */
  const hear = (frames: string): void => {
    for (const frame of frames) {
      clock.advance(FRAME_MS);
      interruption.hear(frame === 'v', FRAME_MS);
    }
  };
  return { clock, effects, interruption, hear };
}

describe('Interruption', () => {
  it('does nothing while there is no voice', () => {
    const { clock, effects, hear } = rig();
    hear('-'.repeat(100));
    assert.deepEqual(effects, []);
    assert.equal(clock.pending, 0);
  });

  it('ducks at the first frame with voice, and once', () => {
    const { effects, hear } = rig();
    hear('-vvv');
    assert.deepEqual(effects, ['duck 64']);
  });

  it('cancels at the frame that makes the voice enough', () => {
    const { clock, effects, hear } = rig();
    hear('vvvvv');
    assert.deepEqual(effects, ['duck 32', 'cancel 160']);
    assert.equal(clock.pending, 0, 'no timer is left to restore what was cancelled');
  });

  it('counts voice across gaps shorter than its patience', () => {
    const { effects, hear } = rig();
    hear(`vv${'-'.repeat(20)}vvv`);
    assert.deepEqual(effects, ['duck 32', 'cancel 800']);
  });

  it('restores the speech 700 ms after the last voice of a noise', () => {
    const { clock, effects, hear } = rig();
    hear('v-vv');
    clock.advance(699);
    assert.deepEqual(effects, ['duck 32']);
    clock.advance(1);
    assert.deepEqual(effects, ['duck 32', 'unduck 828']);
  });

  it('counts from nothing after a noise', () => {
    const { clock, effects, hear } = rig();
    hear('vvvv');
    clock.advance(700);
    hear('vvvv');
    assert.deepEqual(effects, ['duck 32', 'unduck 828', 'duck 860']);
  });

  it('ducks again after a cancel', () => {
    const { effects, hear } = rig();
    hear('vvvvvv');
    assert.deepEqual(effects, ['duck 32', 'cancel 160', 'duck 192']);
  });

  it('cancels without ducking if one frame is enough', () => {
    const { clock, effects, interruption } = rig();
    interruption.hear(true, 200);
    assert.deepEqual(effects, ['cancel 0']);
    assert.equal(clock.pending, 0);
  });

  it('restores the speech when it is reset, and has no timer then', () => {
    const { clock, effects, hear, interruption } = rig();
    hear('vv');
    interruption.reset();
    assert.deepEqual(effects, ['duck 32', 'unduck 64']);
    assert.equal(clock.pending, 0);
  });

  it('does nothing when it is reset while nothing is ducked', () => {
    const { effects, interruption } = rig();
    interruption.reset();
    assert.deepEqual(effects, []);
  });
});
