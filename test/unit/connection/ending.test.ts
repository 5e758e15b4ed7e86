import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { speaking, type GatewayStep } from '../../../src/testing/script.js';
import type { Speaker } from './speaker.js';
import { messagesFor, setStage } from './stage.js';

const audio = { frames: { ramp: true, samples: 240 } } as const;
const good = speaking(audio.frames);

/** Waits for the `closes`th socket to close, then lets the delay before the retry pass. */
async function retry(speaker: Speaker, closes: number): Promise<void> {
  await speaker.next('socket-close', closes);
  speaker.clock.advance(1000);
}

describe('a socket that ends', () => {
  const stage = setStage();

  const endings: { code: number; step: GatewayStep }[] = [
    { code: 1006, step: { terminate: true } },
    ...[1011, 1001, 4402, 4500].map((code) => ({ code, step: { close: code, reason: 'because' } })),
  ];
  for (const { code, step } of endings) {
    it(`with ${code} during audio fails the utterance, which keeps its received audio`, async () => {
      const speaker = stage.speaker([[{ wait: 'end' }, audio, step]]).attach();
      speaker.canRenew = true;
      speaker.say('Hello.');
      const failed = await speaker.failed();
      assert.deepEqual(failed.serials, [1]);
      assert.equal(failed.reason, 'socket-closed');
      assert.equal(failed.closeCode, code);
      assert.equal((await speaker.next('socket-close')).code, code);
      await speaker.listenFor(240);
      assert.deepEqual(speaker.listener.marks.at(-1), { kind: 'end', serial: 1, at: 240 });
      assert.deepEqual(speaker.of('received'), []);
    });

    it(`with ${code} before audio is tried again with a fresh session`, async () => {
      const speaker = stage.speaker([[{ wait: 'end' }, step], good]).attach();
      speaker.canRenew = true;
      speaker.say('Hello.');
      await retry(speaker, 1);
      await speaker.finish();
      assert.deepEqual(
        speaker.requests.map(({ reason, serial }) => ({ reason, serial })),
        [
          { reason: 'speak', serial: 1 },
          { reason: 'retry', serial: 1 },
        ],
      );
      assert.deepEqual(speaker.of('failed'), []);
      assert.deepEqual(speaker.of('received'), [{ type: 'received', serial: 1, samples: 240 }]);
    });

    it(`with ${code} after context_done fails nothing`, async () => {
      const speaker = stage.speaker([[{ wait: 'end' }, audio, { done: true }, step]]).attach();
      speaker.say('Hello.');
      assert.equal((await speaker.next('socket-close')).code, code);
      assert.deepEqual(speaker.of('received'), [{ type: 'received', serial: 1, samples: 240 }]);
      assert.deepEqual(speaker.of('failed'), []);
    });

    it(`with ${code} between utterances fails none, and the next one gets its own socket`, async () => {
      const script = [{ wait: 'end' }, audio, { done: true }, { wait: 'end' }, step] as const;
      const speaker = stage.speaker([script, good]).attach();
      speaker.worker.handle({ type: 'keep-open', keepOpen: true });
      speaker.say('One.');
      await speaker.finish();
      speaker.sockets[0]!.send(JSON.stringify({ type: 'end', context_id: 'x' }));
      await speaker.next('socket-close');
      speaker.say('Two.');
      await speaker.finish(2);
      assert.deepEqual(speaker.of('failed'), []);
      assert.equal(speaker.of('received').length, 2);
    });
  }

  it('without a code during audio fails the utterance', async () => {
    const speaker = stage.speaker([[{ wait: 'end' }, audio, { close: 1005 }]]).attach();
    speaker.canRenew = true;
    speaker.say('Hello.');
    const { reason, closeCode } = await speaker.failed();
    assert.deepEqual([reason, closeCode], ['socket-closed', 1005]);
    await speaker.listenFor(240);
    assert.deepEqual(speaker.listener.marks.at(-1), { kind: 'end', serial: 1, at: 240 });
  });

  it('reports the reason that the service gave', async () => {
    const speaker = stage.speaker([[{ wait: 'end' }, audio, { close: 4402, reason: 'no credits left' }]]).attach();
    speaker.say('Hello.');
    const { message, retryable } = await speaker.failed();
    assert.match(message, /no credits left/);
    assert.equal(retryable, 'unknown');
    assert.equal((await speaker.next('socket-close')).reason, 'no credits left');
  });

  describe('with 1000', () => {
    it('after some audio completes the utterance', async () => {
      const speaker = stage.speaker([[{ wait: 'end' }, audio, { close: 1000 }]]).attach();
      speaker.say('Hello.');
      await speaker.next('socket-close');
      assert.deepEqual(speaker.of('received'), [{ type: 'received', serial: 1, samples: 240 }]);
      assert.deepEqual(speaker.of('failed'), []);
    });

    it('before any audio fails the utterance', async () => {
      const speaker = stage.speaker([[{ wait: 'end' }, { close: 1000 }]]).attach();
      speaker.say('Hello.');
      const { reason, closeCode, serials } = await speaker.failed();
      assert.deepEqual({ reason, closeCode, serials }, { reason: 'socket-closed', closeCode: 1000, serials: [1] });
    });

    it('before any audio is retried where that is allowed', async () => {
      const speaker = stage.speaker([[{ wait: 'end' }, { close: 1000 }], good]).attach();
      speaker.canRenew = true;
      speaker.say('Hello.');
      await retry(speaker, 1);
      await speaker.finish();
      assert.equal((await speaker.next('received')).samples, 240);
    });

    it('settles utterances with audio and fails the others', async () => {
      const script = [{ wait: 'end' }, { wait: 'end' }, audio, { close: 1000 }] as const;
      const speaker = stage.speaker([], { session: () => stage.session(script, messagesFor('One.', 'Two.')) }).attach();
      speaker.canRenew = true;
      speaker.say(null, null);
      assert.deepEqual((await speaker.failed()).serials, [2]);
      assert.deepEqual(speaker.of('received'), [{ type: 'received', serial: 1, samples: 240 }]);
    });
  });

  describe('before it has opened', () => {
    it('fails the utterance that waits for it', async () => {
      const speaker = stage.speaker([[{ refuse: 401 }]]).attach();
      speaker.say('Hello.');
      const { reason, serials, retryable, closeCode, message } = await speaker.failed();
      assert.deepEqual(
        { reason, serials, retryable, closeCode },
        { reason: 'socket-failed', serials: [1], retryable: true, closeCode: 1006 },
      );
      assert.match(message, /connect-src/);
      assert.deepEqual(speaker.of('socket-open'), []);
      assert.equal((await speaker.next('socket-close')).openMs, 0);
    });

    it('fails the utterance if the URL cannot be opened at all', async () => {
      const speaker = stage.speaker([], { session: () => ({ url: 'nonsense', sampleRate: 24000, messages: [] }) });
      speaker.canRenew = true;
      speaker.say('Hello.');
      const { reason, retryable } = await speaker.failed();
      assert.deepEqual({ reason, retryable }, { reason: 'socket-failed', retryable: false });
    });

    it('is retried as often as allowed, with growing delays, then fails', async () => {
      const speaker = stage.speaker([[{ refuse: 503 }]]).attach();
      speaker.canRenew = true;
      speaker.say('Hello.');
      for (const [index, wait] of [250, 500, 1000].entries()) {
        await speaker.next('socket-close', index + 1);
        speaker.clock.advance(wait - 1);
        assert.equal(speaker.requests.length, index + 1);
        speaker.clock.advance(1);
        assert.equal(speaker.requests.length, index + 2);
      }
      const failed = await speaker.failed();
      assert.deepEqual(failed.serials, [1]);
      assert.equal(speaker.of('failed').length, 1);
      assert.equal(speaker.of('socket-close').length, 4);
    });

    it('gives the next utterance its own tries', async () => {
      const refused = [{ refuse: 503 }] as const;
      const speaker = stage.speaker([refused, refused, refused, refused, refused, good]).attach();
      speaker.canRenew = true;
      speaker.say('One.', 'Two.');
      for (const closes of [1, 2, 3, 4, 5]) await retry(speaker, closes);
      await speaker.finish();
      assert.deepEqual(
        speaker.of('failed').map(({ serials }) => serials),
        [[1]],
      );
      assert.deepEqual(speaker.of('received'), [{ type: 'received', serial: 2, samples: 240 }]);
    });
  });

  it('never retries an utterance that was partly received', async () => {
    for (const samples of [1, 240]) {
      const script = [{ wait: 'end' }, { frames: { ramp: true, samples } }, { terminate: true }] as const;
      const speaker = stage.speaker([script, good]).attach();
      speaker.canRenew = true;
      speaker.say('Hello.');
      await speaker.next('socket-close');
      speaker.clock.advance(10_000);
      assert.equal(speaker.requests.length, 1);
    }
  });

  it('retries an utterance of which no whole sample was received', async () => {
    const script = [{ wait: 'end' }, { bytes: Array(13).fill(7) }, { terminate: true }] as const;
    const speaker = stage.speaker([script, good]).attach();
    speaker.canRenew = true;
    speaker.say('Hello.');
    await retry(speaker, 1);
    await speaker.finish();
    // The odd byte of the first try was dropped.
    assert.deepEqual([...speaker.listener.heard(1).subarray(0, 3)], [0, 1, 2]);
  });

  it('fails the utterances that were sent on it, and speaks the others in a new session', async () => {
    const speaker = stage.speaker([[{ wait: 'end' }, audio, { terminate: true }], good]).attach();
    speaker.say('One.', 'Two.');
    await speaker.finish();
    assert.deepEqual((await speaker.failed()).serials, [1]);
    assert.deepEqual(
      speaker.requests.map(({ reason, serial }) => `${reason} ${serial}`),
      ['speak 1', 'speak 2'],
    );
    assert.equal((await speaker.next('received')).serial, 2);
  });

  it('reports how long it was open', async () => {
    const speaker = stage.speaker([good]).attach();
    speaker.say('Hello.');
    await speaker.next('context-done');
    speaker.clock.advance(25);
    assert.equal((await speaker.next('socket-close')).openMs, 25);
    assert.equal(speaker.of('counters').at(-1)!.counters.socketOpenMs, 25);
  });
});

