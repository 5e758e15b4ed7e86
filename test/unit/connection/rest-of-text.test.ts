import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type GatewayStep, speaking } from '../../../src/testing/script.js';
import { type Speaker, until } from './speaker.js';
import { setStage } from './stage.js';

const audio = { frames: { ramp: true, samples: 240 } } as const;
const good = speaking(audio.frames);

describe('a text that goes on after the service has ended what it had', () => {
  const stage = setStage();

  function begin(speaker: Speaker, ...texts: string[]): void {
    speaker.worker.handle({ type: 'enqueue', serial: 1, contextId: 'c1', texts, more: true });
  }

  function add(speaker: Speaker, ...texts: (string | null)[]): void {
    for (const text of texts) speaker.worker.handle({ type: 'text', serial: 1, text });
  }

  /** Returns the messages that the service received on its `index`th socket, abbreviated. */
  function sent(index = 0): string[] {
    return (stage.connections()[index]?.messages ?? []).map(({ message }) => {
      const { type, text, context_id } = message as Record<string, string>;
      return type === 'end' ? `end ${context_id}` : `${context_id}: ${text}`;
    });
  }

  const closing: GatewayStep[] = [{ wait: 'synthesize' }, { wait: 'synthesize' }, audio, { close: 1000 }];

  it('is spoken on another session after a clean close', async () => {
    const speaker = stage.speaker([closing, good]).attach();
    speaker.canRenew = true;
    begin(speaker, 'One is here. ', 'Two is here. ');
    assert.equal((await speaker.next('socket-close')).code, 1000);
    assert.deepEqual(speaker.of('received'), []);
    assert.equal(speaker.requests.length, 1, 'no session is requested before there is text');
    add(speaker, 'Three is here.', null);
    await speaker.finish();
    assert.deepEqual(sent(1), ['c1: Three is here.', 'end c1']);
    assert.deepEqual(speaker.of('received'), [{ type: 'received', serial: 1, samples: 480 }]);
    assert.deepEqual(speaker.of('failed'), []);
    assert.equal(speaker.listener.heard(1).length, 480);
  });

  it('fails after a clean close if there is no other session, and reports what was sent', async () => {
    const speaker = stage.speaker([closing]).attach();
    begin(speaker, 'One is here. ', 'Two is here. ');
    await speaker.next('socket-close');
    assert.deepEqual(speaker.of('failed'), []);
    add(speaker, 'Three is here.', null);
    const { reason, closeCode, serials } = await speaker.failed();
    assert.deepEqual({ reason, closeCode, serials }, { reason: 'socket-closed', closeCode: 1000, serials: [1] });
    assert.deepEqual((await speaker.next('failed')).sent, [2]);
    assert.deepEqual(speaker.of('received'), []);
    await speaker.listenFor(240);
    assert.deepEqual(speaker.listener.marks.at(-1), { kind: 'end', serial: 1, at: 240 });
  });

  it('is complete if nothing follows after a clean close', async () => {
    const speaker = stage.speaker([closing]).attach();
    begin(speaker, 'One is here. ', 'Two is here. ');
    await speaker.next('socket-close');
    add(speaker, null);
    assert.deepEqual(speaker.of('received'), [{ type: 'received', serial: 1, samples: 240 }]);
    assert.deepEqual(speaker.of('failed'), []);
  });

  it('fails if its other context ends without any audio', async () => {
    const first = { frames: { ramp: true, samples: 240 } } as const;
    const speaker = stage
      .speaker([[{ wait: 'synthesize' }, first, { done: true }, { wait: 'end' }, { done: true }]])
      .attach();
    begin(speaker, 'Let me look. ');
    await speaker.next('context-done');
    add(speaker, 'Here it is.', null);
    await speaker.finish(2);
    const { reason, serials } = await speaker.failed();
    assert.deepEqual({ reason, serials }, { reason: 'service-error', serials: [1] });
    await speaker.listenFor(240);
    assert.deepEqual(speaker.listener.marks.at(-1), { kind: 'end', serial: 1, at: 240 });
  });

  it('is spoken on another context of the same socket after context_done', async () => {
    const idle: GatewayStep[] = [{ wait: 'synthesize' }, { frames: { ramp: true, samples: 240, bytesPerFrame: 479 } }];
    const speaker = stage.speaker([[...idle, { done: true }, ...good]]).attach();
    begin(speaker, 'Let me look. ');
    await speaker.next('context-done');
    speaker.clock.advance(70_000);
    assert.deepEqual(speaker.of('received'), []);
    add(speaker, 'Here it is.', null);
    await speaker.finish(2);
    assert.deepEqual(sent(), ['c1: Let me look. ', 'c1-2: Here it is.', 'end c1-2']);
    assert.deepEqual(speaker.of('received'), [{ type: 'received', serial: 1, samples: 480 }]);
    assert.equal(stage.connections().length, 1);
  });

  it('starts another context on a whole sample, even if the one before ended in half of one', async () => {
    const script: GatewayStep[] = [{ wait: 'synthesize' }, { bytes: Array(15).fill(1) }, { done: true }, ...good];
    const speaker = stage.speaker([script]).attach();
    begin(speaker, 'One. ');
    await speaker.next('context-done');
    speaker.clock.advance(25);
    add(speaker, 'Two.', null);
    await speaker.finish(2);
    assert.deepEqual([...speaker.listener.heard(1).subarray(1, 4)], [0, 1, 2]);
  });

  it('is complete if nothing follows after context_done', async () => {
    const speaker = stage.speaker([[{ wait: 'synthesize' }, audio, { done: true }]]).attach();
    begin(speaker, 'One. ');
    await speaker.next('context-done');
    add(speaker, null);
    speaker.clock.advance(25);
    assert.deepEqual(speaker.of('received'), [{ type: 'received', serial: 1, samples: 240 }]);
    assert.equal((await speaker.next('socket-close')).code, 1000);
    assert.deepEqual(sent(), ['c1: One. ']);
  });

  it('is spoken on another session if the socket closes, with any code, after context_done', async () => {
    const idle: GatewayStep[] = [{ wait: 'synthesize' }, audio, { done: true }, { close: 4408 }];
    const speaker = stage.speaker([idle, good]).attach();
    speaker.canRenew = true;
    begin(speaker, 'One. ');
    assert.equal((await speaker.next('socket-close')).code, 4408);
    assert.deepEqual(speaker.of('failed'), []);
    add(speaker, 'Two.', null);
    await speaker.finish(2);
    assert.deepEqual(sent(1), ['c1: Two.', 'end c1']);
    assert.deepEqual(speaker.of('received'), [{ type: 'received', serial: 1, samples: 480 }]);
  });

  it('is tried again on a third session if the second one dies before audio', async () => {
    const dies: GatewayStep[] = [{ wait: 'synthesize' }, { terminate: true }];
    const speaker = stage.speaker([closing, dies, good]).attach();
    speaker.canRenew = true;
    begin(speaker, 'One. ', 'Two. ');
    await speaker.next('socket-close');
    add(speaker, 'Three.', null);
    await speaker.next('socket-close', 2);
    speaker.clock.advance(1000);
    await speaker.finish();
    assert.deepEqual(sent(2), ['c1: Three.', 'end c1']);
    assert.deepEqual(speaker.of('received'), [{ type: 'received', serial: 1, samples: 480 }]);
  });

  // bolna-ai/bolna 746, pipecat-ai/pipecat 3781, livekit/agents-js 2144 and 2145, smallest-inc/smallest-python-sdk 115
  describe('and was sent just before that', () => {
    const last: GatewayStep[] = [{ wait: 'synthesize' }, audio, { wait: 'synthesize' }];

    for (const code of [1000, 1001, 4408]) {
      it(`is spoken on another session after a close with ${code}`, async () => {
        const speaker = stage.speaker([[...last, { close: code }], good]).attach();
        speaker.canRenew = true;
        begin(speaker, 'One. ');
        await speaker.next('first-audio');
        speaker.clock.advance(2000);
        add(speaker, 'Two. ');
        await speaker.next('socket-close');
        add(speaker, 'Three.', null);
        await speaker.finish();
        assert.deepEqual(sent(1), ['c1: Two. ', 'c1: Three.', 'end c1']);
        assert.deepEqual(speaker.of('received'), [{ type: 'received', serial: 1, samples: 480 }]);
        assert.deepEqual(speaker.of('failed'), []);
      });
    }

    it('fails after a clean close if there is no other session', async () => {
      const speaker = stage.speaker([[...last, { close: 1000 }]]).attach();
      begin(speaker, 'One. ');
      await speaker.next('first-audio');
      add(speaker, 'Two.', null);
      const { reason, closeCode } = await speaker.failed();
      assert.deepEqual({ reason, closeCode }, { reason: 'socket-closed', closeCode: 1000 });
      assert.deepEqual(speaker.of('received'), []);
    });

    it('is complete after a clean close if it has no words', async () => {
      const speaker = stage.speaker([[...last, { close: 1000 }]]).attach();
      begin(speaker, 'One. ');
      await speaker.next('first-audio');
      add(speaker, '… ', null);
      await speaker.next('received');
    });

    it('is spoken on another context after context_done', async () => {
      const speaker = stage.speaker([[...last, { done: true }, { wait: 'end' }, ...good]]).attach();
      begin(speaker, 'One. ');
      await speaker.next('first-audio');
      speaker.clock.advance(1000);
      add(speaker, 'Two.', null);
      await speaker.finish(2);
      assert.deepEqual(sent(), ['c1: One. ', 'c1: Two.', 'end c1', 'c1-2: Two.', 'end c1-2']);
      assert.deepEqual(speaker.of('received'), [{ type: 'received', serial: 1, samples: 480 }]);
    });

    it('counts as spoken after context_done if no pause was before it', async () => {
      const speaker = stage.speaker([[...last, { done: true }]]).attach();
      begin(speaker, 'One. ');
      await speaker.next('first-audio');
      speaker.clock.advance(999);
      add(speaker, 'Привет.', null);
      await speaker.finish();
      assert.deepEqual(speaker.of('received'), [{ type: 'received', serial: 1, samples: 240 }]);
    });
  });

  it('plays what was received if the main thread ends it', async () => {
    const speaker = stage.speaker([closing]).attach();
    speaker.canRenew = true;
    begin(speaker, 'One. ', 'Two. ');
    await speaker.next('socket-close');
    speaker.worker.handle({ type: 'end', serial: 1 });
    add(speaker, 'Three.', null);
    assert.equal(speaker.requests.length, 1);
    await speaker.listenFor(240);
    assert.deepEqual(speaker.listener.marks.at(-1), { kind: 'end', serial: 1, at: 240 });
    speaker.say('Next.');
    assert.equal(speaker.requests.length, 2);
  });

  it('can be cancelled while it waits, and the next utterance keeps the socket', async () => {
    const speaker = stage.speaker([[{ wait: 'synthesize' }, audio, { done: true }, ...good]]).attach();
    speaker.worker.handle({ type: 'keep-open', keepOpen: true });
    begin(speaker, 'One. ');
    await speaker.next('context-done');
    speaker.clock.advance(1000);
    speaker.worker.handle({ type: 'cancel', serials: [1] });
    speaker.worker.handle({ type: 'enqueue', serial: 2, contextId: 'c2', texts: ['Next.'], more: false });
    speaker.clock.advance(25);
    await speaker.finish(2);
    assert.deepEqual(sent(), ['c1: One. ', 'c2: Next.', 'end c2']);
  });
});

