import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SpeakerError } from '../../../src/base/speaker-error.js';
import type { PlayableSession } from '../../../src/protocol/playable-session.js';
import { SessionBroker } from '../../../src/sessions/session-broker.js';
import type { SessionReason } from '../../../src/sessions/session-source.js';
import { FakeClock } from '../fake-clock.js';

/** Creates a broker whose requests the test answers. */
function arrange({ canRenew = true, userHasActed = true } = {}) {
  const clock = new FakeClock();
  const host = { clock, random: () => 0.5, canRenew, userHasActed, requestSession };
  const requests: {
    reason: SessionReason;
    signal: AbortSignal;
    answer(url: string): Promise<void>;
    fail(message: string): Promise<void>;
  }[] = [];
  const facts: string[] = [];
  const broker = new SessionBroker(host, {
    sessionHeld: (serial, { url }, reason) => facts.push(`held ${serial} ${url} ${reason}`),
    sessionFailed: (_serial, { reason, message }) => facts.push(`failed ${reason} ${message}`),
  });

  function requestSession(reason: SessionReason, signal: AbortSignal): Promise<PlayableSession> {
    return new Promise((resolve, reject) => {
      const settled = async (settle: () => void): Promise<void> => {
        settle();
        await Promise.resolve();
        await Promise.resolve();
      };
      requests.push({
        reason,
        signal,
        answer: (url) => settled(() => resolve({ url, sampleRate: 24000, messages: [] })),
        fail: (message) => settled(() => reject(new SpeakerError('session-invalid', message))),
      });
    });
  }
  return { broker, clock, host, requests, facts };
}

describe('SessionBroker', () => {
  it('requests a session when one is needed, and returns it once', async () => {
    const { broker, requests, facts } = arrange();
    broker.need(1, 'play');
    await requests[0]!.answer('a');
    assert.deepEqual(facts, ['held 1 a play']);
    assert.equal(broker.spend()?.url, 'a');
    assert.equal(broker.spend(), null);
    broker.need(2, 'speak');
    assert.deepEqual(
      requests.map(({ reason }) => reason),
      ['play', 'speak'],
    );
  });

  it('uses a session that was requested ahead of time, whether it has arrived or not', async () => {
    for (const isThere of [true, false]) {
      const { broker, requests, facts } = arrange();
      broker.prepare('speak');
      if (isThere) await requests[0]!.answer('a');
      assert.deepEqual(facts, []);
      broker.need(1, 'speak');
      if (isThere) await Promise.resolve();
      else await requests[0]!.answer('a');
      assert.deepEqual(facts, ['held 1 a speak']);
      assert.equal(requests.length, 1);
    }
  });

  it('requests nothing ahead of time where the source has only one session, or before a gesture', () => {
    for (const difference of [{ canRenew: false }, { userHasActed: false }]) {
      const { broker, requests } = arrange(difference);
      broker.prepare('speak');
      assert.deepEqual(requests, []);
    }
  });

  it('reports a failure of the early request once it concerns an utterance', async () => {
    const { broker, requests, facts } = arrange();
    broker.prepare('speak');
    await requests[0]!.fail('No.');
    assert.deepEqual(facts, []);
    broker.need(1, 'speak');
    assert.deepEqual(facts, [], 'never during the call');
    await Promise.resolve();
    assert.deepEqual(facts, ['failed session-invalid No.']);
    broker.need(2, 'speak');
    assert.equal(requests.length, 2);
  });

  it('uses the request of a cancelled utterance for the next one', async () => {
    const { broker, requests, facts } = arrange();
    broker.need(1, 'speak');
    broker.need(2, 'speak');
    await requests[0]!.answer('a');
    assert.deepEqual(facts, ['held 2 a speak']);
    assert.equal(requests.length, 1);
  });

  it('replaces a session that was held for more than 10 s', async () => {
    const { broker, clock, requests, facts } = arrange();
    broker.need(1, 'speak');
    await requests[0]!.answer('a');
    clock.advance(10_001);
    assert.equal(broker.spend(), null);
    await requests[1]!.answer('b');
    assert.deepEqual(facts, ['held 1 a speak', 'held 1 b speak']);
    assert.equal(broker.spend()?.url, 'b');
  });

  it('returns an old session if the source has no other', async () => {
    const { broker, clock, requests } = arrange({ canRenew: false });
    broker.need(1, 'speak');
    await requests[0]!.answer('a');
    clock.advance(60_000);
    assert.equal(broker.spend()?.url, 'a');
  });

  it('waits for a slow source: the age of a session counts from its arrival', async () => {
    const { broker, clock, requests, facts } = arrange();
    broker.need(1, 'speak');
    clock.advance(20_000);
    await requests[0]!.answer('a');
    assert.deepEqual(facts, ['held 1 a speak']);
    assert.equal(broker.spend()?.url, 'a');
  });

  it('aborts the request when it is released, and ignores a late answer', async () => {
    const { broker, requests, facts } = arrange();
    broker.need(1, 'speak');
    broker.release();
    assert.equal(requests[0]!.signal.aborted, true);
    await requests[0]!.answer('a');
    assert.deepEqual(facts, []);
    assert.equal(broker.spend(), null);
  });

  it('releases an early session only while no utterance needs it', () => {
    const { broker, requests } = arrange();
    broker.prepare('speak');
    broker.need(1, 'speak');
    broker.releaseUnneeded();
    assert.equal(requests[0]!.signal.aborted, false);
    broker.release();
    broker.prepare('speak');
    broker.releaseUnneeded();
    assert.equal(requests[1]!.signal.aborted, true);
  });

  it('retries three times for one utterance, after growing delays', async () => {
    const { broker, clock, requests } = arrange();
    broker.need(1, 'speak');
    for (const [index, delay] of [250, 500, 1000].entries()) {
      await requests[index]!.answer('a');
      broker.spend();
      assert.equal(broker.retry(1), true);
      clock.advance(delay - 1);
      assert.equal(requests.length, index + 1);
      clock.advance(1);
      assert.equal(requests.length, index + 2);
    }
    assert.deepEqual(
      requests.map(({ reason }) => reason),
      ['speak', 'retry', 'retry', 'retry'],
    );
    assert.equal(broker.retry(1), false);
    assert.equal(broker.retry(2), true, 'the next utterance has tries of its own');
  });

  it('does not retry where the source has only one session', () => {
    assert.equal(arrange({ canRenew: false }).broker.retry(1), false);
  });

  it('ends the delay when another utterance is next, or when it is released', () => {
    const { broker, clock, requests } = arrange();
    broker.retry(1);
    broker.need(2, 'speak');
    assert.equal(requests.length, 1);
    assert.equal(clock.pending, 0);
    broker.retry(3);
    broker.release();
    assert.equal(clock.pending, 0);
  });
});
