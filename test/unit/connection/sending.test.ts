import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { pcmOf, speaking, type FramesSpec } from '../../../src/testing/script.js';
import { until } from './speaker.js';
import { messagesFor, setStage } from './stage.js';

const SECOND = 24000;

describe('a session that speaks', () => {
  const stage = setStage();

  it('requests a session, sends the text and its end, and closes with 1000', async () => {
    const speaker = stage.speaker([speaking({ ramp: true, samples: 100 })]).attach();
    speaker.say('Hello.');
    assert.deepEqual(speaker.requests, [{ reason: 'speak', serial: 1 }]);
    await speaker.finish();
    const close = await speaker.next('socket-close');
    assert.equal(close.code, 1000);
    const [connection] = stage.connections();
    assert.deepEqual(
      connection!.messages.map(({ message }) => message),
      [
        { type: 'synthesize', context_id: 'c1', text: 'Hello.', segment_mode: 'auto' },
        { type: 'end', context_id: 'c1' },
      ],
    );
    assert.equal(connection!.closed?.code, 1000);
  });

  it('reports in the order in which things happen', async () => {
    const speaker = stage.speaker([speaking({ ramp: true, samples: 100 })]).attach();
    speaker.say('Hello.');
    await speaker.finish();
    await speaker.next('socket-close');
    const types = speaker.reports.map((report) => report.type);
    assert.deepEqual(
      types.filter((type) => type !== 'counters'),
      ['connection-needed', 'socket-open', 'first-audio', 'context-done', 'received', 'socket-close'],
    );
    assert.equal(types.at(-2), 'counters');
  });

  it('reports when the first audio arrived, and the number of samples', async () => {
    const speaker = stage.speaker([speaking({ ramp: true, samples: 1234 })]).attach();
    speaker.say('Hello.');
    await speaker.finish();
    assert.deepEqual(await speaker.next('received'), { type: 'received', serial: 1, samples: 1234 });
    const { atMs, serial } = await speaker.next('first-audio');
    assert.equal(serial, 1);
    assert.ok(atMs <= speaker.clock.now() && atMs > speaker.clock.now() - 1000);
  });

  const cuts: (FramesSpec & { what: string })[] = [
    { what: 'one byte', bytesPerFrame: 1, samples: 300 },
    { what: '3 bytes', bytesPerFrame: 3, samples: 3001 },
    { what: '959 bytes', bytesPerFrame: 959, samples: SECOND },
    { what: '1920 bytes', bytesPerFrame: 1920, samples: SECOND },
    { what: '1 MB', bytesPerFrame: 2 ** 20, samples: 2 ** 20 },
    { what: '1 MB and one byte', bytesPerFrame: 2 ** 20 + 1, samples: 2 ** 20 },
    { what: '7 bytes between header-only frames', bytesPerFrame: 7, samples: 3000, headerOnlyEvery: 2 },
  ];
  for (const { what, ...cut } of cuts) {
    it(`delivers every sample of frames of ${what}`, async () => {
      const frames: FramesSpec = { noise: 5, ...cut };
      const speaker = stage.speaker([speaking(frames)], { capacity: 2 ** 21 }).attach();
      speaker.say('Hello.');
      await speaker.finish();
      assert.deepEqual(speaker.listener.heard(1), pcmOf(frames));
      assert.deepEqual(speaker.listener.marks, [
        { kind: 'start', serial: 1, at: 0 },
        { kind: 'end', serial: 1, at: frames.samples },
      ]);
    });
  }

  it('skips frames that hold no audio and counts them', async () => {
    const script = [
      { wait: 'end' },
      { bytes: [] },
      { bytes: [1] },
      { bytes: Array(12).fill(1) },
      { done: true },
    ] as const;
    const speaker = stage.speaker([script]).attach();
    speaker.say('…');
    await speaker.finish();
    assert.deepEqual(await speaker.next('received'), { type: 'received', serial: 1, samples: 0 });
    assert.deepEqual(speaker.listener.marks, []);
    const { framesReceived, bytesReceived, framesMalformed } = speaker.counters();
    assert.deepEqual(
      { framesReceived, bytesReceived, framesMalformed },
      { framesReceived: 3, bytesReceived: 13, framesMalformed: 0 },
    );
  });

  it('ends an utterance with the silence that the page wants', async () => {
    const speaker = stage.speaker([speaking({ ramp: true, samples: 96 })]).attach();
    speaker.worker.handle({ type: 'enqueue', serial: 1, contextId: 'c1', texts: ['Hello.'], more: false, pause: 0.01 });
    await speaker.finish();
    assert.deepEqual(await speaker.next('received'), { type: 'received', serial: 1, samples: 96 + 240 });
    await speaker.listenFor(336);
    assert.ok(
      speaker.listener
        .heard(1)
        .subarray(96)
        .every((sample) => sample === 0),
    );
    assert.deepEqual(speaker.listener.marks.at(-1), { kind: 'end', serial: 1, at: 336 });
  });

  it('fails a text with words for which the service sends no audio (livekit/agents 4171, pipecat 5601)', async () => {
    const script = [{ wait: 'end' }, { done: true }, ...speaking({ ramp: true, samples: 96 })] as const;
    const speaker = stage.speaker([script]).attach();
    speaker.worker.handle({ type: 'keep-open', keepOpen: true });
    speaker.say('Hello.');
    await speaker.finish();
    const { reason, message, serials } = await speaker.failed();
    assert.deepEqual({ reason, serials }, { reason: 'service-error', serials: [1] });
    assert.match(message, /sent no audio/);
    assert.deepEqual(speaker.of('received'), []);
    // The socket is as good as before.
    speaker.say('Again.');
    await speaker.finish(2);
    assert.deepEqual(await speaker.next('received'), { type: 'received', serial: 2, samples: 96 });
    assert.equal(stage.connections().length, 1);
  });

  it('plays and counts frames of an unknown version', async () => {
    const speaker = stage.speaker([speaking({ ramp: true, samples: 96, bytesPerFrame: 64, version: 9 })]).attach();
    speaker.say('Hello.');
    await speaker.finish();
    assert.equal(speaker.listener.heard(1).length, 96);
    const { framesMalformed, protocolVersion } = speaker.counters();
    assert.deepEqual({ framesMalformed, protocolVersion }, { framesMalformed: 3, protocolVersion: 9 });
  });

  for (const byteOrder of ['big', 'little'] as const) {
    it(`detects that headers are ${byteOrder}-endian and counts gaps in their sequence`, async () => {
      const frames = { ramp: true, samples: 480, bytesPerFrame: 96, skipSequenceEvery: 4, byteOrder } as const;
      const speaker = stage.speaker([speaking(frames)]).attach();
      speaker.say('Hello.');
      await speaker.finish();
      const counters = speaker.counters();
      assert.equal(counters.byteOrder, byteOrder);
      assert.equal(counters.sequenceGaps, 2); // ten frames
    });
  }

  it('counts no gap between the sequences of two sockets', async () => {
    const frames = { ramp: true, samples: 480, bytesPerFrame: 96 } as const;
    const speaker = stage.speaker([speaking(frames), speaking({ ...frames, sequence: 1000 })]).attach();
    speaker.say('One.');
    await speaker.finish();
    speaker.say('Two.');
    await speaker.finish(2);
    assert.equal(stage.connections().length, 2);
    assert.equal(speaker.counters().sequenceGaps, 0);
  });

  it('ignores and counts text that is not JSON and messages of unknown types', async () => {
    const script = [
      { wait: 'end' },
      { text: 'hello' },
      { json: { type: 'metrics', load: 1 } },
      { json: [1] },
      { frames: { ramp: true, samples: 10 } },
      { done: true },
    ] as const;
    const speaker = stage.speaker([script]).attach();
    speaker.say('Hello.');
    await speaker.finish();
    assert.deepEqual(await speaker.next('received'), { type: 'received', serial: 1, samples: 10 });
    assert.equal(speaker.counters().messagesIgnored, 3);
    assert.deepEqual(speaker.of('failed'), []);
  });

  it('reports counters with the first audio, and then at most every 100 ms', async () => {
    const speaker = stage.speaker([speaking({ ramp: true, samples: 1000, bytesPerFrame: 2 })]).attach();
    speaker.say('Hello.');
    await speaker.came(1001);
    assert.deepEqual(
      speaker.of('counters').map(({ counters }) => counters.framesReceived),
      [1],
    );
    speaker.clock.advance(100);
    assert.equal(speaker.of('counters').length, 2);
    assert.equal(speaker.counters().framesReceived, 1000);
  });

  it('sends the next text on the same socket when the one before is done', async () => {
    const step = [{ wait: 'end' }, { frames: { tone: 440, samples: 480 } }, { done: true }] as const;
    const speaker = stage.speaker([[...step, ...step, ...step]]).attach();
    speaker.say('One.', 'Two.');
    await speaker.next('context-done');
    speaker.say('Three.');
    assert.equal(stage.connections()[0]!.messages.length, 2);
    speaker.clock.advance(25);
    await speaker.finish(2);
    await speaker.finish(3);
    await speaker.next('socket-close');
    assert.equal(stage.connections().length, 1);
    assert.deepEqual(
      stage.connections()[0]!.messages.map(({ message }) => (message as { context_id: string }).context_id),
      ['c1', 'c1', 'c2', 'c2', 'c3', 'c3'],
    );
    assert.deepEqual(
      speaker.listener.marks.map(({ kind, serial, at }) => `${kind} ${serial} ${at}`),
      ['start 1 0', 'end 1 480', 'start 2 480', 'end 2 960', 'start 3 960', 'end 3 1440'],
    );
  });

  it('keeps its samples until a ring is attached', async () => {
    const frames = { noise: 3, samples: 5000 };
    const speaker = stage.speaker([speaking(frames)]);
    speaker.say('Hello.');
    await speaker.finish();
    assert.equal(speaker.counters().spilledSamples, 5000);
    speaker.attach();
    assert.equal(speaker.counters().spilledSamples, 0, 'told at once of what the ring took');
    await speaker.listenFor(5000);
    assert.deepEqual(speaker.listener.heard(1), pcmOf(frames));
    assert.equal(speaker.counters().spilledSamples, 0);
  });

  describe('context_done', () => {
    const first = { ramp: true, samples: 400 } as const;
    const second = { ...first, from: 400 } as const;

    it('may come before the last frames', async () => {
      const script = [{ wait: 'end' }, { frames: first }, { done: true }, { frames: second }] as const;
      const speaker = stage.speaker([script]).attach();
      speaker.say('Hello.');
      await speaker.came(3);
      assert.deepEqual(speaker.of('received'), []);
      speaker.clock.advance(25);
      assert.deepEqual(await speaker.next('received'), { type: 'received', serial: 1, samples: 800 });
    });

    it('takes effect 25 ms after the last late frame', async () => {
      const script = [{ wait: 'end' }, { frames: first }, { done: true }, { wait: 'synthesize' }] as const;
      const step = [{ wait: 'end' }, { frames: second }] as const;
      const speaker = stage.speaker([[...script, ...step]]).attach();
      speaker.say('Hello.');
      await speaker.next('context-done');
      speaker.clock.advance(24);
      // A frame that arrives now restarts the wait.
      speaker.sockets[0]!.send(JSON.stringify({ type: 'synthesize', context_id: 'x' }));
      speaker.sockets[0]!.send(JSON.stringify({ type: 'end', context_id: 'x' }));
      await speaker.came(3);
      speaker.clock.advance(24);
      assert.deepEqual(speaker.of('received'), []);
      speaker.clock.advance(1);
      assert.deepEqual(speaker.of('received'), [{ type: 'received', serial: 1, samples: 800 }]);
    });

    it('may come before any frame', async () => {
      const script = [{ wait: 'end' }, { done: true }, { frames: first }] as const;
      const speaker = stage.speaker([script]).attach();
      speaker.say('Hello.');
      await speaker.came(2);
      speaker.clock.advance(25);
      assert.deepEqual(speaker.of('received'), [{ type: 'received', serial: 1, samples: 400 }]);
    });

    it('without an id means the oldest context, and is reported with its id', async () => {
      const script = [{ wait: 'end' }, { frames: first }, { done: null }] as const;
      const speaker = stage.speaker([script]).attach();
      speaker.say('Hello.');
      await speaker.finish();
      assert.equal((await speaker.next('context-done')).contextId, 'c1');
      assert.equal((await speaker.next('received')).samples, 400);
    });

    it('with a foreign id is reported and counted, and settles nothing', async () => {
      const script = [{ wait: 'end' }, { done: 'other' }, { wait: 'end' }, { frames: first }, { done: 'c1' }] as const;
      const speaker = stage.speaker([script]).attach();
      speaker.say('Hello.');
      assert.equal((await speaker.next('context-done')).contextId, 'other');
      speaker.clock.advance(1000);
      speaker.sockets[0]!.send(JSON.stringify({ type: 'end', context_id: 'x' }));
      assert.deepEqual(speaker.of('received'), []);
      await speaker.finish(2);
      assert.equal((await speaker.next('received')).samples, 400);
      assert.equal(speaker.counters().messagesIgnored, 1);
    });
  });

  describe('the messages of a session', () => {
    it('are sent at once, with one waiting utterance for each of their contexts', async () => {
      const script = [
        { wait: 'end' },
        { wait: 'end' },
        { frames: { ramp: true, samples: 100 } },
        { done: 'm1' },
        { frames: { ramp: true, samples: 50 } },
        { done: 'm2' },
      ] as const;
      const speaker = stage.speaker([], { session: () => stage.session(script, messagesFor('One.', 'Two.')) }).attach();
      speaker.say(null, null);
      await speaker.finish(2);
      assert.deepEqual(speaker.of('received'), [
        { type: 'received', serial: 1, samples: 100 },
        { type: 'received', serial: 2, samples: 50 },
      ]);
      await speaker.next('socket-close');
      assert.equal(stage.connections().length, 1);
      assert.deepEqual(
        stage.connections()[0]!.messages.map(({ message }) => message),
        messagesFor('One.', 'Two.'),
      );
    });

    it('belong to the last waiting utterance if they have more contexts than utterances wait', async () => {
      const one = { frames: { ramp: true, samples: 100 } } as const;
      const script = [{ wait: 'end' }, { wait: 'end' }, one, { done: 'm1' }, one, { done: 'm2' }] as const;
      const speaker = stage.speaker([], { session: () => stage.session(script, messagesFor('One.', 'Two.')) }).attach();
      speaker.say(null);
      await speaker.finish(2);
      assert.deepEqual(speaker.of('received'), [{ type: 'received', serial: 1, samples: 200 }]);
    });

    it('are spoken before a text that follows, as separate utterances', async () => {
      const step = [{ wait: 'end' }, { frames: { ramp: true, samples: 100 } }, { done: true }] as const;
      const speaker = stage
        .speaker([], { session: () => stage.session([...step, ...step], messagesFor('One.')) })
        .attach();
      speaker.say(null, 'Two.');
      await speaker.finish();
      await speaker.finish(2);
      assert.deepEqual(speaker.of('received'), [
        { type: 'received', serial: 1, samples: 100 },
        { type: 'received', serial: 2, samples: 100 },
      ]);
    });

    it('are spoken as part of the text if no utterance waits for them', async () => {
      const one = { frames: { ramp: true, samples: 100 } } as const;
      const script = [{ wait: 'end' }, one, { done: true }, { wait: 'end' }, one, { done: true }] as const;
      const speaker = stage.speaker([], { session: () => stage.session(script, messagesFor('One.')) }).attach();
      speaker.say('Two.');
      await speaker.finish(2);
      assert.deepEqual(speaker.of('received'), [{ type: 'received', serial: 1, samples: 200 }]);
    });

    for (const done of ['anything', null]) {
      it(`may be missing: then the service speaks unasked, until context_done with ${done ?? 'no'} id`, async () => {
        const script = [{ frames: { ramp: true, samples: 100 } }, { done }] as const;
        const speaker = stage.speaker([script]).attach();
        speaker.say(null);
        await speaker.finish();
        assert.deepEqual(speaker.of('received'), [{ type: 'received', serial: 1, samples: 100 }]);
        assert.equal((await speaker.next('context-done')).contextId, done ?? 'c1');
        assert.equal((await speaker.next('socket-close')).code, 1000);
        assert.equal(speaker.counters().messagesIgnored, 0);
      });
    }

    it('need a new session each time', async () => {
      const script = [{ wait: 'end' }, { frames: { ramp: true, samples: 100 } }, { done: true }] as const;
      const speaker = stage.speaker([], { session: () => stage.session(script, messagesFor('One.')) }).attach();
      speaker.say(null);
      speaker.worker.handle({ type: 'keep-open', keepOpen: true });
      await speaker.finish();
      speaker.say(null);
      await speaker.finish(2);
      assert.equal(stage.connections().length, 2);
      assert.equal(speaker.of('received').length, 2);
    });
  });

  it('drops unrequested audio and counts its frames', async () => {
    const script = [
      { wait: 'end' },
      { done: true },
      { wait: 'end' },
      { frames: { ramp: true, samples: 480, bytesPerFrame: 96 } },
    ] as const;
    const speaker = stage.speaker([script]).attach();
    speaker.worker.handle({ type: 'keep-open', keepOpen: true });
    speaker.say('Hello.');
    await speaker.finish();
    speaker.sockets[0]!.send(JSON.stringify({ type: 'end', context_id: 'x' }));
    await speaker.came(11);
    assert.equal(speaker.counters().framesMalformed, 10);
    assert.deepEqual(speaker.listener.marks, []);
  });

  it('does nothing while nothing is queued', async () => {
    const speaker = stage.speaker([speaking({ samples: 1 })]).attach();
    speaker.worker.handle({ type: 'keep-open', keepOpen: true });
    speaker.canRenew = true;
    speaker.worker.handle({ type: 'cancel', serials: [1] });
    speaker.clock.advance(1000);
    await until(() => speaker.of('counters').length > 0, 'counters');
    assert.deepEqual(
      speaker.reports.map((report) => report.type),
      ['counters'],
    );
  });
});
