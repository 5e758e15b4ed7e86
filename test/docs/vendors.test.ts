/** Compares the recipes of docs/voices.md, agents.md and coming-from.md with the vendors' packages, which have 232 MB. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { WebSocket, WebSocketServer } from 'ws';
import { ensureInstalled } from '../../scripts/install.mjs';
import { bundleProgram, example, load, ROOT } from './example.js';
import { startHost, type Host } from './host.js';
import { REST, START, startSpeechVendors, type Asked, type SpeechVendors } from './speech-vendors.js';
import { Interpreter } from '../../src/connection/interpreter.js';
import { cartesia, deepgram, deepgramFlux, elevenLabs, type SpeechDialect } from '../../src/dialects/index.js';
import { startVendorSockets, VENDOR_KEY, type VendorSockets } from '../vendor-sockets.js';
import { long } from '../long.js';

type Recipe = (text: string, voice?: string) => Promise<Response>;

/** Files with the SDKs, each with the environment variable of the key and the headers that the vendor needs. */
const VENDORS: Record<string, { file: string; key: string; headers: readonly string[]; voice?: string }> = {
  openai: { file: 'vendors/openai.ts', key: 'OPENAI_API_KEY', headers: ['authorization'] },
  elevenlabs: { file: 'vendors/elevenlabs.ts', key: 'ELEVENLABS_API_KEY', headers: ['xi-api-key'] },
  cartesia: {
    file: 'vendors/cartesia.ts',
    key: 'CARTESIA_API_KEY',
    headers: ['authorization', 'cartesia-version'],
    voice: 'e07c00bc-4134-4eae-9ea4-1a55fb45746b',
  },
  deepgram: { file: 'vendors/deepgram.ts', key: 'DEEPGRAM_API_KEY', headers: ['authorization'] },
  azure: { file: 'vendors/azure.ts', key: 'AZURE_SPEECH_KEY', headers: [] },
};

const VENDOR_PATHS = [join(ROOT, 'docs/examples/vendors/node_modules')];

/** React of the SDK, also for React DOM: two copies do not work together. */
const ONE_REACT = { react: join(VENDOR_PATHS[0]!, 'react') };
const PRODUCTION = { 'process.env.NODE_ENV': '"production"' };

const TEXT = 'Tom & Ann: 1 < 2.';