describe('JSON in a binary message', () => {
  const stage = setStage();
  const bytesOf = (text: string): GatewayStep => ({ bytes: [...new TextEncoder().encode(text)] });

  for (const [what, wrap] of [
    ['as it is', (json: string) => json],
    ['with a byte order mark and line breaks', (json: string) => `\uFEFF\r\n ${json}\n`],
    ['with a zero at its end', (json: string) => `${json}\0`],
  ] as const) {
    it(`ends the context like a text message, ${what}`, async () => {
      const done = bytesOf(wrap('{"type":"context_done","context_id":"c1"}'));
      const speaker = stage.speaker([[{ wait: 'end' }, audio, done]]).attach();
      speaker.say('Hello.');
      await speaker.finish();
      assert.deepEqual(speaker.of('received'), [{ type: 'received', serial: 1, samples: 240 }]);
      assert.equal(speaker.listener.heard(1).length, 240);
    });
  }

  it('is an error if it says so', async () => {
    const speaker = stage
      .speaker([[{ wait: 'end' }, audio, bytesOf('{"type":"error","message":"no voice"}')]])
      .attach();
    speaker.say('Hello.');
    const { reason, message } = await speaker.failed();
    assert.equal(reason, 'service-error');
    assert.match(message, /no voice/);
    await speaker.listenFor(240);
  });

  it('of an unknown type and an odd length is counted, and shifts no sample', async () => {
    for (const unknown of ['{"type":"progress","n":1}', '{ "event": "keepalive!" }']) {
      assert.equal(unknown.length % 2, 1);
      const later = { frames: { ramp: true, samples: 240, from: 240 } } as const;
      const speaker = stage.speaker([[{ wait: 'end' }, audio, bytesOf(unknown), later, { done: true }]]).attach();
      speaker.say('Hello.');
      await speaker.finish();
      assert.deepEqual(
        [...speaker.listener.heard(1)],
        Array.from({ length: 480 }, (_, index) => index),
      );
      const { messagesIgnored, framesReceived, framesMalformed } = speaker.counters();
      assert.deepEqual([messagesIgnored, framesReceived, framesMalformed], [1, 2, 0]);
    }
  });

  it('is not assumed in audio whose version byte is an opening brace', async () => {
    const frames = { ramp: true, samples: 240, version: 0x7b } as const;
    const speaker = stage.speaker([speaking(frames)]).attach();
    speaker.say('Hello.');
    await speaker.finish();
    assert.equal(speaker.listener.heard(1).length, 240);
    assert.equal(speaker.counters().framesMalformed, 1);
  });
});

