import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { GatewayStep } from '../../../src/testing/script.js';
import type { Speaker } from './speaker.js';
import { setStage } from './stage.js';

const TEXT = 'One two, three. Four five';
/** Words of 2,400 samples each, with a pause of the same length after the third. */
const WORDS = [
  { from: 0, to: 3, start: 0, end: 0.1 },
  { from: 4, to: 7, start: 0.1, end: 0.2 },
  { from: 9, to: 14, start: 0.2, end: 0.3 },
  { from: 16, to: 20, start: 0.4, end: 0.5 },
  { from: 21, to: 25, start: 0.5, end: 0.6 },
];
const timings = (count: number): GatewayStep => ({ json: { type: 'timings', words: WORDS.slice(0, count) } });
const frames = (samples: number, from = 0): GatewayStep => ({ frames: { ramp: true, samples, from } });
const dies: GatewayStep = { terminate: true };
const speaks = (samples: number, from: number): GatewayStep[] => [
  { wait: 'end' },
  frames(samples, from),
  { done: true },
];

describe('an utterance whose socket dies in the middle, with times of words', () => {
  const stage = setStage();

  function speaker(...scripts: readonly GatewayStep[][]): Speaker {
    const made = stage.speaker(scripts, { session: (attempt) => stage.timed(scripts[attempt] ?? scripts.at(-1)!) });
    made.canRenew = true;
    return made;
  }

  function texts(index: number): (string | undefined)[] {
    return stage.connections()[index]!.messages.map(({ message }) => (message as { text?: string }).text);
  }

  function range(from: number, to: number): number[] {
    return Array.from({ length: to - from }, (_, index) => from + index);
  }

  it('plays to the end of the last whole word, and the rest is spoken on another session', async () => {
    const one = speaker([{ wait: 'end' }, timings(5), frames(6000), dies], speaks(4800, 10_000));
    one.say(TEXT);
    await one.next('resuming');
    one.attach();
    await one.finish();
    assert.deepEqual(one.of('resuming'), [{ type: 'resuming', serial: 1, words: 2, samples: 4800 }]);
    assert.deepEqual(one.of('resumed'), [{ type: 'resumed', serial: 1, from: 9 }]);
    assert.deepEqual(texts(1), ['three. Four five', undefined]);
    assert.deepEqual([...one.listener.heard(1)], [...range(0, 4800), ...range(10_000, 14_800)]);
    assert.deepEqual(one.of('received'), [{ type: 'received', serial: 1, samples: 9600 }]);
    assert.deepEqual(one.of('failed'), []);
  });

  it('places the words of the rest after the first part', async () => {
    const rest = { type: 'timings', words: [{ from: 0, to: 5, start: 0.05, end: 0.1 }] };
    const one = speaker(
      [{ wait: 'end' }, timings(5), frames(6000), dies],
      [{ wait: 'end' }, { json: rest }, frames(2400), { done: true }],
    );
    one.say(TEXT);
    await one.next('resuming');
    one.attach();
    await one.finish();
    const { index, words } = one.of('timings').at(-1)!;
    assert.deepEqual([index, words], [2, [{ from: 9, to: 14, start: 0.25, end: 0.2 + 0.1 }]]);
  });

  it('keeps what was received of a pause, and completes it', async () => {
    const one = speaker([{ wait: 'end' }, timings(5), frames(8000), dies], speaks(480, 20_000));
    one.say(TEXT);
    await one.next('resuming');
    one.attach();
    await one.finish();
    assert.deepEqual(texts(1), ['Four five', undefined]);
    const silence = Array<number>(1600).fill(0);
    assert.deepEqual([...one.listener.heard(1)], [...range(0, 8000), ...silence, ...range(20_000, 20_480)]);
  });

  it('makes the usual pause after a sentence if the next word has no times yet', async () => {
    const one = speaker([{ wait: 'end' }, timings(3), frames(7200), dies], speaks(480, 20_000));
    one.say(TEXT);
    await one.next('resuming');
    one.attach();
    await one.finish();
    const silence = Array<number>(7200).fill(0);
    assert.deepEqual([...one.listener.heard(1)], [...range(0, 7200), ...silence, ...range(20_000, 20_480)]);
  });

  it('is complete if all words were received', async () => {
    const one = speaker([{ wait: 'end' }, timings(5), frames(14_400), dies]);
    one.say(TEXT);
    await one.next('received');
    assert.deepEqual(one.of('received'), [{ type: 'received', serial: 1, samples: 14_400 }]);
    assert.equal(one.requests.length, 1);
    assert.deepEqual(one.of('failed'), []);
  });

  // xujialiu/Zotero-TTS 69: all words from the tenth second on are reported at one time, and are spoken until the twentieth
  it('does not count words at one time as received, since the service does not know when they are spoken', async () => {
    const words = WORDS.map((word, index) => (index < 2 ? word : { ...word, start: 0.2, end: 0.2 }));
    const one = speaker(
      [{ wait: 'end' }, { json: { type: 'timings', words } }, frames(6000), dies],
      speaks(9600, 10_000),
    );
    one.say(TEXT);
    await one.next('resuming');
    one.attach();
    await one.finish();
    assert.deepEqual(texts(1), ['three. Four five', undefined]);
    assert.deepEqual([...one.listener.heard(1)], [...range(0, 4800), ...range(10_000, 19_600)]);
  });

  // ModelEngine-Group/nexent 2747: a close with 1000 cuts the speech off
  it('is resumed after a clean close too, if words are missing', async () => {
    const one = speaker([{ wait: 'end' }, timings(5), frames(6000), { close: 1000 }], speaks(4800, 10_000));
    one.say(TEXT);
    await one.next('resuming');
    one.attach();
    await one.finish();
    assert.deepEqual(texts(1), ['three. Four five', undefined]);
    assert.deepEqual([...one.listener.heard(1)], [...range(0, 4800), ...range(10_000, 14_800)]);
    assert.deepEqual(one.of('failed'), []);
  });

  it('is complete after a clean close if all words were received', async () => {
    const one = speaker([{ wait: 'end' }, timings(5), frames(14_400), { close: 1000 }]).attach();
    one.say(TEXT);
    await one.next('received');
    assert.deepEqual(one.of('received'), [{ type: 'received', serial: 1, samples: 14_400 }]);
    assert.equal(one.requests.length, 1);
  });

  // ModelEngine-Group/nexent 2747, smallest-inc/smallest-python-sdk 115
  it('fails after a clean close if a whole sentence is missing, and there is no other session', async () => {
    const one = speaker([{ wait: 'end' }, timings(3), frames(7200), { close: 1000 }]);
    one.canRenew = false;
    const text = [TEXT.slice(0, 16), TEXT.slice(16)];
    one.worker.handle({ type: 'enqueue', serial: 1, contextId: 'c1', texts: text, more: false });
    const { reason, closeCode } = await one.failed();
    assert.deepEqual({ reason, closeCode }, { reason: 'socket-closed', closeCode: 1000 });
    assert.deepEqual(one.of('received'), []);
  });

  it('begins again if no word was received whole', async () => {
    const one = speaker([{ wait: 'end' }, timings(5), frames(2000), dies], speaks(14_400, 0));
    one.say(TEXT);
    await one.next('resuming');
    one.attach();
    await one.finish();
    assert.deepEqual(texts(1), [TEXT, undefined]);
    assert.deepEqual([...one.listener.heard(1)], range(0, 14_400));
  });

  it('cannot take back what is in the ring, and repeats that word', async () => {
    const one = speaker([{ wait: 'end' }, timings(5), frames(6000), dies], speaks(480, 20_000)).attach();
    one.say(TEXT);
    await one.finish();
    assert.deepEqual([...one.listener.heard(1)], [...range(0, 6000), ...range(20_000, 20_480)]);
    assert.deepEqual(texts(1), ['three. Four five', undefined]);
  });

  it('writes speech without a whole word to the ring only shortly before it is heard', async () => {
    const long = { from: 0, to: 3, start: 0, end: 3 };
    const waits: GatewayStep[] = [{ wait: 'end' }, { json: { type: 'timings', words: [long] } }, frames(48_000)];
    const one = speaker([...waits, { wait: 60_000 }]).attach();
    one.say('One two.');
    await one.came(1 + 50);
    assert.equal(one.listener.take(), 0.6 * 24_000);
    one.clock.advance(100);
    assert.equal(one.listener.take(), 0.6 * 24_000);
  });

  it('fails if more than a word would be heard twice', async () => {
    const one = speaker([{ wait: 'end' }, timings(1), frames(60_000), { wait: 20 }, dies]).attach();
    one.say(TEXT);
    await one.next('first-audio');
    for (let i = 0; i < 4; i++) {
      one.listener.take();
      one.clock.advance(100);
    }
    const { reason, closeCode } = await one.failed();
    assert.deepEqual([reason, closeCode], ['socket-closed', 1006]);
    assert.deepEqual(one.of('resuming'), []);
  });

  it('is resumed when seconds of its whole words are already in the ring, after other speech', async () => {
    const words = WORDS.map(({ from, to }, index) => ({ from, to, start: index, end: index + 1 }));
    const one = speaker(
      speaks(24_000, 0),
      [{ wait: 'end' }, { json: { type: 'timings', words } }, frames(60_000), dies],
      speaks(480, 20_000),
    ).attach();
    one.say('Before.');
    await one.finish();
    one.say(TEXT);
    await one.next('resuming');
    assert.deepEqual(one.of('resuming'), [{ type: 'resuming', serial: 2, words: 2, samples: 48_000 }]);
    await one.finish(2);
    assert.deepEqual(texts(2), ['three. Four five', undefined]);
    assert.deepEqual(one.of('failed'), []);
  });

  it('is resumed three times at most', async () => {
    const script = [
      { wait: 'end' } as const,
      { json: { type: 'timings', words: WORDS.slice(0, 1) } },
      frames(2400),
      dies,
    ];
    const one = speaker(script);
    one.say('One two six ten red ash');
    await one.failed();
    assert.equal(one.of('resuming').length, 3);
    assert.deepEqual(
      [0, 1, 2, 3].map((index) => texts(index)[0]),
      ['One two six ten red ash', 'two six ten red ash', 'six ten red ash', 'ten red ash'],
    );
  });

  for (const [what, change] of [
    ['the page does not want it', (one: Speaker) => (one.lead = null)],
    ['the source has no other session', (one: Speaker) => (one.canRenew = false)],
  ] as const) {
    it(`fails if ${what}`, async () => {
      const one = speaker([{ wait: 'end' }, timings(5), frames(6000), dies]).attach();
      change(one);
      one.say(TEXT);
      await one.failed();
      await one.listenFor(6000);
      assert.equal(one.requests.length, 1);
    });
  }

  it('is resumed even if only the messages show that the service reports times', async () => {
    const scripts: GatewayStep[][] = [[{ wait: 'end' }, timings(5), frames(6000), dies], speaks(480, 20_000)];
    const one = stage.speaker(scripts);
    one.canRenew = true;
    one.say(TEXT);
    await one.next('resuming');
    one.attach();
    await one.finish();
    assert.equal(one.listener.heard(1).length, 4800 + 480);
  });

  it('fails if the service reports no times', async () => {
    const script: GatewayStep[] = [{ wait: 'end' }, frames(6000), dies];
    const one = stage.speaker([script]).attach();
    one.canRenew = true;
    one.say(TEXT);
    await one.failed();
    assert.equal(one.requests.length, 1);
  });

  it('is resumed after 10 s without an answer, or 2 s if the network has changed', async () => {
    for (const [seconds, isDoubted] of [
      [10, false],
      [2, true],
    ] as const) {
      const one = speaker([{ wait: 'end' }, timings(5), frames(6000), { wait: 60_000 }], speaks(480, 20_000));
      one.say(TEXT);
      await one.came(1 + 7);
      if (isDoubted) {
        one.clock.advance(500);
        one.worker.doubt();
      }
      one.clock.advance(1000 * seconds - 1);
      assert.deepEqual(one.of('resuming'), []);
      one.clock.advance(1);
      await one.next('resuming');
      one.attach();
      await one.finish();
      assert.equal(one.listener.heard(1).length, 4800 + 480);
    }
  });

  it('has 60 s for the next answer if it was resumed before: the service may be slow', async () => {
    const silent: GatewayStep[] = [{ wait: 'end' }, timings(5), frames(6000), { wait: 600_000 }];
    const one = speaker(silent, [{ wait: 'end' }, frames(480, 20_000), { wait: 600_000 }]);
    one.say(TEXT);
    await one.came(1 + 7);
    one.clock.advance(10_000);
    await one.came(1 + 7 + 1);
    one.clock.advance(59_999);
    assert.deepEqual(one.of('failed'), []);
    one.clock.advance(1);
    await one.next('socket-close', 2);
    assert.equal(one.of('resuming').length, 2);
  });

  it('waits 60 s for the next answer if too much would be heard twice', async () => {
    const one = speaker([{ wait: 'end' }, timings(1), frames(60_000), { wait: 600_000 }]).attach();
    one.say(TEXT);
    await one.came(1 + 63);
    for (let i = 0; i < 4; i++) {
      one.listener.take();
      one.clock.advance(100);
    }
    one.clock.advance(59_599);
    assert.deepEqual(one.of('failed'), []);
    one.clock.advance(1);
    assert.match((await one.failed()).message, /sent nothing for 60 s/);
    assert.deepEqual(one.of('resuming'), []);
  });

  it('goes on with a text that is still being written', async () => {
    const one = speaker([{ wait: 'synthesize' }, timings(2), frames(6000), { wait: 20 }, dies], speaks(480, 20_000));
    one.worker.handle({ type: 'enqueue', serial: 1, contextId: 'c1', texts: ['One two'], more: true });
    await one.next('socket-close');
    assert.equal(one.requests.length, 1, 'all of the text so far is spoken');
    one.worker.handle({ type: 'text', serial: 1, text: ' three.' });
    one.worker.handle({ type: 'text', serial: 1, text: null });
    one.attach();
    await one.finish();
    assert.deepEqual(texts(1), [' three.', undefined]);
    assert.equal(one.listener.heard(1).length, 6000 + 480);
  });

  it('can be cancelled while it waits for the other session', async () => {
    const one = speaker([{ wait: 'end' }, timings(5), frames(6000), dies], [{ wait: 60_000 }], speaks(480, 0)).attach();
    one.say(TEXT);
    await one.next('resuming');
    one.worker.handle({ type: 'cancel', serials: [1] });
    one.worker.handle({ type: 'enqueue', serial: 2, contextId: 'c2', texts: ['Next.'], more: false });
    await one.next('connection-needed', 2);
    assert.deepEqual(one.of('received'), []);
  });
});