describe('The recipes for speech services', long, () => {
  let recipes: Record<string, Recipe>;
  let vendors: SpeechVendors;

  before(async () => {
    await ensureInstalled('docs/examples/vendors');
    recipes = await load('backend/audio-stream.js');
    for (const { key } of Object.values(VENDORS)) process.env[key] = 'the-key';
  });

  after(() => {
    for (const { key } of Object.values(VENDORS)) delete process.env[key];
  });

  beforeEach(async () => {
    vendors = await startSpeechVendors();
  });

  afterEach(() => vendors.close());

  /** Returns the function of a vendor that uses the SDK. */
  async function withSdk(name: string): Promise<Recipe> {
    const exported = (await import(pathToFileURL(example(VENDORS[name]!.file)).href)) as Record<string, Recipe>;
    return exported[name]!;
  }

  /** Asks for speech, and checks that the audio arrives before the vendor has finished it. */
  async function ask(name: string, recipe: Recipe): Promise<Asked> {
    const { ok, body } = await recipe(TEXT, VENDORS[name]!.voice);
    assert.ok(ok);
    const reader = body!.getReader();
    assert.deepEqual([...(await reader.read()).value!], [...START]);
    const [asked] = vendors.asked.splice(0);
    asked!.finish();
    assert.deepEqual([...(await reader.read()).value!], [...REST]);
    assert.equal((await reader.read()).done, true);
    return asked!;
  }

  it('compile with the SDKs', () => {
    const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
    // `before` has what pages of other players have, in docs/coming-from.md.
    for (const folder of ['docs/examples/vendors', 'docs/examples/vendors/before']) {
      const { stdout, status } = spawnSync(process.execPath, [compiler, '-p', folder], { cwd: ROOT, encoding: 'utf8' });
      assert.equal(stdout, '', folder);
      assert.equal(status, 0, folder);
    }
  });

  for (const [name, { headers }] of Object.entries(VENDORS).filter(([vendor]) => vendor !== 'azure')) {
    it(`send the request of the SDK: ${name}`, async () => {
      const request = ({ host, path, query, headers: all, body }: Asked): object => ({
        host,
        path,
        query,
        type: all['content-type']?.split(';')[0],
        headers: headers.map((header) => all[header]),
        body: JSON.parse(body as string) as object,
      });
      const fromRecipe = request(await ask(name, recipes[name]!));
      assert.match(JSON.stringify(fromRecipe), /the-key/);
      assert.deepEqual(fromRecipe, request(await ask(name, await withSdk(name))));
    });
  }

  it('request the speech that the SDK requests over its WebSocket: azure', async () => {
    const { host, headers, body } = await ask('azure', recipes['azure']!);
    const socket = await ask('azure', await withSdk('azure'));
    const { ssml, 'synthesis.context': context } = socket.body as Record<string, string>;
    const { synthesis } = JSON.parse(context!) as { synthesis: { audio: { outputFormat: string } } };
    assert.equal(headers['content-type'], 'application/ssml+xml');
    assert.equal(headers['ocp-apim-subscription-key'], 'the-key');
    assert.deepEqual(
      {
        host,
        key: headers['ocp-apim-subscription-key'],
        format: headers['x-microsoft-outputformat'],
        speech: partsOf(body as string),
      },
      {
        host: socket.host,
        key: socket.query['Ocp-Apim-Subscription-Key'],
        format: synthesis.audio.outputFormat,
        speech: partsOf(ssml!),
      },
    );
  });

  for (const name of Object.keys(VENDORS)) {
    it(`close the request when the listener cancels, as the SDK does: ${name}`, async () => {
      for (const recipe of [recipes[name]!, await withSdk(name)]) {
        const { body } = await recipe(TEXT, VENDORS[name]!.voice);
        const reader = body!.getReader();
        await reader.read();
        await reader.cancel();
        await vendors.asked.splice(0)[0]!.closed;
      }
    });

    it(`have a response with the status, and the SDK an error, after one request that is refused: ${name}`, async () => {
      vendors.status = 429;
      const { status } = await recipes[name]!(TEXT, VENDORS[name]!.voice);
      assert.equal(status, 429);
      await assert.rejects((await withSdk(name))(TEXT, VENDORS[name]!.voice), /429/);
      assert.equal(vendors.asked.length, 2);
    });
  }
});

