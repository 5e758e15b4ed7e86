import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { pcmOf, speaking, type GatewayStep } from '../../../src/testing/script.js';
import { until, type Speaker } from './speaker.js';
import { setStage } from './stage.js';

const RATE = 24000;

for (const transport of ['shared', 'message'] as const) {
  describe(`the ${transport} transport`, () => {
    const stage = setStage();

    it('carries 40 s that arrive at once through a ring of 5 s, every sample in order', async () => {
      const frames = { noise: 11, seconds: 40, bytesPerFrame: 1921 };
      const speaker = stage.speaker([speaking(frames)], { transport }).attach();
      speaker.say('A long one.');
      await speaker.next('context-done');
      speaker.clock.advance(25);
      assert.equal((await speaker.next('received')).samples, 40 * RATE);
      assert.equal(speaker.counters().spilledSamples, 40 * RATE - 2 ** 17);
      await speaker.listenFor(40 * RATE);
      assert.deepEqual(speaker.listener.heard(1), pcmOf(frames));
    });

    it('keeps what is being heard, even if more speech waits than the history', async () => {
      const speaker = stage
        .speaker([speaking({ noise: 11, seconds: 40, bytesPerFrame: 1921 })], { transport })
        .attach();
      speaker.worker.handle({ type: 'history', seconds: 10 });
      speaker.say('A long one.');
      await speaker.next('context-done');
      await speaker.listenFor(8 * RATE);
      const { oldest, spilledSamples } = speaker.counters();
      assert.ok(spilledSamples > 10 * RATE, `only ${spilledSamples} samples wait`);
      const heard = speaker.listener.heard().length;
      assert.ok(oldest && oldest.sample < heard, `kept from ${oldest?.sample}, heard up to ${heard}`);
    });

    it('carries the marks of utterances that wait behind one another', async () => {
      const speaker = stage.speaker([speaking({ noise: 2, samples: 700 })], { transport, capacity: 512 }).attach();
      speaker.say('One.', 'Two.', 'Three.');
      for (const count of [1, 2, 3]) {
        await speaker.next('context-done', count);
        speaker.clock.advance(25);
      }
      await speaker.listenFor(2100);
      await until(() => {
        speaker.listener.take();
        return speaker.listener.marks.length === 6;
      }, 'six marks');
      assert.deepEqual(
        speaker.listener.marks.map(({ kind, serial, at }) => `${kind} ${serial} ${at}`),
        ['start 1 0', 'end 1 700', 'start 2 700', 'end 2 1400', 'start 3 1400', 'end 3 2100'],
      );
    });

    describe('past the cap', () => {
      // 1 s of speech may wait, and the ring holds another 0.7 s.
      const script: GatewayStep[] = [{ wait: 'end' }, { frames: { noise: 4, seconds: 3, bytesPerFrame: 4800 } }];
      const options = { transport, capacity: 2 ** 14, spillSeconds: 1 };
      const fits = Math.floor((RATE + 2 ** 14) / 2400) * 2400;

      it('closes the socket and fails the utterance, which keeps its received audio', async () => {
        const speaker = stage.speaker([script], options).attach();
        speaker.say('Too much.');
        const { reason, serials, retryable } = await speaker.failed();
        assert.deepEqual({ reason, serials, retryable }, { reason: 'overflow', serials: [1], retryable: false });
        assert.equal((await speaker.next('socket-close')).code, 1000);
        await speaker.listenFor(fits);
        assert.deepEqual(speaker.listener.heard(1), pcmOf({ noise: 4, samples: fits }));
      });

      it('continues with the next utterance when half of it has played', async () => {
        const speaker = stage.speaker([script, speaking({ noise: 6, samples: 100 })], options).attach();
        speaker.say('Too much.', 'Just right.');
        await speaker.next('socket-close');
        speaker.clock.advance(1000);
        assert.equal(speaker.requests.length, 1);
        await speaker.listenFor(fits);
        assert.equal(speaker.requests.length, 2);
        await speaker.finish();
        await speaker.listenFor(fits + 100);
        assert.deepEqual(speaker.listener.heard(2), pcmOf({ noise: 6, samples: 100 }));
      });
    });
  });
}

describe('both transports', () => {
  const stage = setStage();

  it('carry the same samples and marks', async () => {
    const heard = async (transport: 'shared' | 'message'): Promise<Speaker> => {
      const script: GatewayStep[] = [
        { wait: 'end' },
        { frames: { tone: 300, samples: 3001, bytesPerFrame: 77, headerOnlyEvery: 5 } },
        { done: true },
        { wait: 'end' },
        { done: true },
        { wait: 'end' },
        { frames: { noise: 9, samples: 20_000, bytesPerFrame: 9999 } },
        { error: 'enough' },
        { wait: 'end' },
        { frames: { ramp: true, samples: 1 } },
        { done: true },
      ];
      const speaker = stage.speaker([script], { transport, capacity: 2048 }).attach();
      speaker.say('One.', 'Nothing.', 'Three.', 'Four.');
      for (const count of [1, 2, 3]) {
        await speaker.next('context-done', count);
        speaker.clock.advance(25);
      }
      await speaker.listenFor(23_002);
      await until(() => {
        speaker.listener.take();
        return speaker.listener.marks.length === 6;
      }, 'six marks');
      return speaker;
    };
    const shared = await heard('shared');
    const message = await heard('message');
    assert.deepEqual(message.listener.heard(), shared.listener.heard());
    assert.deepEqual(message.listener.marks, shared.listener.marks);
    const told = (speaker: Speaker) => [...speaker.of('received'), ...speaker.of('failed')];
    assert.deepEqual(told(message), told(shared));
  });
});