describe('an error of the service', () => {
  const stage = setStage();

  it('fails the utterances that were sent, with its message, and keeps the received audio', async () => {
    const speaker = stage.speaker([[{ wait: 'end' }, audio, { error: 'engine on fire' }]]).attach();
    speaker.canRenew = true;
    speaker.say('Hello.');
    const { reason, message, serials, retryable } = await speaker.failed();
    assert.deepEqual({ reason, serials, retryable }, { reason: 'service-error', serials: [1], retryable: 'unknown' });
    assert.match(message, /engine on fire/);
    await speaker.listenFor(240);
    assert.deepEqual(speaker.listener.marks.at(-1), { kind: 'end', serial: 1, at: 240 });
    assert.equal((await speaker.next('socket-close')).code, 1000);
    assert.equal(speaker.requests.length, 1);
  });

  it('leaves the utterances that were not sent to the same socket', async () => {
    const speaker = stage.speaker([[{ wait: 'end' }, { error: 'not this one' }, ...good]]).attach();
    speaker.say('One.', 'Two.');
    await speaker.finish();
    assert.deepEqual((await speaker.failed()).serials, [1]);
    assert.equal((await speaker.next('received')).serial, 2);
    assert.equal(stage.connections().length, 1);
  });

  it('followed by a close reports both', async () => {
    const speaker = stage.speaker([[{ wait: 'end' }, { error: 'no credits' }, { close: 4402 }]]).attach();
    speaker.worker.handle({ type: 'keep-open', keepOpen: true });
    speaker.say('Hello.');
    assert.equal((await speaker.next('socket-close')).code, 4402);
    assert.deepEqual(
      speaker.of('failed').map(({ error }) => error.reason),
      ['service-error'],
    );
  });

  it('fails only the contexts that are not done, in any order', async () => {
    const script = [{ wait: 'end' }, { wait: 'end' }, { done: 'm2' }, { error: 'no' }] as const;
    const speaker = stage.speaker([], { session: () => stage.session(script, messagesFor('One.', 'Two.')) }).attach();
    speaker.say(null, null);
    assert.deepEqual((await speaker.failed()).serials, [1]);
    assert.deepEqual(speaker.of('received'), [{ type: 'received', serial: 2, samples: 0 }]);
  });

  it('about a context that is over does not affect the one that is being spoken', async () => {
    const late = { json: { type: 'error', message: 'Context not found', context_id: 'c1' } } as const;
    const script = [{ wait: 'end' }, audio, { done: true }, { wait: 'end' }, late, audio, { done: true }] as const;
    const speaker = stage.speaker([script]).attach();
    speaker.worker.handle({ type: 'keep-open', keepOpen: true });
    speaker.say('One.');
    await speaker.finish();
    speaker.say('Two.');
    await speaker.finish(2);
    assert.deepEqual(speaker.of('failed'), []);
    assert.deepEqual(
      speaker.of('received').map(({ samples }) => samples),
      [240, 240],
    );
    assert.equal(speaker.counters().messagesIgnored, 1);
  });

  it('does not affect a context that is done', async () => {
    const speaker = stage.speaker([[{ wait: 'end' }, audio, { done: true }, { error: 'too late' }]]).attach();
    speaker.say('Hello.');
    await speaker.came(3);
    speaker.clock.advance(25);
    assert.deepEqual(speaker.of('failed'), []);
    assert.equal((await speaker.next('received')).samples, 240);
    assert.equal(speaker.counters().messagesIgnored, 1);
  });
});

describe('a session request that fails', () => {
  const stage = setStage();

  it('affects only the utterance that waited for it', async () => {
    const speaker = stage.speaker([], { session: (attempt) => (attempt === 0 ? null : stage.session(good)) }).attach();
    speaker.say('One.', 'Two.');
    await speaker.finish();
    assert.deepEqual(speaker.of('failed'), []);
    assert.deepEqual(speaker.of('received'), [{ type: 'received', serial: 2, samples: 240 }]);
  });
});
