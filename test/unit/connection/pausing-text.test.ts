import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PlayableSession } from '../../../src/protocol/playable-session.js';
import { host } from '../../../service/test/support/host.js';
import { Speaker } from './speaker.js';

describe('a text that pauses for longer than the service waits', () => {
  for (const [what, count, idleMs, untilNext] of [
    ['the context', 1, 60_000, (speaker: Speaker) => speaker.next('context-done')],
    ['the socket', 2, 1000, (speaker: Speaker) => speaker.next('socket-close')],
  ] as const) {
    it(`is spoken to its end by the real service, which has ended ${what}`, async (test) => {
      const service = await host({ limits: { contextIdleMs: 20, idleMs } });
      test.after(() => service.close());
      const sessions: PlayableSession[] = [];
      for (let i = 0; i < 2; i++) {
        const { url, sample_rate } = await service.session();
        sessions.push({ url, sampleRate: Number(sample_rate), messages: [] });
      }
      const speaker = new Speaker({ session: (attempt) => sessions[attempt]! }).attach();
      speaker.canRenew = true;
      speaker.worker.handle({ type: 'enqueue', serial: 1, contextId: 'c1', texts: ['Let me look. '], more: true });
      await untilNext(speaker);
      speaker.worker.handle({ type: 'text', serial: 1, text: 'Here it is.' });
      speaker.worker.handle({ type: 'text', serial: 1, text: null });
      await speaker.finish(2);
      const { samples } = await speaker.next('received');
      // The stub engine speaks one sample for each character.
      assert.equal(String.fromCharCode(...speaker.listener.heard(1)).replace(/\s+/g, ' '), 'Let me look. Here it is.');
      assert.equal(samples, speaker.listener.heard(1).length);
      assert.deepEqual([speaker.of('failed').length, speaker.sockets.length], [0, count]);
      await speaker.close();
    });
  }
});
