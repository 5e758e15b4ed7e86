import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { MarkKind } from '../../../src/ring/index.js';
import type { RingFeed } from '../../../src/connection/ring-feed.js';
import { SpeechTape } from '../../../src/connection/speech-tape.js';

/** A feed that records what it accepts: samples as numbers; marks as `+serial`, `-serial` and `seek serial`. */
class SlowFeed implements RingFeed {
  readonly taken: (number | string)[] = [];
  held = 0;
  room = 0;
  marks = 0;
  closed = false;
  #retry: (() => void) | null = null;

  write(samples: Int16Array, from: number, count: number): number {
    const taken = Math.min(count, this.room);
    this.room -= taken;
    this.taken.push(...samples.subarray(from, from + taken));
    return taken;
  }

  mark(kind: MarkKind.Any, serial: number): boolean {
    if (this.marks === 0) return false;
    this.marks--;
    this.taken.push(`${['', '+', '-', 'seek '][kind]}${serial}`);
    return true;
  }

  reconnect(): void {
    throw new Error('Not this one');
  }

  whenRoom(retry: () => void): void {
    this.#retry = retry;
  }

  close(): void {
    this.closed = true;
  }

  give(room: number, marks = 0): void {
    this.room += room;
    this.marks += marks;
    const retry = this.#retry;
    this.#retry = null;
    retry?.();
  }
}

function tapeWith(room: number, marks: number): { tape: SpeechTape; feed: SlowFeed; drains: () => number } {
  let drains = 0;
  const tape = new SpeechTape(() => drains++);
  const feed = new SlowFeed();
  feed.room = room;
  feed.marks = marks;
  tape.attach(feed);
  return { tape, feed, drains: () => drains };
}