describe('a text whose service goes away while more of it is coming', () => {
  const stage = setStage();

  for (const [code, waitMs, isSpoken] of [
    [4408, 0, true],
    [1001, 1000, true],
    [1001, 999, false],
    [1006, 1000, false],
  ] as const) {
    it(`is ${isSpoken ? 'continued' : 'reported'} after ${code}, ${waitMs} ms after the last frame`, async () => {
      const closing: GatewayStep[] = [{ wait: 'synthesize' }, frames(240), { wait: 'synthesize' }];
      const end: GatewayStep = code === 1006 ? dies : { close: code };
      const one = stage.speaker([[...closing, end], speaks(240, 240)]).attach();
      one.canRenew = true;
      one.worker.handle({ type: 'enqueue', serial: 1, contextId: 'c1', texts: ['One. '], more: true });
      await one.next('first-audio');
      one.clock.advance(waitMs);
      one.worker.handle({ type: 'text', serial: 1, text: 'Two. ' });
      await one.next('socket-close');
      one.worker.handle({ type: 'text', serial: 1, text: 'Three.' });
      one.worker.handle({ type: 'text', serial: 1, text: null });
      if (!isSpoken) {
        assert.equal((await one.failed()).closeCode, code);
        return;
      }
      await one.finish();
      assert.deepEqual(one.of('received'), [{ type: 'received', serial: 1, samples: 480 }]);
    });
  }
});
