import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SVCTTS_V1 } from '../../../src/protocol/speech-dialect.js';
import { speaking, type GatewayStep } from '../../../src/testing/script.js';
import { until, type Speaker } from './speaker.js';
import { messagesFor, setStage } from './stage.js';

const audio = { frames: { ramp: true, samples: 240 } } as const;
const good = speaking(audio.frames);
/** Sends audio after the first `end`, and more audio after `poke`. */
const late: readonly GatewayStep[] = [{ wait: 'end' }, audio, { wait: 'end' }, audio, { done: 'c1' }, ...good];

async function sayAll(speaker: Speaker): Promise<void> {
  await speaker.finish();
  await speaker.finish(2);
  await speaker.next('socket-close');
}

function cancel(speaker: Speaker, ...serials: number[]): void {
  speaker.worker.handle({ type: 'cancel', serials });
}

/** Sends an `end`, for which a script waits. */
function poke(speaker: Speaker): void {
  speaker.sockets[0]!.send(JSON.stringify({ type: 'end', context_id: 'poke' }));
}

describe('cancelling', () => {
  const stage = setStage();

  it('before there is a session withdraws the request, and a late answer is not used', async () => {
    const speaker = stage.speaker([good]);
    speaker.say('Hello.');
    cancel(speaker, 1);
    await speaker.close();
    assert.equal(stage.gateway.sockets(), 0);
    assert.deepEqual(speaker.sockets, []);
  });

  it('before there is a session uses the request for the next utterance', async () => {
    const speaker = stage.speaker([good]).attach();
    speaker.say('One.', 'Two.');
    cancel(speaker, 1);
    assert.deepEqual(
      speaker.of('connection-needed').map(({ serial }) => serial),
      [1, 2],
    );
    await speaker.finish();
    assert.deepEqual(speaker.of('received'), [{ type: 'received', serial: 2, samples: 240 }]);
    assert.deepEqual([speaker.requests.length, speaker.sockets.length], [1, 1]);
  });

  it('while the socket connects closes it', async () => {
    const speaker = stage.speaker([good]).attach();
    speaker.say('Hello.');
    await until(() => speaker.sockets.length === 1, 'a socket');
    cancel(speaker, 1);
    await speaker.close();
    assert.deepEqual(speaker.of('socket-open'), []);
    assert.deepEqual(speaker.of('socket-close'), []);
  });

  it('while the socket connects leaves it to the next utterance', async () => {
    const speaker = stage.speaker([good]).attach();
    speaker.say('One.', 'Two.');
    await until(() => speaker.sockets.length === 1, 'a socket');
    cancel(speaker, 1);
    await speaker.finish();
    assert.deepEqual(speaker.of('received'), [{ type: 'received', serial: 2, samples: 240 }]);
    assert.equal(speaker.sockets.length, 1);
  });

  it('while the socket connects never speaks the messages of the cancelled session', async () => {
    const speaker = stage
      .speaker([], { session: (attempt) => stage.session(good, attempt === 0 ? messagesFor('One.') : []) })
      .attach();
    speaker.say(null, 'Two.');
    await until(() => speaker.sockets.length === 1, 'a socket');
    cancel(speaker, 1);
    await speaker.finish();
    const sent = stage.connections().flatMap(({ messages }) => messages.map(({ message }) => message));
    assert.equal(sent.length, 2);
    assert.equal((await speaker.next('received')).serial, 2);
  });

  it('before any audio closes the socket with 1000 and leaves no mark', async () => {
    const speaker = stage.speaker([[{ wait: 'end' }, { wait: 'end' }]]).attach();
    speaker.say('Hello.');
    await speaker.next('socket-open');
    cancel(speaker, 1);
    assert.equal((await speaker.next('socket-close')).code, 1000);
    speaker.listener.take();
    assert.deepEqual(speaker.listener.marks, []);
  });

  it('during audio closes the socket with 1000 at once and ends the utterance where it is', async () => {
    const speaker = stage.speaker([late]).attach();
    speaker.say('Hello.');
    await speaker.came(1);
    cancel(speaker, 1);
    const marks = [
      { kind: 'start', serial: 1, at: 0 },
      { kind: 'end', serial: 1, at: 240 },
    ] as const;
    speaker.listener.take();
    assert.deepEqual(speaker.listener.marks, marks);
    assert.equal((await speaker.next('socket-close')).code, 1000);
    assert.equal(stage.connections()[0]!.closed?.code, 1000);
    assert.deepEqual([...speaker.of('received'), ...speaker.of('failed')], []);
  });

  it('drops frames that are still on their way', async () => {
    const speaker = stage.speaker([[{ wait: 'end' }, audio, { frames: { noise: 1, seconds: 20 } }]]).attach();
    speaker.say('Hello.');
    await speaker.next('first-audio');
    const before = speaker.counters().samplesReceived;
    cancel(speaker, 1);
    await speaker.next('socket-close');
    assert.equal(speaker.counters().samplesReceived, before);
    assert.equal(speaker.counters().framesMalformed, 0);
  });

  it('never adds frames of the old socket to the next utterance', async () => {
    const flood = [{ wait: 'end' }, audio, { frames: { noise: 1, seconds: 40 } }] as const;
    const speaker = stage.speaker([flood, good], { capacity: 2 ** 21 }).attach();
    speaker.say('One.', 'Two.');
    await speaker.next('first-audio');
    cancel(speaker, 1);
    await speaker.finish();
    await speaker.next('socket-close', 2);
    assert.deepEqual(speaker.of('received'), [{ type: 'received', serial: 2, samples: 240 }]);
  });

  it('after context_done, while late frames may come, closes the socket at once', async () => {
    const speaker = stage.speaker([[{ wait: 'end' }, audio, { done: true }, { wait: 'end' }]]).attach();
    speaker.say('Hello.');
    await speaker.next('context-done');
    cancel(speaker, 1);
    assert.equal((await speaker.next('socket-close')).code, 1000);
    assert.deepEqual(speaker.of('received'), []);
  });

  it('a complete utterance drops the samples that wait for room', async () => {
    const frames = { ramp: true, samples: 5000 } as const;
    const speaker = stage.speaker([speaking(frames)], { capacity: 1024 }).attach();
    speaker.say('Hello.');
    await speaker.next('context-done');
    speaker.clock.advance(25);
    assert.equal(speaker.counters().spilledSamples, 5000 - 1024);
    cancel(speaker, 1);
    assert.equal(speaker.counters().spilledSamples, 0);
    await speaker.listenFor(1024);
    assert.deepEqual(speaker.listener.marks, [
      { kind: 'start', serial: 1, at: 0 },
      { kind: 'end', serial: 1, at: 1024 },
    ]);
  });

  it('the spoken utterance continues with the next one on a fresh socket', async () => {
    const speaker = stage.speaker([late, good]).attach();
    speaker.say('One.', 'Two.');
    await speaker.next('first-audio');
    cancel(speaker, 1);
    await speaker.finish();
    assert.equal(stage.connections().length, 2);
    assert.equal(stage.connections()[0]!.closed?.code, 1000);
    assert.deepEqual(speaker.of('received'), [{ type: 'received', serial: 2, samples: 240 }]);
    assert.deepEqual(
      speaker.requests.map(({ serial }) => serial),
      [1, 2],
    );
  });

  it('a queued utterance does not affect the one that is being spoken', async () => {
    const speaker = stage.speaker([good]).attach();
    speaker.say('One.', 'Two.', 'Three.');
    await speaker.next('socket-open');
    cancel(speaker, 2);
    await speaker.finish();
    await speaker.finish(2);
    assert.deepEqual(
      speaker.of('received').map(({ serial }) => serial),
      [1, 3],
    );
  });

  it('one of several contexts that were sent keeps the socket and the place of the others', async () => {
    const script = [
      { wait: 'end' },
      { wait: 'end' },
      { wait: 'end' },
      audio,
      { done: 'm1' },
      audio,
      { done: 'm2' },
    ] as const;
    const speaker = stage.speaker([], { session: () => stage.session(script, messagesFor('One.', 'Two.')) }).attach();
    speaker.say(null, null);
    await speaker.next('socket-open');
    cancel(speaker, 1);
    poke(speaker);
    await speaker.finish(2);
    assert.deepEqual(speaker.of('received'), [{ type: 'received', serial: 2, samples: 240 }]);
    assert.deepEqual(speaker.listener.marks[0], { kind: 'start', serial: 2, at: 0 });
  });

  it('between two tries ends the wait and continues with the next utterance', async () => {
    const speaker = stage.speaker([[{ refuse: 503 }], good]).attach();
    speaker.canRenew = true;
    speaker.say('One.', 'Two.');
    await speaker.next('socket-close');
    cancel(speaker, 1);
    await speaker.finish();
    assert.deepEqual(
      speaker.requests.map(({ reason, serial }) => `${reason} ${serial}`),
      ['speak 1', 'speak 2'],
    );
    assert.deepEqual(speaker.of('received'), [{ type: 'received', serial: 2, samples: 240 }]);
  });

  it('an utterance twice, or an unknown one, does nothing', async () => {
    const speaker = stage.speaker([good]).attach();
    speaker.say('Hello.');
    await speaker.next('socket-open');
    cancel(speaker, 7);
    await speaker.finish();
    cancel(speaker, 1);
    cancel(speaker, 1);
    speaker.listener.take();
    assert.equal(speaker.listener.marks.length, 2);
    assert.equal(speaker.of('received').length, 1);
  });

  describe('with keep-open', () => {
    it('keeps the socket, drops late frames, and speaks the next when the service is done', async () => {
      const speaker = stage.speaker([late]).attach();
      speaker.worker.handle({ type: 'keep-open', keepOpen: true });
      speaker.say('One.', 'Two.');
      await speaker.next('first-audio');
      cancel(speaker, 1);
      assert.equal(stage.connections()[0]!.messages.length, 2);
      poke(speaker);
      await speaker.finish();
      await speaker.finish(2);
      assert.equal(stage.connections().length, 1);
      assert.deepEqual(speaker.of('received'), [{ type: 'received', serial: 2, samples: 240 }]);
      assert.deepEqual(
        speaker.listener.marks.map(({ kind, serial, at }) => `${kind} ${serial} ${at}`),
        ['start 1 0', 'end 1 240', 'start 2 240', 'end 2 480'],
      );
      assert.equal(stage.gateway.sockets(), 1);
    });

    describe('if the service continues to send a cancelled utterance', () => {
      const onAndOn: readonly GatewayStep[] = [{ wait: 'end' }, audio, { wait: 'end' }, { done: 'c1' }, ...good];
      /** @param heardMs - Time from the first frame to the cancel. */
      const interrupted = async (heardMs = 0): Promise<Speaker> => {
        const speaker = stage.speaker([onAndOn, good]).attach();
        speaker.canRenew = true;
        speaker.worker.handle({ type: 'keep-open', keepOpen: true });
        speaker.say('One.');
        await speaker.next('first-audio');
        speaker.clock.advance(heardMs);
        cancel(speaker, 1);
        return speaker;
      };
      const received = (speaker: Speaker) => speaker.of('received').map(({ serial }) => serial);

      it('speaks the next on a fresh socket after 100 ms, and closes the old one with 1000', async () => {
        const speaker = await interrupted();
        speaker.say('Two.');
        speaker.clock.advance(99);
        assert.equal(speaker.requests.length, 1);
        speaker.clock.advance(1);
        assert.equal((await speaker.next('socket-close')).code, 1000);
        await speaker.finish();
        assert.deepEqual(received(speaker), [2]);
        assert.equal(stage.connections().length, 2);
      });

      it('asks for a connection at once if the next utterance comes later', async () => {
        const speaker = await interrupted();
        speaker.clock.advance(100);
        assert.equal(speaker.sockets[0]!.readyState, speaker.sockets[0]!.OPEN);
        speaker.say('Two.');
        await speaker.finish();
        assert.deepEqual(received(speaker), [2]);
        assert.equal(stage.connections().length, 2);
      });

      it('uses the old socket if it is free before the session arrives', async () => {
        const speaker = await interrupted();
        speaker.say('Two.');
        // From here on, the broker does not answer `connection-busy`.
        speaker.canRenew = false;
        speaker.clock.advance(100);
        assert.deepEqual(speaker.of('connection-busy'), [{ type: 'connection-busy', serial: 2 }]);
        poke(speaker);
        await speaker.finish();
        await speaker.finish(2);
        assert.deepEqual(received(speaker), [2]);
        speaker.worker.handle({ type: 'connect', serial: 2, session: stage.session(good), canRenew: true, lead: null });
        assert.equal(speaker.sockets.length, 1);
      });

      it('asks for a connection if the old one ends', async () => {
        const speaker = await interrupted();
        speaker.say('Two.');
        speaker.canRenew = false;
        speaker.clock.advance(100);
        speaker.sockets[0]!.close();
        await speaker.finish();
        assert.deepEqual(received(speaker), [2]);
        assert.equal(stage.connections().length, 2);
      });

      describe('slower than twice real time', () => {
        /** Received at the first frame: 10 ms of speech. They are slow after more than 5 ms. */
        const SLOW_AFTER_MS = 6;
        const expectSameSocket = async (speaker: Speaker): Promise<void> => {
          speaker.clock.advance(0);
          assert.deepEqual(speaker.of('connection-busy'), []);
          await speaker.finish();
          await speaker.finish(2);
          assert.deepEqual(received(speaker), [2]);
          assert.equal(stage.connections().length, 1);
        };

        it('speaks the next on a fresh socket at once', async () => {
          const speaker = await interrupted(SLOW_AFTER_MS);
          speaker.say('Two.');
          speaker.clock.advance(0);
          assert.deepEqual(speaker.of('connection-busy'), [{ type: 'connection-busy', serial: 2 }]);
          assert.equal((await speaker.next('socket-close')).code, 1000);
          await speaker.finish();
          assert.deepEqual(received(speaker), [2]);
          assert.equal(stage.connections().length, 2);
        });

        it('still waits 100 ms at twice real time', async () => {
          const speaker = await interrupted(SLOW_AFTER_MS - 1);
          speaker.say('Two.');
          speaker.clock.advance(99);
          assert.deepEqual(speaker.of('connection-busy'), []);
        });

        it('still waits 100 ms before the first frame', async () => {
          const speaker = stage.speaker([[]]).attach();
          speaker.worker.handle({ type: 'keep-open', keepOpen: true });
          speaker.say('One.', 'Two.');
          await speaker.next('socket-open');
          speaker.clock.advance(1000);
          cancel(speaker, 1);
          speaker.clock.advance(99);
          assert.deepEqual(speaker.of('connection-busy'), []);
          speaker.clock.advance(1);
          assert.equal(speaker.of('connection-busy').length, 1);
        });

        it('keeps the socket if the service was only waiting for text', async () => {
          const waiting: readonly GatewayStep[] = [
            { wait: 'synthesize' },
            audio,
            { wait: 'end' },
            { done: 'c1' },
            ...good,
          ];
          const speaker = stage.speaker([waiting, good]).attach();
          speaker.canRenew = true;
          speaker.worker.handle({ type: 'keep-open', keepOpen: true });
          speaker.worker.handle({ type: 'enqueue', serial: 1, contextId: 'c1', texts: ['Well.'], more: true });
          await speaker.next('first-audio');
          speaker.clock.advance(1000);
          cancel(speaker, 1);
          speaker.worker.handle({ type: 'enqueue', serial: 2, contextId: 'c2', texts: ['Yes?'], more: false });
          await expectSameSocket(speaker);
        });

        it('keeps the socket if only late frames may come', async () => {
          const finished: readonly GatewayStep[] = [{ wait: 'end' }, audio, { done: 'c1' }, ...good];
          const speaker = stage.speaker([finished, good]).attach();
          speaker.canRenew = true;
          speaker.worker.handle({ type: 'keep-open', keepOpen: true });
          speaker.say('One.');
          await speaker.next('context-done');
          speaker.clock.advance(SLOW_AFTER_MS);
          cancel(speaker, 1);
          speaker.say('Two.');
          await expectSameSocket(speaker);
        });
      });

      it('counts from the latest cancel', async () => {
        const speaker = await interrupted();
        poke(speaker);
        await speaker.finish();
        speaker.clock.advance(100);
        speaker.say('Two.', 'Three.');
        await speaker.next('first-audio', 2);
        cancel(speaker, 2);
        assert.equal(speaker.of('connection-busy').length, 0);
      });
    });

    // dograh-hq/pipecat 57
    it('speaks the next on a fresh socket after 5 s if a cancel is not answered, though the text was not over', async () => {
      const { context: _, ...receive } = SVCTTS_V1.receive;
      const dialect = { ...SVCTTS_V1, receive, send: { ...SVCTTS_V1.send, cancel: [{ type: 'cancel' }] } };
      const silent: readonly GatewayStep[] = [{ wait: 'synthesize' }, audio];
      const speaker = stage.speaker([], {
        session: (attempt) => ({ ...stage.session(attempt === 0 ? silent : good), dialect }),
      });
      speaker.worker.handle({ type: 'keep-open', keepOpen: true });
      speaker.worker.handle({ type: 'enqueue', serial: 1, contextId: 'c1', texts: ['One. '], more: true });
      await speaker.next('first-audio');
      cancel(speaker, 1);
      speaker.worker.handle({ type: 'enqueue', serial: 2, contextId: 'c2', texts: ['Two.'], more: false });
      assert.equal(speaker.requests.length, 1);
      speaker.clock.advance(5000);
      await speaker.finish();
      assert.deepEqual(speaker.of('received'), [{ type: 'received', serial: 2, samples: 240 }]);
    });

    it('closes the socket as soon as keep-open is turned off', async () => {
      const speaker = stage.speaker([late]).attach();
      speaker.worker.handle({ type: 'keep-open', keepOpen: true });
      speaker.say('One.');
      await speaker.next('first-audio');
      cancel(speaker, 1);
      speaker.worker.handle({ type: 'keep-open', keepOpen: false });
      assert.equal((await speaker.next('socket-close')).code, 1000);
    });
  });
});