describe('SpeechTape', () => {
  it('sets a start before the first sample and an end after the last', () => {
    const { tape, feed } = tapeWith(10, 10);
    tape.push(1, Int16Array.of(1, 2));
    tape.push(1, Int16Array.of(3));
    tape.end(1);
    tape.push(2, Int16Array.of(4));
    tape.end(2);
    assert.deepEqual(feed.taken, ['+1', 1, 2, 3, '-1', '+2', 4, '-2']);
  });

  it('sets no mark for an utterance without samples', () => {
    const { tape, feed } = tapeWith(10, 10);
    tape.push(1, new Int16Array(0));
    tape.end(1);
    assert.deepEqual(feed.taken, []);
  });

  it('keeps samples that do not fit, in order, and continues when there is room', () => {
    const { tape, feed, drains } = tapeWith(1, 10);
    tape.push(1, Int16Array.of(1, 2, 3));
    tape.push(1, Int16Array.of(4));
    tape.end(1);
    assert.equal(tape.waiting, 3);
    feed.give(2);
    assert.deepEqual(feed.taken, ['+1', 1, 2, 3]);
    assert.equal(tape.waiting, 1);
    feed.give(5);
    assert.deepEqual(feed.taken, ['+1', 1, 2, 3, 4, '-1']);
    assert.equal(tape.waiting, 0);
    assert.equal(drains(), 2);
  });

  it('says nothing each time that it finds the ring still full', () => {
    const { tape, feed, drains } = tapeWith(1, 10);
    tape.push(1, Int16Array.of(1, 2));
    feed.give(0);
    feed.give(0);
    assert.equal(drains(), 0);
    feed.give(1);
    assert.equal(drains(), 1);
  });

  it('holds samples back behind a mark that does not fit', () => {
    const { tape, feed } = tapeWith(10, 0);
    tape.push(1, Int16Array.of(1));
    assert.deepEqual(feed.taken, []);
    feed.give(0, 1);
    assert.deepEqual(feed.taken, ['+1', 1]);
  });

  it('returns the end of the newest utterance', () => {
    const { tape } = tapeWith(10, 10);
    assert.equal(tape.received.newest, null);
    tape.push(1, new Int16Array(602));
    tape.end(1);
    assert.deepEqual(tape.received.newest, { serial: 1, sample: 602 });
    tape.push(2, new Int16Array(701));
    assert.deepEqual(tape.received.newest, { serial: 2, sample: 701 });
    tape.cancel(2);
    assert.deepEqual(tape.received.newest, { serial: 1, sample: 602 });
  });

  it('returns each quiet part once', () => {
    const { tape } = tapeWith(10, 10);
    const sound = Int16Array.of(9000);
    for (const samples of [sound, new Int16Array(600), sound]) tape.push(1, samples);
    for (const samples of [new Int16Array(700), sound]) tape.push(2, samples);
    assert.deepEqual(tape.received.takeQuiet(), [
      { serial: 1, from: 1, to: 601 },
      { serial: 2, from: 0, to: 700 },
    ]);
    tape.push(2, new Int16Array(600));
    assert.deepEqual(tape.received.takeQuiet(), []);
    tape.push(2, sound);
    assert.deepEqual(tape.received.takeQuiet(), [{ serial: 2, from: 701, to: 1301 }]);
  });

  it('keeps everything until a feed is attached', () => {
    const tape = new SpeechTape(() => {});
    tape.push(1, Int16Array.of(1));
    tape.end(1);
    const feed = new SlowFeed();
    feed.give(5, 5);
    tape.attach(feed);
    assert.deepEqual(feed.taken, ['+1', 1, '-1']);
  });

  it('drops the waiting samples of a cancelled utterance and ends it if it has begun', () => {
    const { tape, feed } = tapeWith(1, 10);
    tape.push(1, Int16Array.of(1, 2, 3));
    tape.cancel(1);
    assert.equal(tape.waiting, 0);
    assert.deepEqual(feed.taken, ['+1', 1, '-1']);
  });

  it('keeps the end of a cancelled utterance that was complete', () => {
    const { tape, feed } = tapeWith(1, 10);
    tape.push(1, Int16Array.of(1, 2));
    tape.end(1);
    tape.push(2, Int16Array.of(9));
    tape.cancel(1);
    feed.give(5);
    assert.deepEqual(feed.taken, ['+1', 1, '-1', '+2', 9]);
  });

  it('sets no mark for a cancelled utterance that has not begun', () => {
    const { tape, feed } = tapeWith(1, 10);
    tape.push(1, Int16Array.of(1, 2));
    tape.end(1);
    tape.push(2, Int16Array.of(7, 8));
    tape.cancel(2);
    tape.end(2);
    tape.push(3, Int16Array.of(9));
    feed.give(5);
    assert.deepEqual(feed.taken, ['+1', 1, 2, '-1', '+3', 9]);
  });

  it('starts the utterance again in a feed that replaces another', () => {
    const { tape, feed } = tapeWith(1, 10);
    tape.push(1, Int16Array.of(1, 2));
    const other = new SlowFeed();
    other.give(5, 5);
    tape.attach(other);
    tape.end(1);
    assert.equal(feed.closed, true);
    assert.deepEqual(other.taken, ['+1', 2, '-1']);
  });

  it('keeps everything again while no feed is attached', () => {
    const { tape, feed } = tapeWith(5, 10);
    tape.push(1, Int16Array.of(1));
    tape.end(1);
    tape.attach(null);
    tape.push(2, Int16Array.of(2));
    const other = new SlowFeed();
    other.give(5, 5);
    tape.attach(other);
    assert.deepEqual(feed.taken, ['+1', 1, '-1']);
    assert.deepEqual(other.taken, ['+2', 2]);
  });

  it('drops everything and closes the feed when it is closed', () => {
    const { tape, feed } = tapeWith(0, 10);
    tape.push(1, Int16Array.of(1));
    tape.close();
    assert.equal(tape.waiting, 0);
    assert.equal(feed.closed, true);
  });
});

/** A random operation on a tape. `which`, `kept` and `sample` select among what exists, by remainder. */
type Step =
  | { do: 'push'; count: number }
  | { do: 'end' | 'attach' }
  | { do: 'give'; room: number; marks: number }
  | { do: 'cancel'; which: number; kept: number }
  | { do: 'seek'; which: number; sample: number; only: boolean };

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('push' as const), count: fc.integer({ min: 1, max: 60 }) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('end' as const) }) },
  fc.record({ do: fc.constant('attach' as const) }),
  fc.record({ do: fc.constant('give' as const), room: fc.nat(100), marks: fc.nat(3) }),
  fc.record({ do: fc.constant('cancel' as const), which: fc.nat(), kept: fc.nat() }),
  fc.record({ do: fc.constant('seek' as const), which: fc.nat(), sample: fc.nat(), only: fc.boolean() }),
);

