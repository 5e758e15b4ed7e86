import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { cartesiaSession, deepgramSession, elevenLabsSession } from '../../../src/backend/index.js';
import type { OwnSessionOptions } from '../../../src/backend/speech-backend.js';
import type { PlayableSession } from '../../../src/protocol/playable-session.js';
import { spokenWords, startVendorSockets, VENDOR_KEY, type VendorSockets, WORD_SAMPLES } from '../../vendor-sockets.js';
import { Speaker, until } from './speaker.js';

const TEXT = 'One two, three. ';
const REST = 'Four five.';

/** Words of both texts, with their times in seconds. */
const PLACES = [
  [0, 3],
  [4, 8],
  [9, 15],
  [16, 20],
  [21, 26],
];

const VENDORS = {
  elevenLabs: elevenLabsSession,
  cartesia: cartesiaSession,
  deepgram: deepgramSession,
} as const;

for (const [name, makeSession] of Object.entries(VENDORS)) {
  describe(`a session of ${name}`, () => {
    let vendors: VendorSockets;
    let session: OwnSessionOptions['session'];
    let speaker: Speaker;
    const sessions: PlayableSession[] = [];

    before(async () => {
      vendors = await startVendorSockets();
      session = makeSession({ apiKey: VENDOR_KEY, baseUrl: vendors.url, voice: 'a-voice' });
    });

    beforeEach(async () => {
      // The broker asks synchronously.
      sessions.length = 0;
      for (let count = 0; count < 2; count++) {
        const { url, sample_rate, dialect, voice_id } = await session({}, { signal: new AbortController().signal });
        sessions.push({ url, sampleRate: sample_rate, messages: [], dialect: dialect!, voice: voice_id });
      }
      vendors.messages.length = 0;
      vendors.isSlow = false;
      speaker = new Speaker({ session: (attempt) => sessions[attempt]! }).attach();
    });

    afterEach(async () => {
      await speaker.close();
      assert.deepEqual(vendors.problems, []);
    });

    after(() => vendors.close());

    it('speaks a text that is still being written, with the times of its words', async () => {
      speaker.worker.handle({ type: 'enqueue', serial: 1, contextId: 'c1', texts: [TEXT], more: true });
      speaker.worker.handle({ type: 'text', serial: 1, text: REST });
      speaker.worker.handle({ type: 'text', serial: 1, text: null });
      await speaker.finish();
      assert.deepEqual(speaker.of('failed'), []);
      assert.deepEqual([...speaker.listener.heard(1)], [...spokenWords(5)]);
      const words = speaker.of('timings').flatMap((report) => report.words);
      const times = PLACES.map(([from, to], index) => ({ from, to, start: index / 10 }));
      const rounded = words.map(({ from, to, start }) => ({ from, to, start: Math.round(start * 1000) / 1000 }));
      assert.deepEqual(rounded, name === 'deepgram' ? [] : times);
      for (const { start, end } of words) assert.ok(end > start && end <= start + 0.1001, `${start} to ${end}`);
    });

    it('stops, and speaks the next text on the same socket', async () => {
      vendors.isSlow = true;
      speaker.worker.handle({ type: 'keep-open', keepOpen: true });
      speaker.say(TEXT);
      await speaker.next('first-audio');
      vendors.isSlow = false;
      speaker.worker.handle({ type: 'cancel', serials: [1] });
      speaker.say(REST);
      await until(() => {
        speaker.clock.advance(25);
        return speaker.of('received').length > 0;
      }, 'the second text');
      await speaker.listenFor(0);
      assert.equal(speaker.sockets.length, 1);
      assert.deepEqual(speaker.of('received'), [{ type: 'received', serial: 2, samples: 2 * WORD_SAMPLES }]);
      assert.deepEqual([...speaker.listener.heard(2)], [...spokenWords(2)]);
    });

    it('fails with the message of the vendor', async () => {
      vendors.next = (socket, context) => {
        socket.send(
          JSON.stringify(
            {
              elevenLabs: { error: 'quota_exceeded', message: 'No credits left.', code: 1008, contextId: context },
              cartesia: { type: 'error', done: true, error: 'No credits left.', status_code: 402, context_id: context },
              deepgram: { type: 'Error', description: 'No credits left.', code: 'NO_CREDITS' },
            }[name],
          ),
        );
      };
      speaker.say(TEXT);
      const { reason, message } = await speaker.failed();
      assert.equal(reason, 'service-error');
      assert.match(message, /No credits left/);
    });

    it('plays no file as if it were samples', async () => {
      vendors.next = (socket, context) => {
        const file = Buffer.concat([Buffer.from('ID3\x04\0\0'), Buffer.alloc(4800, 0x55)]);
        const audio = file.toString('base64');
        if (name === 'deepgram') socket.send(file);
        else
          socket.send(JSON.stringify({ type: 'chunk', audio, data: audio, contextId: context, context_id: context }));
      };
      speaker.say(TEXT);
      const { reason, message } = await speaker.failed();
      assert.equal(reason, 'protocol-unsupported');
      assert.match(message, new RegExp(`${name}: the audio is MP3`));
      assert.equal(speaker.listener.heard(1).length, 0);
    });
  });
}
