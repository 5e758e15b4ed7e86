/** Runs what docs/coming-from.md shows as replacements. Those that need a vendor's package are in vendors.test.ts. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it, type TestContext } from 'node:test';
import { WebSocketServer, type WebSocket } from 'ws';
import type { Utterance } from '../../src/index.js';
import { example } from './example.js';
import { loadWords, startHost, type Answer, type Host, type HostPage } from './host.js';

const SPEAKER = '<svc-speaker session-endpoint="/speech/session"></svc-speaker>';

describe('The replacements in docs/coming-from.md', () => {
  let host: Host;

  before(async () => {
    host = await startHost();
  });

  after(() => host.close());

  const read = (file: string): Promise<string> => readFile(example(file), 'utf8');

  /** Opens a page whose global `example` has the exports of an example. */
  async function open(t: TestContext, file: string, more: Record<string, string | Answer> = {}): Promise<HostPage> {
    const script = `import * as all from './example.js'; globalThis.example = all;`;
    const opened = await host.open(t, `${SPEAKER}<script type="module">${script}</script>`, {
      'example.js': await read(file),
      ...more,
    });
    await opened.page.waitForFunction(() => 'example' in globalThis);
    // The compiler of this file inserts calls of `__name` for named functions.
    await opened.page.evaluate('globalThis.__name = (named) => named');
    return opened;
  }

  it('play the answer of a backend as it arrives, and close the request at a stop: audio', async (t) => {
    let isClosed: () => void;
    const closed = new Promise<void>((resolve) => (isClosed = resolve));
    const asked: string[] = [];
    const { page } = await open(t, 'page/from-audio.js', {
      '/say': async (request: IncomingMessage, response: ServerResponse) => {
        let text = '';
        for await (const part of request) text += String(part);
        asked.push(text);
        response.writeHead(200, { 'Content-Type': 'audio/pcm;rate=24000' }).write(Buffer.alloc(48_000));
        if (text === 'Short.') response.end();
        else response.on('close', () => isClosed());
      },
    });
    const outcomes = await page.evaluate(async () => {
      const { say, stop } = globalThis.example as unknown as { say(text: string): Promise<void>; stop(): void };
      const heard = await say('Short.').then(() => 'heard');
      const begun = new Promise((resolve) =>
        document.querySelector('svc-speaker')!.addEventListener('utterancestart', resolve, { once: true }),
      );
      const long = say('Without an end.').catch(({ name }: Error) => name);
      await begun;
      stop();
      return [heard, await long];
    });
    assert.deepEqual(outcomes, ['heard', 'AbortError']);
    assert.deepEqual(asked, ['Short.', 'Without an end.']);
    await closed;
  });

  it('report the place of each word, and stop: speechSynthesis', async (t) => {
    const { page } = await open(t, 'page/from-speech-synthesis.js');
    await loadWords(page);
    const outcome = await page.evaluate(async () => {
      const { say, stop } = globalThis.example as unknown as {
        say(text: string, mark: (from: number, to: number) => void): Promise<void>;
        stop(): void;
      };
      const words: string[] = [];
      await say('One two three.', (from, to) => words.push('One two three.'.slice(from, to)));
      const stopped = say('Four five six.', () => {}).catch(({ name }: Error) => name);
      stop();
      return [...words, await stopped];
    });
    assert.deepEqual(outcome, ['One', 'two', 'three', 'AbortError']);
  });

  it('play the answers of a realtime session, and report how much was heard: wavtools', async (t) => {
    const { page } = await open(t, 'page/from-wavtools.js');
    const outcome = await page.evaluate(async () => {
      const speaker = document.querySelector('svc-speaker')!;
      const sent: { audio_end_ms: number }[] = [];
      const socket = Object.assign(new EventTarget(), { send: (json: string) => sent.push(JSON.parse(json)) });
      const receive = (event: object): unknown =>
        socket.dispatchEvent(new MessageEvent('message', { data: JSON.stringify(event) }));
      const say = (item_id: string, seconds: number): void => {
        const delta = btoa('\0'.repeat(2 * 24_000 * seconds));
        receive({ type: 'response.output_audio.delta', item_id, delta });
      };
      const next = (type: 'utterancestart' | 'utteranceend'): Promise<Utterance> =>
        new Promise((resolve) => speaker.addEventListener(type, ({ utterance }) => resolve(utterance), { once: true }));
      const interrupt = globalThis.example['playAnswers']!(socket as never) as () => void;
      interrupt(); // There is no answer yet.
      const first = next('utteranceend');
      say('a', 0.5);
      receive({ type: 'response.output_item.done', item: { id: 'a' } });
      const { endTime } = await first;
      interrupt(); // It has been heard.
      const second = next('utterancestart');
      say('b', 30);
      await second;
      interrupt();
      say('b', 1); // It was on its way.
      const [{ audio_end_ms: heardMs, ...truncation }] = sent as [{ audio_end_ms: number }];
      const isPart = heardMs >= 0 && heardMs < 30_000;
      return { endTime, truncation, isPart, count: sent.length, busy: speaker.hasSpeech };
    });
    const truncation = { type: 'conversation.item.truncate', item_id: 'b', content_index: 0 };
    assert.deepEqual(outcome, { endTime: 0.5, truncation, isPart: true, count: 1, busy: false });
  });

  it('send the microphone, and play the answers of an agent: Deepgram', async (t) => {
    const agent = new WebSocketServer({ port: 0, host: '127.0.0.1', handleProtocols: ([first = '']) => first });
    t.after(() => agent.close());
    await once(agent, 'listening');
    const { port } = agent.address() as AddressInfo;
    const { page } = await open(t, 'page/from-deepgram.js', {
      'agents.js': await read('page/agents.js'),
      'microphone.js': await read('page/microphone.js'),
      '/agent/token': '{"access_token":"a-token"}',
    });
    const connected = once(agent, 'connection') as Promise<[WebSocket, IncomingMessage]>;
    await page.evaluate((own) => {
      const tone = new AudioContext();
      const microphone = tone.createMediaStreamDestination();
      const oscillator = tone.createOscillator();
      oscillator.connect(microphone);
      oscillator.start();
      navigator.mediaDevices.getUserMedia = async () => microphone.stream;
      const { WebSocket: Socket } = globalThis;
      globalThis.WebSocket = class extends Socket {
        constructor(url: string | URL, protocols?: string | string[]) {
          super(String(url).replace('wss://agent.deepgram.com', own), protocols);
        }
      };
      const ended = new Promise((resolve) =>
        document
          .querySelector('svc-speaker')!
          .addEventListener('utteranceend', ({ utterance: { text, endTime } }) => resolve([text, endTime])),
      );
      const output = { encoding: 'linear16', sample_rate: 24_000, container: 'none' };
      const settings = { type: 'Settings', audio: { input: {}, output }, agent: {} };
      const socket = globalThis.example['converse']!(settings as never) as Promise<WebSocket>;
      Object.assign(globalThis, { ended, socket, microphone, rate: tone.sampleRate });
    }, `ws://127.0.0.1:${port}`);
    const [socket, { url, headers }] = await connected;
    assert.deepEqual(
      [url, headers['sec-websocket-protocol']?.replace(' ', '')],
      ['/v1/agent/converse', 'bearer,a-token'],
    );
    const settings = new Promise<{ audio: { input: object } }>((resolve) => {
      socket.once('message', (data: Buffer) => resolve(JSON.parse(data.toString())));
    });
    // A tone has samples above a quarter of full scale, once it has begun.
    const isHeard = new Promise<void>((resolve) => {
      socket.on('message', (data: Buffer, isBinary) => {
        if (isBinary && new Int16Array(new Uint8Array(data).buffer).some((sample) => sample > 8192)) resolve();
      });
    });
    const sampleRate = await page.evaluate(() => (globalThis as unknown as { rate: number }).rate);
    assert.deepEqual((await settings).audio.input, { encoding: 'linear16', sample_rate: sampleRate });
    await isHeard;
    socket.send('{"type":"ConversationText","role":"assistant","content":"One two."}');
    socket.send(Buffer.alloc(24_000));
    socket.send('{"type":"AgentAudioDone"}');
    assert.deepEqual(await page.evaluate(() => (globalThis as unknown as { ended: unknown }).ended), ['One two.', 0.5]);
    await page.evaluate(async () => (await (globalThis as unknown as { socket: Promise<WebSocket> }).socket).close());
    await page.waitForFunction(() => {
      const { microphone } = globalThis as unknown as { microphone: MediaStreamAudioDestinationNode };
      return microphone.stream.getTracks().every(({ readyState }) => readyState === 'ended');
    });
  });
});