/** The utterances that were received, with which the tape must agree. */
class Received {
  utterances: { serial: number; samples: number[]; isComplete: boolean }[] = [];
  lastSerial = 0;
  #value = 0;

  push(count: number): Int16Array {
    if (this.utterances.at(-1)?.isComplete ?? true) {
      this.utterances.push({ serial: ++this.lastSerial, samples: [], isComplete: false });
    }
    const samples = Int16Array.from({ length: count }, () => (this.#value = (this.#value + 7919) % 30_000));
    this.utterances.at(-1)!.samples.push(...samples);
    return samples;
  }

  /** Returns what a feed accepts from a position on. */
  from(index: number, sample: number, only: boolean): (number | string)[] {
    const taken: (number | string)[] = [];
    for (const { serial, samples, isComplete } of this.utterances.slice(index, only ? index + 1 : undefined)) {
      taken.push(`+${serial}`, ...samples.slice(serial === this.utterances[index]!.serial ? sample : 0));
      if (isComplete) taken.push(`-${serial}`);
    }
    return taken;
  }
}

describe('SpeechTape with a history', () => {
  it('plays exactly the samples from any position, whatever came before', () => {
    fc.assert(
      fc.property(fc.array(anyStep, { maxLength: 40 }), fc.nat(), fc.nat(), fc.boolean(), (steps, which, at, only) => {
        const received = new Received();
        const tape = new SpeechTape(() => {}, 16);
        tape.setLimit(1e9);
        let feed = new SlowFeed();
        tape.attach(feed);
        const pick = (number: number): number => number % received.utterances.length;
        for (const step of steps) {
          const last = received.utterances.at(-1);
          if (step.do === 'push') {
            const samples = received.push(step.count);
            tape.push(received.utterances.at(-1)!.serial, samples);
          } else if (step.do === 'end' && last) {
            last.isComplete = true;
            tape.end(last.serial);
          } else if (step.do === 'attach') {
            feed = new SlowFeed();
            tape.attach(feed);
          } else if (step.do === 'give') {
            feed.give(step.room, step.marks);
          } else if (step.do === 'cancel' && last) {
            const one = received.utterances[pick(step.which)]!;
            const kept = step.kept % (one.samples.length + 1);
            const serial = ++received.lastSerial;
            tape.cancel(one.serial, kept > 0 ? { as: serial, samples: kept } : undefined);
            one.samples.splice(kept);
            one.isComplete = true;
            one.serial = serial;
            if (kept === 0) received.utterances = received.utterances.filter((other) => other !== one);
          } else if (step.do === 'seek' && last) {
            const one = received.utterances[pick(step.which)]!;
            tape.seek(1, { at: { serial: one.serial, sample: step.sample % (one.samples.length + 1) } }, step.only);
          }
        }
        if (received.utterances.length === 0) return;
        const index = pick(which);
        const { serial, samples } = received.utterances[index]!;
        const sample = at % (samples.length + 1);
        feed = new SlowFeed();
        feed.give(1e9, 1e9);
        tape.attach(feed);
        feed.taken.length = 0;
        tape.seek(2, { at: { serial, sample } }, only);
        assert.deepEqual(feed.taken, ['seek 2', ...received.from(index, sample, only)]);
        assert.deepEqual(tape.received.read(serial), Int16Array.from(samples));
        assert.deepEqual(
          tape.received.read(null),
          Int16Array.from(received.utterances.flatMap((utterance) => utterance.samples)),
        );
      }),
      { numRuns: process.env.SVC_LONG ? 2000 : 500 },
    );
  });

  it('keeps its limit and little more, and everything that waits', () => {
    const tape = new SpeechTape(() => {});
    const feed = new SlowFeed();
    tape.setLimit(100_000);
    tape.attach(feed);
    feed.give(0, 10);
    for (let frame = 0; frame < 1000; frame++) tape.push(1, new Int16Array(480).fill(frame));
    assert.deepEqual(tape.received.oldest, { serial: 1, sample: 0 }, 'nothing was written');
    feed.give(1e9);
    assert.deepEqual(tape.received.oldest, { serial: 1, sample: 380_000 });
    assert.equal(tape.received.read(1), null, 'its beginning is gone');
    const kept = tape.received.read(null)!;
    assert.ok(kept.length >= 100_000 && kept.length < 100_000 + 24_000);
    assert.equal(kept.at(-1), 999);
    tape.seek(1, { at: { serial: 1, sample: 0 } }, false);
    assert.deepEqual(feed.taken.slice(-100_001, -99_998), ['+1', 791, 791]);
  });

  it('keeps samples before the cursor, even if more samples wait than the limit', () => {
    const tape = new SpeechTape(() => {}, 10);
    const feed = new SlowFeed();
    tape.setLimit(100, 30);
    tape.attach(feed);
    tape.push(1, new Int16Array(500));
    feed.give(200, 10);
    assert.deepEqual(tape.received.oldest, { serial: 1, sample: 170 });
    tape.seek(1, { at: { serial: 1, sample: 180 } }, false);
    assert.equal(tape.waiting, 320, 'the sample is still there');
    feed.give(1e9);
    assert.deepEqual(tape.received.oldest, { serial: 1, sample: 400 }, 'nothing waits, so the limit decides');
  });

  it('has no oldest sample without a limit, even if samples wait', () => {
    const { tape } = tapeWith(1, 10);
    tape.push(1, Int16Array.of(1, 2, 3));
    assert.equal(tape.received.oldest, null);
    tape.seek(1, { at: { serial: 1, sample: 0 } }, false);
    assert.equal(tape.waiting, 2, 'no waiting sample is lost');
  });

  it('keeps nothing without a limit', () => {
    const { tape, feed } = tapeWith(1e9, 10);
    tape.push(1, new Int16Array(480));
    assert.equal(tape.received.oldest, null);
    assert.equal(tape.received.read(null)!.length, 0);
    assert.equal(feed.taken.length, 481);
  });

  it('drops everything before an utterance', () => {
    const { tape, feed } = tapeWith(1e9, 10);
    tape.setLimit(1e9);
    for (const serial of [1, 2]) {
      tape.push(serial, Int16Array.of(serial, serial));
      tape.end(serial);
    }
    tape.forgetBefore(2);
    assert.deepEqual(tape.received.oldest, { serial: 2, sample: 0 });
    assert.equal(tape.received.read(1), null);
    feed.taken.length = 0;
    let told: [boolean, number] | undefined;
    tape.seek(1, { at: { serial: 1, sample: 0 } }, false, (isKept) => (told = [isKept, feed.taken.length]));
    assert.deepEqual(told, [false, 0], 'before anything is written');
    assert.deepEqual(feed.taken, ['seek 1'], 'no longer there');
    tape.forgetBefore(0);
    assert.equal(tape.received.oldest, null);
  });

  it('continues where nothing was played yet', () => {
    const { tape, feed } = tapeWith(3, 10);
    tape.setLimit(1e9);
    tape.push(1, Int16Array.of(1, 2));
    tape.end(1);
    tape.push(2, Int16Array.of(3, 4, 5));
    feed.give(0, 10);
    tape.seek(1, { at: { serial: 1, sample: 1 } }, false);
    feed.taken.length = 0;
    tape.seek(2, 'fresh', false);
    feed.give(10);
    assert.deepEqual(feed.taken, ['seek 2', '+2', 4, 5]);
  });

  it('stays at an utterance after which nothing is written, whatever happens to others', () => {
    const { tape, feed } = tapeWith(1e9, 10);
    tape.setLimit(1e9);
    tape.push(1, Int16Array.of(1, 2));
    tape.end(1);
    tape.seek(1, { at: { serial: 1, sample: 0 } }, true);
    tape.push(2, Int16Array.of(3, 4, 5));
    tape.cancel(2, { as: 3, samples: 2 });
    assert.equal(tape.fresh, 2, 'what was kept has not been written');
    tape.setLimit(0);
    assert.deepEqual(tape.received.newest, { serial: 3, sample: 2 });
    feed.taken.length = 0;
    tape.seek(2, { after: 1 }, false, (isKept) => assert.equal(isKept, true));
    assert.deepEqual(feed.taken, ['seek 2', '+3', 3, 4, '-3']);
  });

  it('ends a cancelled utterance once, also if nothing is written after it', () => {
    const { tape, feed } = tapeWith(1e9, 10);
    tape.setLimit(1e9);
    tape.push(1, Int16Array.of(1));
    tape.end(1);
    tape.seek(1, { at: { serial: 1, sample: 0 } }, true);
    tape.cancel(1);
    assert.deepEqual(feed.taken, ['+1', 1, '-1', 'seek 1', '+1', 1, '-1']);
  });
});