describe('keep-open', () => {
  const stage = setStage();

  it('keeps the socket for the next utterance', async () => {
    const speaker = stage.speaker([good]).attach();
    speaker.worker.handle({ type: 'keep-open', keepOpen: true });
    speaker.say('One.');
    await speaker.finish();
    speaker.clock.advance(60_000);
    speaker.say('Two.');
    await speaker.finish(2);
    assert.equal(stage.connections().length, 1);
    assert.equal(speaker.requests.length, 1);
  });

  it('closes the idle socket with 1000 when it is turned off', async () => {
    const speaker = stage.speaker([good]).attach();
    speaker.worker.handle({ type: 'keep-open', keepOpen: true });
    speaker.say('One.');
    await speaker.finish();
    speaker.worker.handle({ type: 'keep-open', keepOpen: false });
    assert.equal((await speaker.next('socket-close')).code, 1000);
  });
});

describe('closing a speaker', () => {
  const stage = setStage();

  const moments: { when: string; reach: (speaker: Speaker) => Promise<unknown> | undefined }[] = [
    { when: 'before there is a session', reach: () => undefined },
    { when: 'while the socket connects', reach: (speaker) => until(() => speaker.sockets.length === 1, 'a socket') },
    { when: 'when the socket is open', reach: (speaker) => speaker.next('socket-open') },
    { when: 'during audio', reach: (speaker) => speaker.came(1) },
    { when: 'while late frames may come', reach: (speaker) => speaker.next('context-done') },
    { when: 'when all is said', reach: (speaker) => sayAll(speaker) },
  ];
  for (const transport of ['shared', 'message'] as const) {
    for (const { when, reach } of moments) {
      it(`${when} leaves no socket and no timer (${transport})`, async () => {
        const speaker = stage.speaker([good], { transport, capacity: 64 }).attach();
        speaker.say('Hello.', 'And on.');
        await reach(speaker);
        speaker.worker.handle({ type: 'close' });
        await speaker.next('closed');
        assert.equal(speaker.clock.pending, 0);
        assert.ok(speaker.sockets.every((socket) => socket.readyState === socket.CLOSED));
        await until(() => stage.gateway.sockets() === 0, 'the gateway to see it');
        // A socket that is closed while it connects may have completed its handshake.
        const clean = when === 'while the socket connects' ? [1000, 1006] : [1000];
        for (const { closed } of stage.connections()) assert.ok(clean.includes(closed!.code), String(closed!.code));
      });
    }
  }

  it('between two tries leaves no timer', async () => {
    const speaker = stage.speaker([[{ refuse: 503 }]]).attach();
    speaker.canRenew = true;
    speaker.say('Hello.');
    await speaker.next('socket-close');
    speaker.worker.handle({ type: 'close' });
    speaker.broker.release();
    assert.equal(speaker.clock.pending, 0);
  });

  it('ends its reports', async () => {
    const speaker = stage.speaker([good]).attach();
    speaker.say('Hello.');
    await speaker.next('first-audio');
    await speaker.close();
    speaker.say('More.');
    await speaker.close();
    assert.equal(speaker.of('closed').length, 1);
    assert.equal(speaker.reports.at(-1)!.type, 'closed');
  });
});