describe('a socket that was kept open and is dead', () => {
  const stage = setStage();

  /** Speaks once on a socket that then answers nothing more. */
  async function kept(scripts: readonly (readonly GatewayStep[])[], canRenew = true): Promise<Speaker> {
    const speaker = stage.speaker([[{ wait: 'end' }, audio, { done: true }], ...scripts]).attach();
    speaker.canRenew = canRenew;
    speaker.worker.handle({ type: 'keep-open', keepOpen: true });
    speaker.say('One.');
    await speaker.finish();
    speaker.clock.advance(300_000);
    return speaker;
  }

  it('is closed after 10 s, and the text is spoken on a fresh session', async () => {
    const speaker = await kept([good]);
    speaker.say('Two.');
    speaker.clock.advance(9999);
    assert.equal(speaker.requests.length, 1);
    speaker.clock.advance(1 + 250);
    await speaker.finish(2);
    assert.deepEqual(
      speaker.requests.map(({ reason }) => reason),
      ['speak', 'retry'],
    );
    assert.deepEqual(speaker.of('failed'), []);
    assert.equal(speaker.of('received')[1]!.samples, 240);
  });

  it('is one error that is worth another attempt if there is no other session', async () => {
    const speaker = await kept([], false);
    speaker.say('Two.');
    speaker.clock.advance(10_000);
    const { reason, retryable, message } = await speaker.failed();
    assert.deepEqual([reason, retryable], ['socket-closed', true]);
    assert.match(message, /sent nothing for 10 s/);
    assert.equal((await speaker.next('socket-close')).code, 1000);
  });

  it('is replaced once: a fresh session that is silent has 60 s', async () => {
    const speaker = await kept([[]]);
    speaker.say('Two.');
    speaker.clock.advance(10_250);
    await speaker.next('socket-open', 2);
    speaker.clock.advance(59_999);
    assert.deepEqual(speaker.of('failed'), []);
    speaker.clock.advance(1);
    assert.deepEqual((await speaker.failed()).serials, [2]);
    assert.equal(speaker.requests.length, 2);
  });

  it('is found while a text is still being written', async () => {
    const speaker = await kept([good]);
    speaker.worker.handle({ type: 'enqueue', serial: 2, contextId: 'c2', texts: ['Two.'], more: true });
    speaker.clock.advance(6000);
    speaker.worker.handle({ type: 'text', serial: 2, text: 'Three.' });
    speaker.clock.advance(4250);
    await until(() => speaker.requests.length === 2, 'another session');
    speaker.worker.handle({ type: 'text', serial: 2, text: null });
    await speaker.finish(2);
    assert.equal(speaker.of('received')[1]!.samples, 240);
  });

  it('has 60 s again after any answer', async () => {
    const speaker = stage
      .speaker([[{ wait: 'end' }, audio, { done: true }, { wait: 'end' }, { text: 'working' }]])
      .attach();
    speaker.worker.handle({ type: 'keep-open', keepOpen: true });
    speaker.say('One.');
    await speaker.finish();
    const before = speaker.messages;
    speaker.say('Two.');
    await speaker.came(before + 1);
    speaker.clock.advance(59_999);
    assert.deepEqual(speaker.of('failed'), []);
    speaker.clock.advance(1);
    assert.equal((await speaker.failed()).retryable, 'unknown');
  });
});
