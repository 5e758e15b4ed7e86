import assert from 'node:assert/strict';
import { after, afterEach, beforeEach, describe, it } from 'node:test';
import type { SpeechEngine, TimedWord } from '../../src/index.js';
import { createOpenAiEngine, type OpenAiOptions } from '../../src/speech/openai-engine.js';
import { ManualClock } from '../support/manual-clock.js';
import { ask, failsWith, keepsTheContract, speakAll } from './support/engine-contract.js';
import { FakeSpeechServer, speechOf, STYLES } from './support/fake-speech-server.js';

const KEY = 'sk-secret';

let server: FakeSpeechServer;
let url: string;
let engine: SpeechEngine;

describe('the engine of OpenAI servers', () => {
  beforeEach(async () => {
    server = new FakeSpeechServer();
    url = await server.start();
  });
  afterEach(async () => {
    await engine?.close();
    await server.stop();
  });

  function start(options: Partial<OpenAiOptions> = {}): SpeechEngine {
    engine = createOpenAiEngine({ url, key: KEY, ...options });
    return engine;
  }

  /** Returns a response with this status. */
  function status(code: number, headers: Record<string, string> = {}) {
    return (response: import('node:http').ServerResponse): void => {
      response.writeHead(code, { 'content-type': 'application/json', ...headers });
      response.end(JSON.stringify({ error: { message: `Bad: Hello there ${KEY}` } }));
    };
  }

  /** A clock whose waits end at once. Its time limits, which are longer than any wait, never end. */
  class HastyClock extends ManualClock {
    readonly waits: number[] = [];
    override after(delayMs: number, run: () => void): () => void {
      if (delayMs > 5000) return () => {};
      this.waits.push(delayMs);
      const timer = setImmediate(run);
      return () => clearImmediate(timer);
    }
  }

  describe('createOpenAiEngine', () => {
    describe('as any engine', () => {
      const ownServer = new FakeSpeechServer();
      after(() => ownServer.stop());
      keepsTheContract(async () => createOpenAiEngine({ url: await ownServer.start() }));
    });

    it('asks a server that nobody uses whether it is there, with the key, and for no speech', async () => {
      /** A clock whose times of 30 s end at once, twice. No other ends. */
      class IdleClock extends ManualClock {
        #times = 0;
        override after(delayMs: number, run: () => void): () => void {
          if (delayMs !== 30_000 || ++this.#times > 2) return () => {};
          const timer = setImmediate(run);
          return () => clearImmediate(timer);
        }
      }
      start({ clock: new IdleClock() });
      await server.until(() => server.checks.length === 3);
      assert.deepEqual(new Set(server.checks), new Set([`/v1/models Bearer ${KEY}`]));
      assert.deepEqual([engine.available, server.asked.length], [true, 0]);
    });

    for (const [problem, checkStatus] of [
      ['The speech server cannot be reached.', null],
      ['The speech server refuses the key (401).', 401],
      ['The speech server failed (503).', 503],
    ] as const) {
      it(`is down before anybody speaks: ${problem}`, async () => {
        server.answer = status(checkStatus ?? 500);
        if (checkStatus === null) await server.stop();
        else server.checkStatus = checkStatus;
        const change = await new Promise((resolve) => {
          start({ clock: new HastyClock(), onAvailable: (...now) => resolve(now) });
        });
        assert.deepEqual(change, [false, problem]);
        assert.equal(engine.available, false);
      });
    }

    for (const style of Object.keys(STYLES) as (keyof typeof STYLES)[]) {
      it(`gets the same speech from a server in the style of ${style}, written in odd sizes`, async () => {
        server.style = style;
        const { rate } = STYLES[style];
        const told = style === 'speaches' ? { sampleRate: rate } : {};
        const samples = await speakAll(start(told), 'Hello there.');
        const voiceRate = engine.voices[0]!.sampleRate;
        const expected = speechOf('Hello there.', rate);
        assert.ok(Math.abs(samples.length / voiceRate - expected.length / rate) < 1e-3);
        if (voiceRate === rate) assert.deepEqual(samples, expected);
        // In the middle of each character, where no filter rings, the sample has the character's value.
        for (let at = 0; at < 12; at++) {
          const [heard, said] = [
            samples[Math.round((at + 0.5) * 0.01 * voiceRate)]!,
            expected[Math.round((at + 0.5) * 0.01 * rate)]!,
          ];
          assert.ok(Math.abs(heard - said) < 100, `${heard} for ${said}`);
        }
      });
    }

    it('sends what the API asks for, and the key, to the address that is meant', async () => {
      for (const [given, path] of [
        ['', '/v1/audio/speech'],
        ['/v1/', '/v1/audio/speech'],
        ['/api/v1/audio/speech?x=1', '/api/v1/audio/speech?x=1'],
      ] as const) {
        const made = createOpenAiEngine({
          url: url + given,
          key: KEY,
          model: 'kokoro',
          voices: ['af_heart'],
          extra: { stream: true },
        });
        await speakAll(made, 'Hi 5.', { sampling: { rate: 1.5 } });
        await made.close();
        assert.deepEqual(server.asked.at(-1), {
          path,
          authorization: `Bearer ${KEY}`,
          body: {
            stream: true,
            model: 'kokoro',
            voice: 'af_heart',
            input: 'Hi five.',
            response_format: 'pcm',
            speed: 1.5,
          },
        });
      }
    });

    it('sends text as it is if it is not to be normalised, or not English', async () => {
      await speakAll(start(), 'It is 5 %.', { normalizeText: false });
      await speakAll(createOpenAiEngine({ url, voices: [{ id: 'a', language: 'de' }] }), 'Es sind 5 %.');
      await speakAll(createOpenAiEngine({ url, voices: ['ff_siwis'] }), 'Il y a 25 chats.');
      await speakAll(createOpenAiEngine({ url, voices: ['ash'] }), 'It is 5 %.');
      assert.deepEqual(
        server.asked.map(({ body }) => body.input),
        ['It is 5 %.', 'Es sind 5 %.', 'Il y a 25 chats.', 'It is five percent.'],
      );
    });

    describe('with captioned speech', () => {
      /** Answers as Kokoro-FastAPI does: a line for each 100 ms, whose words begin where their first character sounds. */
      const sendCaptioned = async (
        response: import('node:http').ServerResponse,
        samples: Int16Array,
        input: string,
      ): Promise<void> => {
        response.writeHead(200, { 'content-type': 'application/json' });
        const words = [...input.matchAll(/[\w'-]+|[^\w\s]/g)].map(({ 0: word, index }) => ({
          word,
          start_time: index / 100,
          end_time: (index + word.length) / 100,
        }));
        for (let from = 0; from < samples.length; from += 2400) {
          const part = samples.slice(from, from + 2400);
          const line = JSON.stringify({
            audio: Buffer.from(part.buffer).toString('base64'),
            audio_format: 'audio/pcm',
            timestamps: words.filter(({ start_time: at }) => at >= from / 24_000 && at < (from + 2400) / 24_000),
          });
          for (const half of [line.slice(0, 50), `${line.slice(50)}\n`]) {
            response.write(half);
            await new Promise((resolve) => setImmediate(resolve));
          }
        }
        response.end();
      };

      it('reports words at their places in the text of the client, and speaks the same', async () => {
        start({ timings: true });
        assert.equal(engine.timings, true);
        server.answer = sendCaptioned;
        const text = 'Give me 25, please. And that was all.';
        const words: TimedWord[] = [];
        const spoken = await speakAll(engine, text, { onWords: (found) => words.push(...found) });
        const written = server.asked.map(({ body }) => String(body.input));
        assert.match(written.join(' '), /twenty-five/);
        assert.deepEqual(
          words.map(({ from, to }) => text.slice(from, to)),
          ['Give', 'me', '25', 'please', 'And', 'that', 'was', 'all'],
        );
        assert.equal(spoken.length, written.join('').length * 240);
        const starts = words.map(({ start: at }) => Math.round(at * 100));
        assert.deepEqual(starts.slice(0, 3), [0, 5, 8]);
        assert.deepEqual(
          starts,
          starts.toSorted((a, b) => a - b),
        );
        const { path, body } = server.asked[0]!;
        assert.deepEqual(
          [path, body.stream, body.return_timestamps, body.normalization_options],
          ['/dev/captioned_speech', true, true, { normalize: false }],
        );
      });

      it('finds the words where the server writes out numbers by itself, or reports words twice', async () => {
        start({ timings: true });
        const text = 'The price will be $100 after 9:30PM, at the branchpoints.';
        const said = 'The The price will be one hundred dollars after nine thirtyPM , at the the branchpoints .'.split(
          ' ',
        );
        server.answer = (response) => {
          response.writeHead(200, { 'content-type': 'application/json' });
          const timestamps = said.map((word, at) => ({ word, start_time: at / 10, end_time: (at + 1) / 10 }));
          response.end(JSON.stringify({ audio: Buffer.alloc(48_000 * 2).toString('base64'), timestamps }));
        };
        const words: TimedWord[] = [];
        await speakAll(engine, text, { normalizeText: false, onWords: (found) => words.push(...found) });
        assert.deepEqual(server.asked[0]!.body.normalization_options, { normalize: true });
        assert.deepEqual(
          words.map(({ from, to, start: at, end }) => [
            text.slice(from, to),
            Math.round(at * 10),
            Math.round(end * 10),
          ]),
          [
            ['The', 0, 2],
            ['price', 2, 3],
            ['will', 3, 4],
            ['be', 4, 5],
            ['$100', 5, 8],
            ['after', 8, 9],
            ['9:30PM', 9, 11],
            ['at', 12, 13],
            ['the', 13, 15],
            ['branchpoints', 15, 16],
          ],
        );
      });

      it('asks for the usual speech if nobody wants times', async () => {
        start({ timings: true });
        await speakAll(engine, 'Hello there.');
        assert.equal(server.asked[0]!.path, '/v1/audio/speech');
      });

      it('fails at lines that are something else', async () => {
        start({ timings: true });
        server.answer = (response) => {
          response.writeHead(200, { 'content-type': 'application/json' });
          response.end('{"audio":7}\nno JSON\n');
        };
        await assert.rejects(speakAll(engine, 'Hello.', { onWords: () => {} }), /not captioned speech/);
      });
    });

    it('cuts text at sentences, none of it over 4096 characters, and loses none', async () => {
      const text = Array.from({ length: 900 }, (_, at) => `Sentence ${'abc'[at % 3]} is here.`).join(' ');
      await speakAll(start(), `${text} ${'x'.repeat(5000)}`, { chunkSeconds: 1e9 });
      const inputs = server.asked.map(({ body }) => String(body.input));
      assert.ok(inputs.every((input) => input.length <= 4096));
      assert.equal(inputs.join('').replaceAll(/\s/g, ''), (text + 'x'.repeat(5000)).replaceAll(/\s/g, ''));
      assert.ok(inputs[0]!.endsWith('.'));
    });

    it('closes the connection to the server at once when speech is aborted', async () => {
      server.answer = (response) =>
        void response.writeHead(200, { 'content-type': 'audio/pcm' }).write(Buffer.alloc(4800, 1));
      const stop = new AbortController();
      const speech = start().speak(ask(engine, 'Hello there.'), stop.signal)[Symbol.asyncIterator]();
      await speech.next();
      stop.abort(new Error('enough'));
      await assert.rejects(speech.next(), /enough/);
      await server.until(() => server.aborted === 1);
    });

    it('tries again after 503, 429 and lost connections, as long as nothing was heard, and when the server says', async () => {
      const clock = new HastyClock();
      server.script.push(status(503, { 'retry-after': '2' }), (response) => void response.destroy());
      assert.deepEqual(await speakAll(start({ clock }), 'Hello there.'), speechOf('Hello there.', 24_000));
      assert.deepEqual(clock.waits, [2000, 1000]);
      server.script.push(status(429), status(429), status(429));
      await assert.rejects(speakAll(engine, 'Hello there.'), failsWith('engine-failed'));
      assert.equal(server.asked.length, 6);
      assert.equal(engine.available, true);
    });

    it('does not try again once something was heard', async () => {
      server.script.push((response, samples) => server.sendAudio(response, samples, 4001));
      await assert.rejects(speakAll(start(), 'Hello there.'.repeat(3)), failsWith('engine-failed'));
      assert.equal(server.asked.length, 1);
    });

    for (const [what, answer] of [
      ['400', status(400)],
      ['401', status(401)],
      ['404', status(404)],
      ['an HTML page', (response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>')],
      [
        'HTML that says it is audio',
        (response) => void response.writeHead(200, { 'content-type': 'audio/pcm' }).end('<!DOCTYPE html>'),
      ],
      ['no audio', (response) => void response.writeHead(200, { 'content-type': 'audio/pcm' }).end()],
      ['a redirect', (response) => void response.writeHead(307, { location: 'http://127.0.0.1:9/' }).end()],
      ['a wait of an hour', status(503, { 'retry-after': '3600' })],
    ] as [string, FakeSpeechServer['answer']][]) {
      it(`fails at ${what}, with neither the key nor the text in the message`, async () => {
        server.answer = answer;
        await assert.rejects(speakAll(start({ clock: new HastyClock() }), 'Hello there.'), (error: Error) => {
          assert.ok(failsWith('engine-failed')(error));
          assert.doesNotMatch(`${error.message} ${String(error.cause)}`, /sk-secret|Hello|127\.0/);
          return true;
        });
      });
    }

    for (const [what, limits, advanceMs] of [
      ['says nothing', { stallMs: 1000, timeLimitMs: 9000 }, 1000],
      ['goes on for too long', { stallMs: 9000, timeLimitMs: 2000 }, 2000],
    ] as const) {
      it(`gives up when the server ${what}`, async () => {
        const clock = new ManualClock();
        server.answer = (response) => response.writeHead(200, { 'content-type': 'audio/pcm' }).flushHeaders();
        const failed = assert.rejects(
          speakAll(start({ clock, ...limits }), 'Hello there.'),
          failsWith('took-too-long'),
        );
        await server.until(() => server.running === 1);
        clock.advance(advanceMs);
        await failed;
        await server.until(() => server.aborted === 1);
      });
    }

    it('is down after three failures in a row, and back when the server is', async () => {
      const clock = new ManualClock();
      const changes: [boolean, string | null][] = [];
      server.answer = status(401);
      start({ clock, onAvailable: (...change) => changes.push(change) });
      for (let round = 0; round < 3; round++) {
        assert.equal(engine.available, true);
        await assert.rejects(speakAll(engine, 'Hello there.'));
      }
      assert.equal(engine.available, false);
      assert.equal(engine.recovers, true);
      clock.advance(1000);
      await server.until(() => server.asked.length === 4 && server.running === 0);
      server.answer = (response, samples) => server.sendAudio(response, samples);
      // The engine must read the failed probe before its next wait, of 2 s, begins. Then it probes again.
      const back = new Promise<void>((resolve) => {
        const look = (): void => {
          clock.advance(2000);
          if (engine.available) resolve();
          else setImmediate(look);
        };
        look();
      });
      await back;
      assert.deepEqual(changes, [
        [false, 'The speech server failed (401).'],
        [true, null],
      ]);
    });

    it('sends at most `concurrency` requests at a time, and lets clients take turns', async () => {
      const waiting: (() => void)[] = [];
      server.answer = async (response, samples) => {
        await new Promise<void>((resolve) => waiting.push(resolve));
        await server.sendAudio(response, samples);
      };
      start({ concurrency: 1, clock: new ManualClock() }); // no speech finishes playing
      const one = {};
      const all = ['Aaa.', 'Bbb.', 'Ccc.'].map((text) => speakAll(engine, text, { client: one }));
      await server.until(() => server.running === 1);
      all.push(speakAll(engine, 'Ddd.', { client: {} }));
      let answered = 0;
      while (answered < 4) {
        await server.until(() => server.asked.length > answered && waiting.length > 0);
        waiting.shift()!();
        answered++;
      }
      await Promise.all(all);
      assert.equal(server.runningMost, 1);
      assert.deepEqual(
        server.asked.map(({ body }) => body.input),
        ['Aaa.', 'Ddd.', 'Bbb.', 'Ccc.'],
      );
    });

    it('has sampling.rate unless the server takes no speed, and voices as they are named', () => {
      assert.deepEqual(start().sampling, { rate: { least: 0.5, most: 2 } });
      const other = createOpenAiEngine({
        url,
        speed: false,
        voices: ['a', { id: 'b', premium: true }],
        sampleRate: 22_050,
      });
      assert.deepEqual(other.sampling, {});
      assert.deepEqual(other.voices, [
        { id: 'a', sampleRate: 22_050 },
        { id: 'b', sampleRate: 22_050, premium: true },
      ]);
    });

    it('refuses invalid addresses, addresses with a password, and voices with an empty or repeated name', () => {
      for (const bad of ['', 'localhost:8880', 'ftp://x/', 'http://me:secret@x/']) {
        assert.throws(() => createOpenAiEngine({ url: bad }), /SVC_SPEECH_URL|SVC_SPEECH_KEY/);
      }
      for (const voices of [[], [''], ['a', 'a']]) assert.throws(() => start({ voices }), /SVC_SPEECH_VOICES/);
    });
  });
});
