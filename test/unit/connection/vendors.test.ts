import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { cartesiaSession, deepgramSession, elevenLabsSession } from '../../../src/backend/index.js';
import type { OwnSessionOptions } from '../../../src/backend/speech-backend.js';
import { elevenLabsStreamInput } from '../../../src/dialects/index.js';
import type { SessionResponse } from '../../../src/protocol/index.js';
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

/** The makers of sessions by the dialects, and a voice. */
const VENDORS = {
  elevenLabs: [elevenLabsSession, 'a-voice'],
  cartesia: [cartesiaSession, 'a-voice'],
  deepgram: [deepgramSession, 'a-voice'],
  deepgramFlux: [deepgramSession, 'flux-haley-en'],
} as const;

/** Returns the session that a vendor's answer is for the worker. */
function playable({ url, sample_rate, dialect, voice_id }: SessionResponse): PlayableSession {
  return { url, sampleRate: sample_rate, messages: [], dialect: dialect!, voice: voice_id };
}

for (const [name, [makeSession, voice]] of Object.entries(VENDORS)) {
  // Its messages name no context: what comes before the answer to a cancel is dropped.
  const isDeepgram = makeSession === deepgramSession;
  describe(`a session of ${name}`, () => {
    let vendors: VendorSockets;
    let session: OwnSessionOptions['session'];
    let speaker: Speaker;
    const sessions: PlayableSession[] = [];

    before(async () => {
      vendors = await startVendorSockets();
      session = makeSession({ apiKey: VENDOR_KEY, baseUrl: vendors.url, voice });
    });

    beforeEach(async () => {
      // The broker asks synchronously.
      sessions.length = 0;
      for (let count = 0; count < 2; count++) {
        sessions.push(playable(await session({}, { signal: new AbortController().signal })));
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

    /** Waits for the end of a context, and lets the wait for late audio pass. */
    async function spoken(context: string): Promise<void> {
      await until(
        () => speaker.of('context-done').some(({ contextId }) => contextId === context),
        `the end of ${context}`,
      );
      speaker.clock.advance(25);
    }

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
      assert.deepEqual(rounded, isDeepgram ? [] : times);
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
      // It answers the cancel; the others name the context of each message.
      if (isDeepgram) await spoken('c1');
      await spoken('c2');
      await speaker.listenFor(0);
      assert.equal(speaker.sockets.length, 1);
      assert.deepEqual(speaker.of('received'), [{ type: 'received', serial: 2, samples: 2 * WORD_SAMPLES }]);
      assert.deepEqual([...speaker.listener.heard(2)], [...spokenWords(2)]);
    });

    it('drops what still arrives of the text that was stopped', { skip: isDeepgram }, async () => {
      vendors.isSlow = true;
      speaker.worker.handle({ type: 'keep-open', keepOpen: true });
      speaker.say(TEXT);
      await speaker.next('first-audio');
      vendors.isSlow = false;
      speaker.worker.handle({ type: 'cancel', serials: [1] });
      vendors.next = (socket, context) => {
        const audio = Buffer.alloc(4800, 7).toString('base64');
        for (const id of ['c1', context]) {
          const named = { contextId: id, context_id: id };
          socket.send(JSON.stringify({ type: 'chunk', audio, data: audio, ...named }));
          socket.send(JSON.stringify({ type: 'done', isFinal: true, ...named }));
        }
      };
      speaker.say('Four');
      await spoken('c2');
      assert.deepEqual(speaker.of('received'), [{ type: 'received', serial: 2, samples: WORD_SAMPLES }]);
    });

    it('fails with the message of the vendor', async () => {
      vendors.next = (socket, context) => {
        socket.send(
          JSON.stringify(
            {
              elevenLabs: { error: 'quota_exceeded', message: 'No credits left.', code: 1008, contextId: context },
              cartesia: { type: 'error', done: true, error: 'No credits left.', status_code: 402, context_id: context },
              deepgram: { type: 'Error', description: 'No credits left.', code: 'NO_CREDITS' },
              deepgramFlux: { type: 'Error', description: 'No credits left.', code: 'NET-0004' },
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
        if (isDeepgram) socket.send(file);
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

describe('a text that pauses', () => {
  let vendors: VendorSockets;
  let speaker: Speaker;

  before(async () => {
    vendors = await startVendorSockets();
  });

  /** Begins to speak a text whose end is still being written. */
  async function begin(makeSession: typeof elevenLabsSession | typeof cartesiaSession): Promise<void> {
    const session = makeSession({ apiKey: VENDOR_KEY, baseUrl: vendors.url, voice: 'a-voice' });
    const given = playable(await session({}, { signal: new AbortController().signal }));
    speaker = new Speaker({ session: () => given }).attach();
    speaker.worker.handle({ type: 'enqueue', serial: 1, contextId: 'c1', texts: [TEXT], more: true });
    await speaker.listenFor(3 * WORD_SAMPLES);
    vendors.messages.length = 0;
  }

  afterEach(async () => {
    await speaker.close();
    assert.deepEqual(vendors.problems, []);
  });

  after(() => vendors.close());

  it('keeps its context at ElevenLabs', async () => {
    await begin(elevenLabsSession);
    speaker.clock.advance(15_000);
    speaker.clock.advance(15_000);
    await until(() => vendors.messages.length === 2, 'two messages');
    const alive = { text: '', context_id: 'c1' };
    assert.deepEqual(vendors.messages, [alive, alive]);
    speaker.worker.handle({ type: 'text', serial: 1, text: null });
    await speaker.finish();
    speaker.clock.advance(60_000);
    assert.equal(vendors.messages.length, 4);
  });

  it('goes on in another context at Cartesia, which has forgotten the first', async () => {
    await begin(cartesiaSession);
    speaker.clock.advance(1000);
    speaker.worker.handle({ type: 'text', serial: 1, text: REST });
    speaker.worker.handle({ type: 'text', serial: 1, text: null });
    await speaker.finish();
    assert.deepEqual(
      vendors.messages.map(({ context_id, transcript }) => [context_id, transcript]),
      [
        ['c1-2', REST],
        ['c1-2', ''],
      ],
    );
    assert.deepEqual([...speaker.listener.heard(1)], [...spokenWords(3), ...spokenWords(2)]);
    const starts = speaker.of('timings').flatMap(({ words }) => words.map(({ start }) => Math.round(start * 10)));
    assert.deepEqual(starts, [0, 1, 2, 3, 4]);
  });

  it('ends without a message to a context that Cartesia has forgotten', async () => {
    await begin(cartesiaSession);
    speaker.clock.advance(1000);
    speaker.worker.handle({ type: 'text', serial: 1, text: null });
    speaker.clock.advance(25);
    await speaker.next('received');
    assert.deepEqual(vendors.messages, []);
  });

  it('gets another socket at a service that speaks once on each', async () => {
    await begin(elevenLabsSession);
    await speaker.close();
    const urlOf = async (): Promise<string> => {
      const { token } = (await (
        await fetch(`${vendors.url}/v1/single-use-token/tts_websocket`, {
          method: 'POST',
          headers: { 'xi-api-key': VENDOR_KEY },
        })
      ).json()) as { token: string };
      const query = `output_format=pcm_24000&single_use_token=${token}`;
      return `${vendors.url.replace('http', 'ws')}/v1/text-to-speech/a-voice/stream-input?${query}`;
    };
    const urls = [await urlOf(), await urlOf()];
    speaker = new Speaker({
      session: (attempt) => ({
        url: urls[attempt]!,
        sampleRate: 24_000,
        messages: [],
        dialect: elevenLabsStreamInput,
      }),
    }).attach();
    speaker.worker.handle({ type: 'keep-open', keepOpen: true });
    speaker.say(TEXT, REST);
    await speaker.finish();
    await speaker.next('socket-open', 2);
    await speaker.finish(2);
    await speaker.listenFor(5 * WORD_SAMPLES);
    assert.equal(speaker.sockets.length, 2);
    assert.deepEqual([...speaker.listener.heard(2)], [...spokenWords(2)]);
  });
});