/** Returns the attributes and the text of SSML with one voice. Ignores prefixes of namespaces that it does not use. */
function partsOf(ssml: string): object {
  const [, speak = '', voice = '', text] = /^<speak ([^>]*)><voice ([^>]*)>([^<]*)<\/voice><\/speak>$/.exec(ssml) ?? [];
  const attributes = (tag: string): object =>
    Object.fromEntries(
      [...tag.matchAll(/([\w:]+)=(["'])(.*?)\2/g)]
        .map(([, key, , value]) => [key!, value!])
        .filter(([key]) => !key!.startsWith('xmlns:')),
    );
  return { speak: attributes(speak), voice: attributes(voice), text };
}

describe('The dialects of speech services', long, () => {
  /** Functions of the SDKs, with plain types: the packages are not installed for the type check of the tests. */
  interface Sdks {
    cartesiaSocket(url: string, key: string, texts: string[]): Promise<{ type: string }[]>;
    deepgramSocket(url: string, key: string, texts: string[]): Promise<{ type: string }[]>;
    deepgramFluxSocket(url: string, key: string, texts: string[]): Promise<{ type: string }[]>;
    elevenLabsToken(url: string, key: string): Promise<string>;
    readElevenLabs(messages: unknown[]): object[];
    writeElevenLabs(messages: object[]): unknown[];
  }
  const TEXTS = ['One two, three. ', 'Four five.'];
  let sdks: Sdks;
  let sockets: VendorSockets;

  before(async () => {
    await ensureInstalled('docs/examples/vendors');
    sdks = (await import(pathToFileURL(example('vendors/sockets.ts')).href)) as Sdks;
    sockets = await startVendorSockets();
  });

  afterEach(() => assert.deepEqual(sockets.problems, []));

  after(() => sockets.close());

  /** Returns the messages of a dialect for the texts. */
  function messagesOf(dialect: SpeechDialect): object[] {
    const nothing = (): void => {};
    const events = { onAudio: nothing, onMessage: nothing, onMisfit: nothing, onReply: nothing };
    const interpreter = new Interpreter(dialect, { voice: 'a-voice', rate: 24_000 }, events);
    const texts = TEXTS.flatMap((text) => interpreter.text('c1', text));
    // ElevenLabs closes a context once it has sent audio.
    interpreter.read(JSON.stringify({ audio: 'AAAA', contextId: 'c1' }));
    return [...texts, ...interpreter.end('c1')].map((json) => JSON.parse(json) as object);
  }

  it('send what the SDK sends: Cartesia', async (t) => {
    // The SDK uses the global one of pages, which Node.js has since version 22, and only wss:.
    const { WebSocket: own } = globalThis;
    t.after(() => (globalThis.WebSocket = own));
    globalThis.WebSocket = class extends WebSocket {
      constructor(address: string | URL) {
        super(String(address).replace(/^wss/, 'ws'));
      }
    } as unknown as typeof globalThis.WebSocket;
    sockets.messages.length = 0;
    const received = await sdks.cartesiaSocket(sockets.url, VENDOR_KEY, TEXTS);
    assert.deepEqual(sockets.messages.map(withoutNothing), messagesOf(cartesia));
    assert.deepEqual(new Set(received.map(({ type }) => type)), new Set(['chunk', 'timestamps', 'done']));
  });

  it('send what the SDK sends: Deepgram', async () => {
    sockets.messages.length = 0;
    const received = await sdks.deepgramSocket(sockets.url, VENDOR_KEY, TEXTS);
    assert.deepEqual(sockets.messages, messagesOf(deepgram));
    assert.deepEqual(
      received.map(({ type }) => type),
      ['Metadata', 'Flushed'],
    );
  });

  it('send what the SDK sends: Flux of Deepgram', async (t) => {
    sockets.messages.length = 0;
    // The turn goes on until it is interrupted.
    sockets.isSlow = true;
    t.after(() => (sockets.isSlow = false));
    const received = await sdks.deepgramFluxSocket(sockets.url, VENDOR_KEY, TEXTS);
    assert.deepEqual(sockets.messages, [...messagesOf(deepgramFlux), ...deepgramFlux.send.cancel!]);
    assert.deepEqual(
      received.map(({ type }) => type),
      ['Connected', 'SpeechStarted', 'Flushed', 'SpeechInterrupted'],
    );
  });

  it('send and read what the SDK has types for: ElevenLabs, whose SDK has no such socket', async () => {
    assert.match(await sdks.elevenLabsToken(sockets.url, VENDOR_KEY), /^token-/);
    const written = sdks.writeElevenLabs([
      { text: ' ', contextId: 'c1', voiceSettings: {} },
      { text: `${TEXTS[0]} `, contextId: 'c1', flush: true },
      { text: '', contextId: 'c1', flush: true },
      { contextId: 'c1', closeContext: true },
    ]);
    const sent = messagesOf(elevenLabs);
    assert.deepEqual(
      [0, 1, 3, 4].map((index) => Object.keys(sent[index]!).toSorted()),
      written.map(namesLikeOurs),
    );
    const alignment = { chars: ['a'], charStartTimesMs: [0], charDurationsMs: [10] };
    const read = sdks.readElevenLabs([{ audio: 'AAAA', contextId: 'c1', alignment }]);
    assert.deepEqual(read, [{ audio: 'AAAA', contextId: 'c1', alignment }]);
  });
});

/** Leaves out fields without a value, which the SDK sends as null. */
function withoutNothing(message: object): object {
  return Object.fromEntries(Object.entries(message).filter(([, value]) => value !== null && value !== undefined));
}

/** Names of the fields; the SDK's own type writes the context as in messages of the server. */
function namesLikeOurs(message: unknown): string[] {
  return Object.keys(message as object)
    .map((name) => (name === 'contextId' ? 'context_id' : name))
    .toSorted();
}

describe('The recipe for realtime models of the AI SDK', long, () => {
  let host: Host;
  let model: WebSocketServer;

  before(async () => {
    await ensureInstalled('docs/examples/vendors');
    model = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    [host] = await Promise.all([startHost(), once(model, 'listening')]);
  });

  after(() => {
    model.close();
    return host.close();
  });

  it('plays the answers in place of the SDK, also if the socket closes, and sends what was heard to the model', async (t) => {
    const program = `
      import 'svc-speaker/define.js';
      import { createOpenAI } from '@ai-sdk/openai';
      import { Experimental_AbstractRealtimeSession as AbstractSession } from 'ai';
      import { playedBy } from './vendors/ai-sdk.ts';
      class Session extends AbstractSession {
        setState(key: string, value: unknown) {
          if (key === 'isPlaying') log.push('The SDK plays.');
          if (key === 'status' && ['disconnected', 'error'].includes(value as string)) end();
        }
      }
      const log: string[] = [];
      const speaker = document.querySelector('svc-speaker')!;
      for (const type of ['utterancestart', 'utteranceend'] as const) {
        speaker.addEventListener(type, ({ utterance: { text, heard } }) => log.push(type + ': ' + text + ' ' + heard.seconds));
      }
      const openai = createOpenAI({ apiKey: 'none' }).experimental_realtime('gpt-realtime');
      const { model, end } = playedBy(speaker, openai, (event) => void session.sendEvent(event));
      const session = new Session({ model, api: { token: 'token' } });
      Object.assign(globalThis, { session, log });`;
    const { port } = model.address() as AddressInfo;
    const setup = JSON.stringify({ token: 'a-token', url: `ws://127.0.0.1:${port}`, tools: [] });
    const { page } = await host.open(t, '<svc-speaker></svc-speaker><script type="module" src="program.js"></script>', {
      'program.js': await bundleProgram(program, { nodePaths: VENDOR_PATHS }),
      token: setup,
    });
    const opened = new Promise<WebSocket>((resolve) => model.once('connection', resolve));
    await page.evaluate(() => void (globalThis as unknown as { session: { connect(): unknown } }).session.connect());
    const socket = await opened;
    const truncated = new Promise<Record<string, unknown>[]>((resolve) => {
      const truncations: Record<string, unknown>[] = [];
      socket.on('message', (data: Buffer) => {
        const message = JSON.parse(data.toString()) as Record<string, unknown>;
        if (message.type === 'conversation.item.truncate' && truncations.push(message) === 2) resolve(truncations);
      });
    });
    const send = (type: string, more: object = {}): void => socket.send(JSON.stringify({ type, ...more }));
    let response = { id: 'r1' };
    const item = (id: string): object => ({ response_id: response.id, item_id: id, output_index: 0, content_index: 0 });
    const say = (id: string, seconds: number): void => {
      send('response.output_audio_transcript.delta', { ...item(id), delta: 'One two.' });
      const delta = Buffer.alloc(2 * 24_000 * seconds).toString('base64');
      send('response.output_audio.delta', { ...item(id), delta });
    };
    /** Waits until the page has logged a number of events, and returns the last one. */
    const logged = async (count: number): Promise<string> => {
      const handle = await page.waitForFunction((least) => {
        const { log } = globalThis as unknown as { log: string[] };
        return log.length >= least ? log.at(-1) : null;
      }, count);
      return (await handle.jsonValue())!;
    };
    send('session.created', { session: { id: 's' } });
    send('response.created', { response });
    say('a', 1);
    send('response.output_item.done', { ...item('a'), item: { id: 'a' } });
    assert.equal(await logged(2), 'utteranceend: One two. 1');
    send('response.done', { response });

    response = { id: 'r2' };
    send('response.created', { response });
    say('b', 30); // Longer than a busy machine takes for the next steps.
    assert.match(await logged(3), /^utterancestart: One two\./);
    say('c', 1); // A response has several items if it calls tools.
    send('input_audio_buffer.speech_started', { item_id: 'user', audio_start_ms: 0 });
    const [b, c] = await truncated;
    assert.equal(b!.item_id, 'b');
    assert.ok(Number(b!.audio_end_ms) >= 0 && Number(b!.audio_end_ms) < 30_000, String(b!.audio_end_ms));
    assert.deepEqual([c!.item_id, c!.audio_end_ms], ['c', 0]);
    say('d', 1); // It was on its way.
    send('response.done', { response });
    response = { id: 'r3' };
    send('response.created', { response });
    say('e', 1);
    send('response.done', { response }); // Some services have no other end.
    assert.equal(await logged(5), 'utteranceend: One two. 1');
    assert.equal(await page.evaluate(() => document.querySelector('svc-speaker')!.hasSpeech), false);

    response = { id: 'r4' };
    send('response.created', { response });
    say('f', 1);
    socket.close();
    assert.equal(await logged(7), 'utteranceend: One two. 1');
    assert.equal(await page.evaluate(() => document.querySelector('svc-speaker')!.hasSpeech), false);
  });

  it('plays the answers in a component that has the hook of the SDK', async (t) => {
    const program = `
      import { createElement } from 'react';
      import { createRoot } from 'react-dom/client';
      import { Assistant } from './vendors/assistant.tsx';
      createRoot(document.querySelector('main')!).render(
        createElement(Assistant, { speaker: document.querySelector('svc-speaker')! }),
      );`;
    const { port } = model.address() as AddressInfo;
    const setup = JSON.stringify({ token: 'a-token', url: `ws://127.0.0.1:${port}`, tools: [] });
    const markup = '<main></main><svc-speaker></svc-speaker><script type="module" src="program.js"></script>';
    const { page } = await host.open(t, markup, {
      'program.js': await bundleProgram(program, { nodePaths: VENDOR_PATHS, alias: ONE_REACT, define: PRODUCTION }),
      '/api/realtime/setup': setup,
    });
    await page.evaluate(imitateMicrophone);
    const opened = once(model, 'connection') as Promise<[WebSocket]>;
    await page.getByRole('button', { name: 'Talk' }).click();
    const [socket] = await opened;
    const send = (type: string, more: object = {}): void => socket.send(JSON.stringify({ type, ...more }));
    const received = (type: string): Promise<Record<string, unknown>> =>
      new Promise((resolve) => {
        socket.on('message', (data: Buffer) => {
          const message = JSON.parse(data.toString()) as Record<string, unknown>;
          if (message.type === type) resolve(message);
        });
      });
    const microphone = received('input_audio_buffer.append');
    const truncated = received('conversation.item.truncate');
    send('session.created', { session: { id: 's' } });
    send('session.updated', { session: { id: 's' } });
    await microphone;
    const item = { response_id: 'r', item_id: 'a', output_index: 0, content_index: 0 };
    send('response.created', { response: { id: 'r' } });
    send('response.output_audio_transcript.delta', { ...item, delta: 'One two.' });
    send('response.output_audio.delta', { ...item, delta: Buffer.alloc(2 * 24_000 * 30).toString('base64') });
    await page.waitForFunction(() => document.querySelector('svc-speaker')!.state === 'playing');
    send('input_audio_buffer.speech_started', { item_id: 'user', audio_start_ms: 0 });
    assert.equal((await truncated).item_id, 'a');
    assert.equal(await page.evaluate(() => document.querySelector('svc-speaker')!.hasSpeech), false);
  });
});

describe("The replacement of the player in ElevenLabs' client", long, () => {
  let host: Host;
  let agent: WebSocketServer;

  before(async () => {
    await ensureInstalled('docs/examples/vendors');
    agent = new WebSocketServer({ port: 0, host: '127.0.0.1', handleProtocols: ([first = '']) => first });
    [host] = await Promise.all([startHost(), once(agent, 'listening')]);
  });

  after(() => {
    agent.close();
    return host.close();
  });

  it('plays the answers, and sets the volume of the client to 0', async (t) => {
    const program = `
      import { converse } from './page/from-elevenlabs.js';
      Object.assign(globalThis, { converse });`;
    const { page } = await host.open(t, '<svc-speaker></svc-speaker><script type="module" src="program.js"></script>', {
      'program.js': await bundleProgram(program, { nodePaths: VENDOR_PATHS }),
    });
    await page.evaluate(imitateMicrophone);
    const connected = once(agent, 'connection') as Promise<[WebSocket]>;
    await page.evaluate(
      (url) => {
        const { converse } = globalThis as unknown as {
          converse(url: string, show: (...texts: string[]) => void): Promise<object>;
        };
        const log: string[] = [];
        const speaker = document.querySelector('svc-speaker')!;
        speaker.addEventListener('utteranceend', ({ utterance: { text, endTime } }) => log.push(`${text} ${endTime}`));
        const conversation = converse(url, (...texts) => log.push(texts.join(': ')));
        Object.assign(globalThis, { log, conversation });
      },
      `ws://127.0.0.1:${(agent.address() as AddressInfo).port}/`,
    );
    const [socket] = await connected;
    const send = (event: object): void => socket.send(JSON.stringify(event));
    send({
      type: 'conversation_initiation_metadata',
      conversation_initiation_metadata_event: {
        conversation_id: 'c',
        agent_output_audio_format: 'pcm_16000',
        user_input_audio_format: 'pcm_16000',
      },
    });
    const volume = await page.evaluate(
      async () => (await (globalThis as unknown as { conversation: Promise<{ volume: number }> }).conversation).volume,
    );
    assert.equal(volume, 0);
    const answer = (event_id: number, agent_response: string, seconds: number): void => {
      send({ type: 'agent_response', agent_response_event: { agent_response, event_id } });
      const audio_base_64 = Buffer.alloc(2 * 16_000 * seconds).toString('base64');
      send({ type: 'audio', audio_event: { audio_base_64, event_id } });
    };
    answer(1, 'One two.', 0.5);
    send({ type: 'user_transcript', user_transcription_event: { user_transcript: 'Go on.', event_id: 2 } });
    const logOf = (count: number): Promise<string[]> =>
      page
        .waitForFunction((least) => {
          const { log } = globalThis as unknown as { log: string[] };
          return log.length >= least ? log : null;
        }, count)
        .then((handle) => handle.jsonValue() as Promise<string[]>);
    assert.deepEqual(await logOf(3), ['agent: One two.', 'user: Go on.', 'One two. 0.5']);
    answer(3, 'Three.', 30);
    await page.waitForFunction(() => document.querySelector('svc-speaker')!.state === 'playing');
    send({ type: 'interruption', interruption_event: { event_id: 4 } });
    answer(3, '', 1); // It was on its way.
    await page.waitForFunction(() => !document.querySelector('svc-speaker')!.hasSpeech);
    assert.deepEqual((await logOf(4)).slice(3, 4), ['agent: Three.']);
  });
});

/** Replaces the microphone of a page by silence. */
function imitateMicrophone(): void {
  const { stream } = new AudioContext().createMediaStreamDestination();
  navigator.mediaDevices.getUserMedia = async () => stream;
}
