import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { createResampler, designResampler, TimeStretch } from '../../../src/dsp/index.js';
import { initRing, ringBytes, Stat } from '../../../src/ring/index.js';
import { Concealer } from '../../../worklet/concealer.js';
import { ResamplerFeed } from '../../../worklet/resampler-feed.js';
import { tone } from './rig.js';

const RATE = 24000;
const MS = RATE / 1000;
/** Number of samples of the run that are in the ring. */
const READ = 2400;
const ENOUGH = 40 * MS;

describe('Concealer', () => {
  const memory = initRing(new ArrayBuffer(ringBytes(2 ** 13)), 2 ** 13, RATE);
  const stretch = new TimeStretch(RATE);
  const at = READ - stretch.overlap;
  let events: string[];
  let feed: ResamplerFeed;
  let concealer: Concealer;

  beforeEach(() => {
    memory.samples.fill(0);
    memory.samples.set(tone(READ, RATE, 150));
    memory.stats.fill(0);
    events = [];
    feed = new ResamplerFeed(memory.samples, createResampler(designResampler(RATE, RATE), RATE));
    concealer = new Concealer(memory, stretch, feed, {
      silenced: (made) => events.push(`silenced at ${made}`),
      resumed: (made) => events.push(`resumed at ${made}`),
      underrun: (samples, made) => events.push(`underrun of ${samples} at ${made}`),
    });
    feed.emit(0, at);
  });

  /** Repeats pitch periods until the state is silent. Returns the number of samples that this took. */
  function fadeOut(): number {
    const from = feed.made;
    while (concealer.state === 'repeating') {
      const replay = concealer.repeat(at, stretch.behind);
      if (concealer.state === 'repeating') concealer.emit(at - replay, replay);
    }
    return feed.made - from;
  }

  it('repeats the last speech when more is missing, and falls silent after 60 ms', () => {
    assert.equal(concealer.state, 'flowing');
    concealer.starve();
    assert.equal(concealer.state, 'repeating');
    const made = fadeOut();
    assert.equal(concealer.state, 'silent');
    assert.ok(made >= 60 * MS && made < 75 * MS, `${made / MS} ms`);
    assert.deepEqual(events, [`silenced at ${at + made}`]);
    concealer.emitSilence(100);
    assert.equal(memory.stats[Stat.silentConcealedSamples], 100);
  });

  it('fades out within a cross-fade if there is no pitch period to repeat', () => {
    concealer.starve();
    assert.equal(concealer.repeat(at, 0), 0);
    while (concealer.state === 'repeating') concealer.repeat(at, 0);
    assert.ok(feed.made - at <= 2 * stretch.overlap);
  });

  it('resumes after silence, and reports an underrun once speech flows', () => {
    concealer.starve();
    const made = fadeOut();
    concealer.emitSilence(1000);
    concealer.resume(true);
    assert.equal(concealer.state, 'resuming');
    concealer.emit(0, concealer.fadeIn);
    concealer.flow(true);
    assert.equal(concealer.state, 'flowing');
    assert.deepEqual(events.slice(1), [
      `resumed at ${at + made + 1000}`,
      `underrun of ${made + 1000 + concealer.fadeIn} at ${feed.made}`,
    ]);
    assert.equal(memory.stats[Stat.underruns], 1);
  });

  it('reports neither silence nor resumption if speech arrives while it is repeated', () => {
    concealer.starve();
    const replay = concealer.repeat(at, stretch.behind);
    concealer.resume(true);
    concealer.emit(at - replay, replay);
    concealer.flow(true);
    assert.deepEqual(events, [`underrun of ${stretch.overlap + replay} at ${feed.made}`]);
  });

  it('reports no underrun if only the end of the run was late', () => {
    concealer.starve();
    fadeOut();
    concealer.resume(false);
    concealer.flow(false);
    assert.equal(events.length, 1, 'silenced');
    assert.equal(memory.stats[Stat.underruns], 0);
  });

  it('resumes with enough speech, with the end of the run, or with some speech that has waited for twice as long', () => {
    concealer.starve();
    fadeOut();
    assert.equal(concealer.canResume(ENOUGH, ENOUGH, false), true);
    assert.equal(concealer.canResume(0, ENOUGH, true), true);
    assert.equal(concealer.canResume(ENOUGH - 1, ENOUGH, false), false);
    concealer.observe(stretch.overlap);
    concealer.emitSilence(2 * ENOUGH);
    assert.equal(concealer.canResume(stretch.overlap, ENOUGH, false), false, 'not more than a cross-fade');
    concealer.observe(stretch.overlap + 1);
    concealer.emitSilence(2 * ENOUGH - 1);
    assert.equal(concealer.canResume(stretch.overlap + 1, ENOUGH, false), false);
    concealer.emitSilence(1);
    assert.equal(concealer.canResume(stretch.overlap + 1, ENOUGH, false), true);
  });

  it('begins a run at full level, whatever the state', () => {
    concealer.starve();
    fadeOut();
    const resampler = createResampler(designResampler(RATE, RATE), RATE);
    feed.reset(resampler);
    concealer.reset();
    assert.equal(concealer.state, 'flowing');
    assert.equal(feed.made, 0);
    feed.emit(0, 100);
    const block = new Float32Array(100);
    resampler.pull(block, 0, 100);
    assert.deepEqual(
      block,
      Float32Array.from(memory.samples.subarray(0, 100), (sample) => sample / 32768),
    );
  });
});
