import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Slot } from '../../../src/ring/index.js';
import { Rig, tone } from './rig.js';

/** Source samples in one ms at 24 kHz, and output samples in one ms at 48 kHz. */
const SRC_MS = 24;
const OUT_MS = 48;
/** Largest amplitude that counts as inaudible: two steps of a 16-bit sample. */
const INAUDIBLE = 2 ** -14;

const speech = tone(500 * SRC_MS);

/** Throws unless every sample is inaudible and none is digital silence. */
function assertLeadIn(samples: Float32Array): void {
  const wrong = samples.findIndex((sample) => sample === 0 || Math.abs(sample) > INAUDIBLE);
  assert.equal(wrong, -1, `sample ${wrong} of ${samples.length} is ${samples[wrong]}`);
}

/** Throws unless the output of `rig` from `from` on equals that of a speaker without a lead-in. */
function assertSpeech(rig: Rig, from: number): void {
  const reference = new Rig();
  reference.utterance(1, speech);
  const expected = reference.render(600);
  const actual = rig.output.subarray(from, from + expected.length);
  const different = actual.findIndex((sample, i) => sample !== expected[i]);
  assert.equal(different, -1, `sample ${different} of the speech differs`);
}

describe('The lead-in', () => {
  it('is inaudible, is not digital silence, and is followed by all of the speech', () => {
    const rig = new Rig({ leadInMs: 200 });
    rig.utterance(1, speech);
    rig.render(900);
    const [start] = rig.events('start');
    assert.equal(start!.sample, 200 * OUT_MS);
    assertLeadIn(rig.output.subarray(0, start!.sample));
    assertSpeech(rig, start!.sample);
  });

  it('is as loud as ever while the speech is muted', () => {
    const rig = new Rig({ leadInMs: 200 });
    rig.setLevel(0);
    rig.utterance(1, speech);
    rig.render(900);
    const [start] = rig.events('start');
    assertLeadIn(rig.output.subarray(0, start!.sample));
    assert.ok(rig.output.subarray(start!.sample).every((sample) => sample === 0));
  });

  it('does not count as speech in positions, marks and statistics', () => {
    const rig = new Rig({ leadInMs: 200 });
    const reference = new Rig();
    for (const each of [rig, reference]) each.utterance(1, speech);
    rig.render(150);
    assert.equal(rig.memory.header[Slot.heard], 0);
    assert.equal(rig.stat('emittedSamples'), 0);
    assert.equal(rig.stat('pace'), 0);
    assert.deepEqual(rig.reported, []);
    rig.render(850);
    reference.render(800);
    const later = reference.reported.map((event) => ({ ...event, sample: event.sample + 200 * OUT_MS }));
    assert.deepEqual(rig.reported, later);
    for (const name of [
      'emittedSamples',
      'concealedSamples',
      'insertedSamples',
      'removedSamples',
      'underruns',
    ] as const) {
      assert.equal(rig.stat(name), reference.stat(name), name);
    }
  });

  it('plays while the jitter buffer fills, and until it is full', () => {
    const rig = new Rig({ leadInMs: 50, targetMs: 120 });
    rig.begin(1, speech.subarray(0, 100 * SRC_MS));
    rig.render(100);
    rig.write(speech.subarray(100 * SRC_MS));
    rig.end(1);
    const before = rig.output.length;
    rig.render(600);
    assert.equal(rig.events('start')[0]!.sample, before, 'the lead-in does not delay the speech');
    assertLeadIn(rig.output.subarray(0, before));
    assertSpeech(rig, before);
  });

  it('is omitted if the output played less than 5 s ago', () => {
    const rig = new Rig({ leadInMs: 200 });
    rig.utterance(1, speech);
    rig.render(900);
    rig.render(4500);
    const before = rig.output.length;
    rig.utterance(2, speech);
    rig.render(600);
    assert.equal(rig.events('start')[1]!.sample, before);
  });

  it('is played again after 5 s, also if the context was suspended in the meantime', () => {
    for (const isSuspended of [false, true]) {
      const rig = new Rig({ leadInMs: 200 });
      rig.utterance(1, speech);
      rig.render(900);
      if (isSuspended) rig.suspendedMs = 5000;
      else rig.render(5000);
      const before = rig.output.length;
      rig.utterance(2, speech);
      rig.render(800);
      assert.equal(rig.events('start')[1]!.sample, before + 200 * OUT_MS);
      assertLeadIn(rig.output.subarray(before, before + 200 * OUT_MS));
    }
  });

  it('is omitted while another speaker of the context plays', () => {
    const other = new Rig();
    other.utterance(1, tone(10_000 * SRC_MS));
    const rig = new Rig({ leadInMs: 200 }, other.activity);
    other.render(8000);
    rig.utterance(1, speech);
    rig.render(600);
    assert.equal(rig.events('start')[0]!.sample, 0);
  });

  it('ends at once when the utterance is cancelled, and precedes the next one in full', () => {
    const rig = new Rig({ leadInMs: 200 });
    rig.utterance(1, speech);
    rig.render(100);
    rig.cancel(1);
    const block = rig.render(50);
    assert.ok(block.every((sample) => sample === 0));
    const before = rig.output.length;
    rig.utterance(2, speech);
    rig.render(800);
    assert.equal(rig.events('start')[0]!.sample, before + 200 * OUT_MS);
    assert.equal(rig.stat('discardedSamples'), speech.length);
  });

  it('ends at once when the speaker is paused, and is played again when it continues', () => {
    const rig = new Rig({ leadInMs: 200 });
    rig.utterance(1, speech);
    rig.render(100);
    rig.request(true);
    const block = rig.render(50);
    assert.ok(block.every((sample) => sample === 0));
    assert.equal(rig.stat('emittedSamples'), 0);
    const before = rig.output.length;
    rig.request(false);
    rig.render(900);
    assert.deepEqual(rig.events('playing'), [{ event: 'playing', sample: before + 200 * OUT_MS }]);
    assertSpeech(rig, before + 200 * OUT_MS);
  });

  it('precedes speech that continues from the same sample after a pause of 5 s', () => {
    const rig = new Rig({ leadInMs: 200 });
    rig.utterance(1, speech);
    rig.render(400);
    rig.request(true);
    rig.render(5500);
    const emitted = rig.stat('emittedSamples');
    const before = rig.output.length;
    rig.request(false);
    rig.render(190);
    assert.equal(rig.stat('emittedSamples'), emitted);
    assertLeadIn(rig.output.subarray(before));
    rig.render(700);
    assert.equal(rig.events('playing').at(-1)!.sample, before + 200 * OUT_MS);
    assert.equal(rig.stat('emittedSamples'), speech.length);
  });

  it('is omitted after a short pause', () => {
    const rig = new Rig({ leadInMs: 200 });
    rig.utterance(1, speech);
    rig.render(400);
    rig.request(true);
    rig.render(1000);
    const before = rig.output.length;
    rig.request(false);
    rig.render(50);
    assert.equal(rig.events('playing').at(-1)!.sample, before);
  });

  it('ends when the playout leaves the ring, and the next playout plays all of it', () => {
    const rig = new Rig({ leadInMs: 200 });
    rig.utterance(1, speech);
    rig.render(100);
    rig.handOver(true);
    const before = rig.output.length;
    rig.render(900);
    assert.equal(rig.events('start')[0]!.sample, before + 200 * OUT_MS);
    assertSpeech(rig, before + 200 * OUT_MS);
  });

  it('is replaced by digital silence if its length is 0', () => {
    const rig = new Rig();
    rig.begin(1, speech.subarray(0, 50 * SRC_MS));
    assert.ok(rig.render(100).every((sample) => sample === 0));
  });
});
