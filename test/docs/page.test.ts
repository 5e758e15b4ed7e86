import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, before, describe, it, type TestContext } from 'node:test';
import type {} from '../../src/define.js';
import type { SpeakerMessages, SvcSpeakerElement, Utterance } from '../../src/index.js';
import { bundle, example, load, ROOT } from './example.js';
import { loadWords, startHost, type Host, type HostPage } from './host.js';
import { long } from '../long.js';

/** Parts of LiveKit's client that the example uses. */
interface PerformRpcParams {
  readonly destinationIdentity: string;
  readonly method: string;
  readonly payload: string;
}
type TextStreamHandler = (reader: ReadableStream<string>, participant: { identity: string }) => Promise<void>;

const SPEAKER = '<svc-speaker session-endpoint="/speech/session"></svc-speaker>';
const CONTROLS = '<svc-speaker controls session-endpoint="/speech/session"></svc-speaker>';
const WORDS = 'One two three.';

/** Exports of the example that a page has loaded with `withModule`. */
declare global {
  var example: Record<string, (...values: never[]) => unknown>;
}

// Several pages run at a time, because a page mostly waits for speech to end.
describe('The examples of pages in the docs', { concurrency: 4 }, () => {
  let host: Host;

  before(async () => {
    host = await startHost();
  });

  after(() => host.close());

  const read = (file: string) => readFile(example(file), 'utf8');

  /** Opens a page with a speaker, which has the exports of an example in the global `example`. */
  async function withModule(t: TestContext, file: string, markup = SPEAKER, more = {}): Promise<HostPage> {
    const script = `import 'svc-speaker/define.js'; import * as all from './example.js'; globalThis.example = all;`;
    const opened = await host.open(t, `${markup}<script type="module">${script}</script>`, {
      'example.js': await read(file),
      ...more,
    });
    await opened.page.waitForFunction(() => 'example' in globalThis);
    return opened;
  }

  it('greets', async (t) => {
    const { page } = await host.open(t, await read('page/greet.html'));
    const heard = page.waitForEvent('console', (message) => message.text() === 'The last sample has been heard.');
    await page.getByRole('button', { name: 'Greet' }).click();
    await heard;
  });

  it('makes the audio output when the button is pressed that prepare names', long, async (t) => {
    const count = `globalThis.contexts = 0;
      globalThis.AudioContext = class extends AudioContext {
        constructor(...options) {
          super(...options);
          globalThis.contexts++;
        }
      };`;
    const { page } = await host.open(
      t,
      `<script>${count}</script><button id="ask">Ask</button>${await read('page/prepare.html')}
      <script type="module">import 'svc-speaker/define.js';</script>`,
    );
    // The code is loaded while the page is idle, and a press before that makes nothing.
    while (!(await page.evaluate('contexts'))) await page.getByRole('button', { name: 'Ask' }).click();
    assert.equal(await page.evaluate(() => document.querySelector('svc-speaker')!.state), 'idle');
  });

  it('shows a title on the lock screen while it reads', long, async (t) => {
    const { page } = await host.open(t, await read('page/mobile.html'));
    await page.getByRole('button', { name: 'Read aloud' }).click();
    await page.waitForFunction(() => {
      const { metadata, playbackState } = navigator.mediaSession;
      return metadata?.title === 'The tide' && playbackState === 'playing';
    });
    assert.deepEqual(
      await page.evaluate(() => {
        const { leadIn, audioSession } = document.querySelector('svc-speaker')!;
        return [leadIn, audioSession];
      }),
      [250, 'playback'],
    );
  });

  it('reads aloud, stops, and asks a visitor to log in if the session is refused', long, async (t) => {
    const { page } = await host.open(t, await read('page/speaking.html'));
    const [readAloud, stop] = ['Read aloud', 'Stop'].map((name) => page.getByRole('button', { name }));
    const note = page.getByRole('status');
    await readAloud!.click();
    await note.filter({ hasText: 'That was all.' }).waitFor();
    assert.equal(await stop!.isDisabled(), true);
    // Stopped by the page itself, before it can hear of the end.
    await stop!.evaluate((button: HTMLButtonElement) => {
      const speaker = document.querySelector('svc-speaker')!;
      speaker.addEventListener('playing', () => button.click(), { once: true });
    });
    await readAloud!.click();
    await page.waitForFunction(() => document.querySelector('svc-speaker')!.paused);
    assert.equal(await stop!.isDisabled(), true);
    assert.equal(await note.innerText(), '');
    await page.route('**/speech/session', (route) => route.fulfill({ status: 401, json: { detail: 'log in first' } }));
    await readAloud!.click();
    await note.filter({ hasText: 'Please log in' }).waitFor();
  });

  it('plays audio of its own backend, a file, and its own samples', async (t) => {
    const asked: string[] = [];
    const { page } = await withModule(t, 'page/audio-stream.js', SPEAKER, {
      '/say': async (request: import('node:http').IncomingMessage, response: import('node:http').ServerResponse) => {
        for await (const part of request) asked.push(String(part));
        response.writeHead(200, { 'Content-Type': 'audio/pcm;rate=24000' }).end(Buffer.alloc(4800));
      },
    });
    const spoken = await page.evaluate(async () => {
      const { say, playHere } = globalThis.example as unknown as {
        say(text: string): Promise<void>;
        playHere(file: Blob, samples: Int16Array): Utterance;
      };
      await say('Hello.');
      const kept = await document.querySelector('svc-speaker')!.toBlob();
      const last = playHere(kept, new Int16Array(2400));
      await last.finished;
      return { kept: kept.size, endTime: last.endTime };
    });
    assert.deepEqual(asked, ['Hello.']);
    assert.equal(spoken.kept, 44 + 4800);
    assert.ok(Math.abs(spoken.endTime - 0.3) < 1e-6, `${spoken.endTime}`);
  });

  it('plays a URL', async (t) => {
    const { page } = await host.open(
      t,
      `${await read('page/audio-stream.html')}<script type="module">import 'svc-speaker/define.js';</script>`,
      {
        '/audio/greeting.wav': (_request: unknown, response: import('node:http').ServerResponse) => {
          response.writeHead(200, { 'Content-Type': 'audio/L16;rate=24000' }).end(Buffer.alloc(4800));
        },
      },
    );
    await page.getByRole('button').first().click();
    await page.waitForFunction(() => document.querySelector('svc-speaker')!.ended);
    assert.equal(await page.evaluate(() => document.querySelector('svc-speaker')!.duration), 0.1);
  });

  it('speaks the answer of a model while the model writes it, and stops both', long, async (t) => {
    let write: (text: string | null) => void = () => {};
    let hungUp: () => void;
    const broken = new Promise<void>((resolve) => (hungUp = resolve));
    const { page } = await withModule(t, 'page/llm.js', SPEAKER, {
      '/chat': (_request: unknown, response: import('node:http').ServerResponse) => {
        response.on('close', () => hungUp());
        response.writeHead(200, { 'Content-Type': 'text/plain' });
        write = (text) => void (text === null ? response.end() : response.write(text));
        write('One two three. ');
      },
    });
    await page.evaluate(() => {
      const asked = (globalThis.example as unknown as { ask(question: string): Promise<void> }).ask('What?');
      Object.assign(globalThis, { asked: asked.then(() => 'heard') });
    });
    await page.waitForFunction(() => document.querySelector('svc-speaker')!.currentTime > 0);
    write('And four.');
    write(null);
    assert.equal(await page.evaluate(() => (globalThis as unknown as { asked: Promise<string> }).asked), 'heard');
    await broken;

    const again = new Promise<void>((resolve) => (hungUp = resolve));
    const error = page.evaluate(() =>
      (globalThis.example as unknown as { ask(question: string): Promise<void> })
        .ask('Again?')
        .catch(({ name }) => name),
    );
    await page.waitForFunction(() => !document.querySelector('svc-speaker')!.ended);
    await page.evaluate(() => globalThis.example.stop!());
    assert.equal(await error, 'AbortError');
    await again;
  });

  it('ducks for a voice, restores the volume if no word follows, and stops at a word', long, async (t) => {
    const { page } = await withModule(t, 'page/talk-back.js');
    const outcome = await page.evaluate(async () => {
      const speaker = document.querySelector('svc-speaker')!;
      const { say, voiceDetected, wordRecognised } = globalThis.example as unknown as {
        say(text: string): Utterance;
        voiceDetected(): void;
        wordRecognised(): Utterance['heard'] | null;
      };
      const nothing = wordRecognised();
      const text = 'One two three four five six seven eight nine ten, eleven, and twelve at last. '.repeat(5);
      const utterance = say(text);
      await utterance.started;
      const restored = new Promise((resolve) => speaker.addEventListener('duckend', resolve, { once: true }));
      voiceDetected();
      const lowered = speaker.ducked;
      await restored;
      // On a busy machine, the page's time runs ahead of the sound.
      while (utterance.heard.seconds <= 0.6) {
        await new Promise((resolve) => speaker.addEventListener('timeupdate', resolve, { once: true }));
      }
      voiceDetected();
      const { seconds, text: words } = wordRecognised()!;
      const isPrefix = words.length > 0 && words.length < text.length && text.startsWith(words);
      return { nothing, lowered, ducked: speaker.ducked, isPrefix, isLate: seconds > 0.6, paused: speaker.paused };
    });
    const expected = { nothing: null, lowered: true, ducked: false, isPrefix: true, isLate: true, paused: true };
    assert.deepEqual(outcome, expected);
  });

  it('reports to a model how much of its answer was heard', long, async (t) => {
    const { page } = await withModule(t, 'page/talk-back-realtime.js', SPEAKER, {
      'talk-back.js': await read('page/talk-back.js'),
    });
    // The compiler of this file inserts calls of `__name` for named functions.
    await page.evaluate('globalThis.__name = (named) => named');
    const sent = await page.evaluate(async () => {
      const speaker = document.querySelector('svc-speaker')!;
      const messages: { type: string; item?: { content: { text: string }[] } }[] = [];
      const socket = Object.assign(new EventTarget(), { send: (json: string) => messages.push(JSON.parse(json)) });
      const backend = {
        send: (event: object) => socket.dispatchEvent(new MessageEvent('message', { data: JSON.stringify(event) })),
      };
      (globalThis.example as unknown as { converse(socket: unknown): void }).converse(socket);
      const begun = new Promise((resolve) => speaker.addEventListener('utterancestart', resolve, { once: true }));
      const text = 'One two three four five six seven eight. And so on. '.repeat(5);
      backend.send({ type: 'response.output_text.delta', item_id: 'a', delta: text });
      backend.send({ type: 'response.output_text.done', item_id: 'a' });
      await begun;
      while (speaker.currentTime < 1) await new Promise((resolve) => requestAnimationFrame(resolve));
      backend.send({ type: 'input_audio_buffer.speech_started' });
      backend.send({ type: 'conversation.item.input_audio_transcription.delta' });
      // The second one has no effect: nothing is playing by then.
      backend.send({ type: 'conversation.item.input_audio_transcription.delta' });
      const heard = messages[1]?.item?.content[0]?.text ?? '';
      return { types: messages.map(({ type }) => type), isPrefix: heard.length > 0 && text.startsWith(heard) };
    });
    assert.deepEqual(sent, {
      types: ['conversation.item.delete', 'conversation.item.create'],
      isPrefix: true,
    });
  });

  it('calls a method of a LiveKit agent with what was heard of its answer', long, async (t) => {
    const { page } = await withModule(t, 'page/talk-back-livekit.js', SPEAKER, {
      'talk-back.js': await read('page/talk-back.js'),
    });
    // The compiler of this file inserts calls of `__name` for named functions.
    await page.evaluate('globalThis.__name = (named) => named');
    const outcome = await page.evaluate(async () => {
      const speaker = document.querySelector('svc-speaker')!;
      const calls: PerformRpcParams[] = [];
      let write!: (...values: Parameters<TextStreamHandler>) => Promise<void>;
      let speaking!: (isSpeaking: boolean) => void;
      const localParticipant = {
        identity: 'user',
        on: (event: 'isSpeakingChanged', listener: typeof speaking) => {
          if (event === 'isSpeakingChanged') speaking = listener;
        },
        performRpc: async (call: PerformRpcParams) => {
          calls.push(call);
          return '';
        },
      };
      const room = {
        localParticipant,
        registerTextStreamHandler: (topic: string, handler: typeof write) => {
          if (topic === 'lk.transcription') write = handler;
        },
      };
      const streamOf = (segment: string, text: string) =>
        Object.assign(new Response(text).body!.pipeThrough(new TextDecoderStream()), {
          info: { attributes: { 'lk.segment_id': segment } },
        }) as unknown as Parameters<TextStreamHandler>[0];
      (globalThis.example as unknown as { converse(...values: unknown[]): void }).converse(room, 'agent');

      const begun = new Promise((resolve) => speaker.addEventListener('utterancestart', resolve, { once: true }));
      const text = 'One two three four five six seven eight. And so on. '.repeat(5);
      await write(streamOf('a', text), { identity: 'agent' });
      await begun;
      while (speaker.currentTime < 1) await new Promise((resolve) => requestAnimationFrame(resolve));
      speaking(true);
      const lowered = speaker.ducked;
      await write(streamOf('b', ' '), { identity: 'user' });
      await write(streamOf('c', 'Stop'), { identity: 'another' });
      const untouched = { calls: calls.length, isSpeaking: speaker.hasSpeech };
      await write(streamOf('d', 'Stop'), { identity: 'user' });
      // The second one has no effect: nothing is playing by then.
      await write(streamOf('d', 'Stop it'), { identity: 'user' });
      const [{ destinationIdentity, method, payload }] = calls as [PerformRpcParams];
      const heard = JSON.parse(payload) as { segment: string; seconds: number; text: string };
      const isPrefix = heard.text.length > 0 && heard.text.length < text.length && text.startsWith(heard.text);
      const { segment, seconds } = heard;
      const call = { destinationIdentity, method, segment, isPrefix, isLate: seconds > 0.6 };
      return { lowered, untouched, call, calls: calls.length, ducked: speaker.ducked, hasSpeech: speaker.hasSpeech };
    });
    assert.deepEqual(outcome, {
      lowered: true,
      untouched: { calls: 0, isSpeaking: true },
      call: { destinationIdentity: 'agent', method: 'truncate', segment: 'a', isPrefix: true, isLate: true },
      calls: 1,
      ducked: false,
      hasSpeech: false,
    });
  });

  it('plays the audio of a LiveKit agent, and tells it how much was heard', async (t) => {
    const { page } = await withModule(t, 'page/livekit-audio.js', SPEAKER);
    // The compiler of this file inserts calls of `__name` for named functions.
    await page.evaluate('globalThis.__name = (named) => named');
    const outcome = await page.evaluate(async () => {
      const speaker = document.querySelector('svc-speaker')!;
      const calls: { method: string; payload: string }[] = [];
      let called = (): void => {};
      let receive!: (reader: unknown, from: { identity: string }) => Promise<void>;
      let clear!: (data: { callerIdentity: string }) => Promise<string>;
      const room = {
        localParticipant: {
          performRpc: async (call: PerformRpcParams) => {
            calls.push(call);
            called();
          },
        },
        registerByteStreamHandler: (_: string, handler: typeof receive) => (receive = handler),
        registerRpcMethod: (_: string, handler: typeof clear) => (clear = handler),
      };
      (globalThis.example as unknown as { playAgent(...values: unknown[]): void }).playAgent(room, 'agent');
      /** Some seconds of audio, in chunks of which one ends inside a sample; `isWhole` if the stream ends. */
      const stream = (seconds: number, isWhole: boolean) =>
        Object.assign(
          new ReadableStream({
            start(controller) {
              controller.enqueue(new Uint8Array(24_001));
              controller.enqueue(new Uint8Array(48_000 * seconds - 24_001));
              if (isWhole) controller.close();
            },
          }),
          { info: { attributes: { sample_rate: '24000', num_channels: '1' } } },
        );
      const next = (): Promise<void> => new Promise((resolve) => (called = resolve));
      const begins = (): Promise<unknown> =>
        new Promise((resolve) => speaker.addEventListener('utterancestart', resolve, { once: true }));

      await receive(stream(1, true), { identity: 'another' });
      const first = next();
      await receive(stream(1, true), { identity: 'agent' });
      await first;
      const [begun, second] = [begins(), next()];
      void receive(stream(30, false), { identity: 'agent' }); // Longer than a busy machine takes for the next steps.
      await begun;
      const answers = [await clear({ callerIdentity: 'another' }), await clear({ callerIdentity: 'agent' })];
      await second;
      // livekit/components-js 1426: the agent leaves in the middle of an answer
      let chunks = 0;
      const broken = new ReadableStream({
        pull(controller) {
          if (chunks++ === 0) controller.enqueue(new Uint8Array(24_000));
          else controller.error(new Error('The participant has disconnected.'));
        },
      });
      const third = next();
      await receive(Object.assign(broken, { info: { attributes: { sample_rate: '24000' } } }), { identity: 'agent' });
      await third;
      const events = calls.map(({ method, payload }) => {
        const event = JSON.parse(payload) as { playback_position: number; interrupted: boolean };
        return { method, ...event };
      });
      return { answers, events, busy: speaker.hasSpeech };
    });
    const [whole, part, broken] = outcome.events;
    assert.deepEqual(whole, { method: 'lk.playback_finished', playback_position: 1, interrupted: false });
    assert.ok(part!.playback_position < 30);
    assert.deepEqual({ ...part, playback_position: 0 }, { ...whole, playback_position: 0, interrupted: true });
    assert.deepEqual(broken, { ...whole, playback_position: 0.5 });
    assert.deepEqual([outcome.answers, outcome.busy, outcome.events.length], [['reject', 'ok'], false, 3]);
  });

  it('plays the audio of a model as it arrives, and tells it what was heard of it', async (t) => {
    const { page } = await withModule(t, 'page/realtime-audio.js', SPEAKER);
    // The compiler of this file inserts calls of `__name` for named functions.
    await page.evaluate('globalThis.__name = (named) => named');
    const outcome = await page.evaluate(async () => {
      const speaker = document.querySelector('svc-speaker')!;
      const messages: { type: string; audio_end_ms?: number }[] = [];
      const socket = Object.assign(new EventTarget(), { send: (json: string) => messages.push(JSON.parse(json)) });
      const receive = (event: object): boolean =>
        socket.dispatchEvent(new MessageEvent('message', { data: JSON.stringify(event) }));
      const interrupt = (globalThis.example as unknown as { playAnswers(one: unknown): () => void }).playAnswers(
        socket,
      );
      const second = btoa('\0'.repeat(2 * 24_000));
      const ids = { response_id: 'r', item_id: 'a' };
      const delta = { type: 'response.output_audio.delta', ...ids, delta: second };
      // Longer than a busy machine takes to interrupt it.
      const halfMinute = btoa('\0'.repeat(2 * 24_000 * 30));
      const begun = new Promise<Utterance>((resolve) =>
        speaker.addEventListener('utterancestart', ({ utterance }) => resolve(utterance), { once: true }),
      );
      receive({ type: 'response.output_audio_transcript.delta', ...ids, delta: 'One ' });
      receive(delta);
      receive({ type: 'response.output_audio_transcript.delta', ...ids, delta: 'two.' });
      const first = await begun;
      receive({ type: 'response.output_item.done', response_id: 'r', item: { id: 'a' } });
      await first.finished;
      receive({ ...delta, item_id: 'b', delta: halfMinute });
      await new Promise((resolve) => speaker.addEventListener('utterancestart', resolve, { once: true }));
      receive({ ...delta, item_id: 'c' }); // a response has several items if it calls tools
      interrupt();
      interrupt();
      receive({ ...delta, item_id: 'c' });
      const [cancel, truncate, other] = messages as [object, { item_id: string; audio_end_ms: number }, object];
      const isHeard = truncate.item_id === 'b' && truncate.audio_end_ms >= 0 && truncate.audio_end_ms < 30_000;
      return {
        text: first.text,
        endTime: first.endTime,
        cancel,
        other,
        isHeard,
        count: messages.length,
        busy: speaker.hasSpeech,
      };
    });
    const cancel = { type: 'response.cancel' };
    const other = { type: 'conversation.item.truncate', item_id: 'c', content_index: 0, audio_end_ms: 0 };
    assert.deepEqual(outcome, { text: 'One two.', endTime: 1, cancel, other, isHeard: true, count: 3, busy: false });
  });

  /**
   * Events of an answer with its text, which comes first; of its end; of an interruption, after which audio still comes; and
   * of the user's next turn. `$AUDIO` is the audio, `$ID` the number of the answer, `$NEXT` that of the next one.
   */
  const AGENTS: Readonly<Record<string, Readonly<Record<'answer' | 'end' | 'interruption' | 'next', string[]>>>> = {
    playGemini: {
      answer: [
        '{"serverContent":{"outputTranscription":{"text":"One two."}}}',
        '{"serverContent":{"modelTurn":{"parts":[{"inlineData":{"mimeType":"audio/pcm;rate=24000","data":"$AUDIO"}}]}}}',
      ],
      end: ['{"serverContent":{"generationComplete":true}}', '{"serverContent":{"turnComplete":true}}'],
      interruption: [
        '{"serverContent":{"interrupted":true}}',
        '{"serverContent":{"modelTurn":{"parts":[{"inlineData":{"mimeType":"audio/pcm;rate=24000","data":"$AUDIO"}}]}}}',
        '{"serverContent":{"turnComplete":true}}',
      ],
      next: [],
    },
    playElevenLabsAgent: {
      answer: [
        '{"type":"conversation_initiation_metadata","conversation_initiation_metadata_event":{"agent_output_audio_format":"pcm_24000"}}',
        '{"type":"agent_response","agent_response_event":{"agent_response":"One two."}}',
        '{"type":"audio","audio_event":{"audio_base_64":"$AUDIO","event_id":$ID}}',
      ],
      end: ['{"type":"user_transcript","user_transcription_event":{"user_transcript":"Go on."}}'],
      interruption: [
        '{"type":"interruption","interruption_event":{"event_id":$NEXT}}',
        '{"type":"audio","audio_event":{"audio_base_64":"$AUDIO","event_id":$ID}}',
      ],
      next: [],
    },
    playDeepgramAgent: {
      answer: ['{"type":"ConversationText","role":"assistant","content":"One two."}', '$AUDIO'],
      end: ['{"type":"AgentAudioDone"}'],
      interruption: ['{"type":"UserStartedSpeaking"}', '$AUDIO'],
      next: ['{"type":"ConversationText","role":"user","content":"Go on."}'],
    },
  };
  for (const [name, events] of Object.entries(AGENTS)) {
    it(`plays the answers of an agent, and none that is interrupted: ${name}`, async (t) => {
      const { page } = await withModule(t, 'page/agents.js', SPEAKER);
      await page.evaluate('globalThis.__name = (named) => named');
      const outcomes = await page.evaluate(
        async ({ named, answer, end, interruption, next }) => {
          const speaker = document.querySelector('svc-speaker')!;
          const socket = Object.assign(new EventTarget(), { binaryType: 'blob', send: () => {} });
          let id = 0;
          let seconds = 0;
          const receive = (all: readonly string[]): void => {
            for (const text of all) {
              const bytes = 2 * 24_000 * seconds;
              const json = text
                .replace('$AUDIO', btoa('\0'.repeat(bytes)))
                .replace('$ID', String(id))
                .replace('$NEXT', String(id + 1));
              const data = text === '$AUDIO' ? new ArrayBuffer(bytes) : json;
              socket.dispatchEvent(new MessageEvent('message', { data }));
            }
          };
          /** Receives an answer, and what follows once it is heard. */
          const play = async (first: readonly string[], ...then: readonly (readonly string[])[]): Promise<string> => {
            // An answer that is interrupted lasts longer than a slow machine takes to interrupt it.
            seconds = then.includes(interruption) ? 30 : 1;
            const begun = new Promise<Utterance>((resolve) =>
              speaker.addEventListener('utterancestart', ({ utterance }) => resolve(utterance), { once: true }),
            );
            id++;
            receive(first);
            const utterance = await begun;
            then.forEach(receive);
            const outcome = await utterance.finished.then(
              () => 'heard',
              (error: Error) => error.name,
            );
            return `${utterance.text} ${outcome}, ${speaker.hasSpeech ? 'and more' : 'no more'}`;
          };
          globalThis.example[named]!(socket as never);
          return [
            await play([...answer, ...end]),
            await play(answer, interruption, next),
            await play([...answer, ...end], interruption, next),
            await play(answer, end),
          ];
        },
        { named: name, ...events },
      );
      const [heard, interrupted] = ['One two. heard, no more', 'One two. AbortError, no more'];
      assert.deepEqual(outcomes, [heard, interrupted, interrupted, heard]);
    });
  }

  // langchain-ai/langchain-google 1960
  it('plays the answers of Gemini at the rate that they have', async (t) => {
    const { page } = await withModule(t, 'page/agents.js', SPEAKER);
    await page.evaluate('globalThis.__name = (named) => named');
    const seconds = await page.evaluate(async () => {
      const speaker = document.querySelector('svc-speaker')!;
      const socket = new EventTarget();
      (globalThis.example as unknown as { playGemini(one: unknown): void }).playGemini(socket);
      const begun = new Promise<Utterance>((resolve) =>
        speaker.addEventListener('utterancestart', ({ utterance }) => resolve(utterance), { once: true }),
      );
      const inlineData = { mimeType: 'audio/pcm;rate=48000', data: btoa('\0'.repeat(2 * 48_000)) };
      for (const all of [{ modelTurn: { parts: [{ inlineData }] } }, { turnComplete: true }]) {
        socket.dispatchEvent(new MessageEvent('message', { data: JSON.stringify({ serverContent: all }) }));
      }
      const utterance = await begun;
      await utterance.finished;
      return [utterance.startTime, utterance.endTime];
    });
    assert.deepEqual(seconds, [0, 1]);
  });

  it('truncates the audio of a model', async () => {
    const { truncate } = await load<{ truncate(...values: unknown[]): void }>('page/talk-back-truncate.js');
    const sent: object[] = [];
    truncate((message: object) => sent.push(message), 'a', { seconds: 1.2345, text: 'One' });
    const type = 'conversation.item.truncate';
    assert.deepEqual(sent, [{ type, item_id: 'a', content_index: 0, audio_end_ms: 1234 }]);
  });

  it('extracts the text from chunks', async () => {
    const { wordsOf } = await load<{ wordsOf(completion: unknown): AsyncIterable<string> }>('page/llm-chunks.js');
    const chunks = [{ choices: [{ delta: { content: 'One ' } }] }, { choices: [] }, { choices: [{ delta: {} }] }];
    const words: string[] = [];
    for await (const word of wordsOf(Readable.from(chunks))) words.push(word);
    assert.deepEqual(words, ['One ', '', '']);
  });

  it('shows the text that it speaks', long, async (t) => {
    const { page } = await withModule(t, 'page/llm-shown.js', `${SPEAKER}<p id="output"></p>`);
    const shown = await page.evaluate(async () => {
      const answer = new ReadableStream({
        start(controller) {
          controller.enqueue('One two ');
          controller.enqueue('three.');
          controller.close();
        },
      });
      const { showAndSpeak } = globalThis.example as unknown as { showAndSpeak(...values: unknown[]): Utterance };
      const output = document.querySelector('#output')!;
      const utterance = showAndSpeak(document.querySelector('svc-speaker'), answer, output);
      await utterance.finished;
      return [output.textContent, utterance.text];
    });
    assert.deepEqual(shown, [WORDS, WORDS]);
  });

  it('shows a caption while an utterance plays', long, async (t) => {
    const { page, speak } = await host.open(t, await read('page/captions.html'));
    await page.evaluate(() => {
      const caption = document.querySelector('#caption')!;
      const captions: string[] = [];
      // One call may report several changes.
      new MutationObserver((changes) => {
        for (const { addedNodes } of changes) captions.push(addedNodes[0]?.textContent ?? '');
      }).observe(caption, { childList: true });
      Object.assign(globalThis, { captions });
    });
    await speak(WORDS);
    await page.waitForFunction(() => document.querySelector('#caption')!.textContent === '');
    const captions = await page.evaluate(() => (globalThis as unknown as { captions: string[] }).captions);
    assert.deepEqual(captions, [WORDS, '']);
  });

  it('shows a caption for each sentence, and how much of it was played', long, async (t) => {
    const sentences = await withModule(t, 'page/captions-sentences.js');
    const texts = await sentences.page.evaluate(async () => {
      const { speakSentences } = globalThis.example as unknown as { speakSentences(...values: unknown[]): Utterance[] };
      const utterances = speakSentences(document.querySelector('svc-speaker'), 'One two. Three?');
      await Promise.all(utterances.map(({ finished }) => finished));
      return utterances.map(({ text }) => text);
    });
    assert.deepEqual(texts, ['One two. ', 'Three?']);

    const heard = await withModule(t, 'page/captions-heard.js');
    const marked = await heard.page.evaluate(async (words) => {
      const speaker = document.querySelector('svc-speaker')!;
      const { showHeard } = globalThis.example as unknown as { showHeard(...values: unknown[]): void };
      const place = document.createElement('p');
      const utterance = speaker.speak(words);
      showHeard(utterance, place);
      const { textContent, innerHTML: atFirst } = place;
      await utterance.finished;
      showHeard(utterance, place);
      return [textContent, atFirst, place.querySelector('mark')!.textContent];
    }, WORDS);
    assert.deepEqual(marked, [WORDS, `<mark></mark>${WORDS}`, WORDS]);
  });

  it('marks the word that is heard, if its time is reported', long, async (t) => {
    const { page } = await withModule(t, 'page/captions-words.js');
    await loadWords(page);
    const marked = await page.evaluate(async (words) => {
      const speaker = document.querySelector('svc-speaker')!;
      speaker.sessionRequest = { timings: 'words' };
      const place = document.createElement('p');
      (globalThis.example as unknown as { markWords(...values: unknown[]): void }).markWords(speaker, place);
      const found: string[] = [];
      speaker.addEventListener('word', () => {
        found.push([...(CSS.highlights.get('spoken') as unknown as Iterable<Range>)].map(String).join());
      });
      await speaker.speak(words).finished;
      return found;
    }, WORDS);
    assert.deepEqual(marked, WORDS.match(/\w+/g));
  });

  it('opens a mouth with the sound of each utterance, and closes it at the end', long, async (t) => {
    const { page } = await withModule(t, 'page/avatar.js');
    const openings = await page.evaluate(async () => {
      const speaker = document.querySelector('svc-speaker')!;
      let widest = 0;
      let last = 1;
      (globalThis.example.moveMouth as (...values: unknown[]) => void)(speaker, (open: number) => {
        widest = Math.max(widest, open);
        last = open;
      });
      const mouths = [];
      for (const text of ['Oh, one two three four. '.repeat(5), 'Oh, five six seven eight. '.repeat(5)]) {
        widest = 0;
        await speaker.speak(text).finished;
        await new Promise(requestAnimationFrame);
        await new Promise(requestAnimationFrame);
        mouths.push([widest, last]);
      }
      return mouths;
    });
    assert.equal(openings.length, 2);
    for (const [widest, last] of openings) {
      assert.ok(widest! > 0.2 && widest! <= 1, `opened to ${widest}`);
      assert.equal(last, 0);
    }
  });

  it('gets a room token', long, async (t) => {
    const { page } = await withModule(t, 'page/room-token.js');
    const joined = await page.evaluate(() =>
      (globalThis.example as unknown as { getRoomToken(id: string): Promise<object> }).getRoomToken('demo'),
    );
    assert.deepEqual(Object.keys(joined), ['token', 'room']);
    const refused = await page.evaluate(() =>
      (globalThis.example as unknown as { getRoomToken(id: string): Promise<object> })
        .getRoomToken('nobody')
        .catch(({ message }: Error) => message),
    );
    assert.equal(refused, 'There is no such avatar.');
  });

  it('shows the import map of an app of the consumer matrix', async () => {
    const [page, app] = await Promise.all(
      ['docs/deployment.md', 'test/consumers/apps/html/index.html'].map((file) => readFile(join(ROOT, file), 'utf8')),
    );
    const shown = /```json\n([^]*?)```/.exec(page!)![1]!;
    assert.deepEqual(JSON.parse(shown), JSON.parse(/"importmap">([^]*?)</.exec(app!)![1]!));
  });

  it('is registered by an import', long, async (t) => {
    const { page } = await host.open(t, `${SPEAKER}<script type="module">${await read('page/define.js')}</script>`);
    await page.waitForFunction(() => customElements.get('svc-speaker') !== undefined);
  });

  it('loads its thread files from the URLs in assets.js', async (t) => {
    const { page, requests, speak } = await host.open(
      t,
      `${SPEAKER}<script type="module">${await read('page/own-files.js')}</script>`,
    );
    await page.waitForFunction(() => document.querySelector<SvcSpeakerElement>('svc-speaker')!.workletUrl);
    assert.ok((await speak(WORDS)) > 0.3);
    assert.ok(requests.some((url) => url.endsWith('/dist/threads/session.worker.js')));
  });

  it('loads its thread files from the folder to which they were copied', long, async (t) => {
    const markup = await read('page/scripts-folder.html');
    const script = `<script type="module">import 'svc-speaker/define.js';</script>`;
    const { requests, speak } = await host.open(
      t,
      markup.replace('<svc-speaker', '$& session-endpoint="/speech/session"') + script,
    );
    assert.ok((await speak(WORDS)) > 0.3);
    assert.match(requests.join(' '), /\/scripts\/session\.worker\.js/);
  });

  it('takes its theme from a file, and its labels from slots', long, async (t) => {
    const script = `<script type="module">import 'svc-speaker/define.js';</script>`;
    const themed = await host.open(t, (await read('page/theme.html')) + script, {
      'card.css': 'svc-speaker.card::part(controls) { outline: 3px solid }',
    });
    const bar = themed.page.locator('svc-speaker [part="controls"]');
    assert.equal(await bar.evaluate((element) => getComputedStyle(element).outlineWidth), '3px');
    const { page } = await host.open(t, (await read('page/labels.html')) + script);
    await page.getByRole('button', { name: 'Abspielen' }).waitFor();
  });

  it('has controls in another language, in that of the page, and in one of its own', long, async (t) => {
    const german = await host.open(t, await read('page/messages.html'));
    await german.page.getByRole('button', { name: 'Abspielen' }).waitFor();

    const { page } = await withModule(t, 'page/page-language.js', `<main lang="ar-EG">${CONTROLS}</main>`);
    const translate = () =>
      page.evaluate(async () => {
        const speaker = document.querySelector('svc-speaker')!;
        await (globalThis.example as unknown as { translate(speaker: Element): Promise<void> }).translate(speaker);
        return speaker.messages?.lang;
      });
    assert.equal(await translate(), 'ar');
    await page.getByRole('button', { name: 'تشغيل' }).waitFor();
    await page.evaluate(() => (document.querySelector('main')!.lang = 'en'));
    assert.equal(await translate(), undefined);
    await page.getByRole('button', { name: 'Play' }).waitFor();

    const { dutch } = await load<{ dutch: Partial<SpeakerMessages> }>('page/own-messages.ts');
    await page.evaluate((messages) => (document.querySelector('svc-speaker')!.messages = messages), dutch);
    await page.getByRole('button', { name: 'Afspelen' }).waitFor();
  });

  it('leaves out controls', long, async (t) => {
    const script = `<script type="module">import 'svc-speaker/define.js';</script>`;
    const { page } = await host.open(t, (await read('page/controls-list.html')) + script);
    await page.getByRole('slider', { name: 'Position' }).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Download' }).count(), 0);
    assert.equal(await page.getByRole('combobox', { name: 'Speed' }).count(), 0);
  });

  it('is shown by the inspector', long, async (t) => {
    const { page, log } = await host.open(t, await read('page/inspector.html'));
    await page.waitForFunction(() => document.querySelector('svc-speaker-inspector:defined')?.shadowRoot);
    assert.deepEqual(log, []);
  });

  it('is played by media-chrome', long, async (t) => {
    const script = `<script type="module">import 'svc-speaker/define.js'; import 'media-chrome';</script>`;
    const markup = (await read('page/media-chrome.html')).replace('<svc-speaker', '$& text="One two three."');
    const { page } = await host.open(t, markup + script);
    await page.locator('media-play-button').click();
    await page.waitForFunction(() => document.querySelector('svc-speaker')!.ended);
  });

  it('plays in the graph of Tone.js', long, async (t) => {
    const script = `<script type="module" src="tone.js"></script>`;
    const { page, speak } = await host.open(t, SPEAKER + script, { 'tone.js': await bundle('page/tone.js') });
    await page.waitForFunction(() => document.querySelector<SvcSpeakerElement>('svc-speaker')?.destination);
    assert.ok((await speak(WORDS)) > 0.3);
    const backend = await page.evaluate(() => document.querySelector('svc-speaker')!.getStats().audioBackend);
    assert.equal(backend, 'standardized');
  });
});
