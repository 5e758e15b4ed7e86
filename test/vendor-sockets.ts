import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { WebSocket, WebSocketServer } from 'ws';

/** Samples of each word. Word n of a text is a run of the value `wordValue(n)`. */
export const WORD_SAMPLES = 2400;
export const VENDOR_RATE = 24_000;
const WORD_SECONDS = WORD_SAMPLES / VENDOR_RATE;

/** Returns the value of each sample of the nth word of a context. */
export const wordValue = (index: number): number => 100 * (index + 1);

/** Key of the account at each vendor. */
export const VENDOR_KEY = 'the-vendors-key';

/** Returns the samples of `count` words. */
export function spokenWords(count: number): Int16Array {
  return Int16Array.from({ length: count * WORD_SAMPLES }, (_, at) => wordValue(Math.floor(at / WORD_SAMPLES)));
}

type Message = Record<string, unknown>;

/** Waits for some turns of the event loop. Tests advance their own clocks, so real time means nothing to them. */
async function later(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await setImmediate();
}

/** The sockets of ElevenLabs, Cartesia and Deepgram in one server at 127.0.0.1. */
export interface VendorSockets {
  readonly url: string;
  /** Messages of the clients, in order, of all sockets since the start. */
  readonly messages: Message[];
  /** Violations of the published descriptions. */
  readonly problems: string[];
  /** Requests for tokens: path and headers. */
  readonly asked: { path: string; headers: IncomingMessage['headers']; body: unknown }[];
  /** Replaces what a socket sends for the next piece of text, such as an error of the vendor. */
  next: ((socket: WebSocket, context: string) => void) | null;
  /** If true, only the first word of each text is spoken. */
  isSlow: boolean;
  close(): Promise<void>;
}

/**
 * Starts the server. It accepts what the vendors' public descriptions allow and nothing else: a field that they do not
 * name is a problem. Each token opens one socket.
 */
export async function startVendorSockets(): Promise<VendorSockets> {
  const tokens = new Set<string>();
  const server = createServer((request, response) => void answer(request, response));
  const sockets = new WebSocketServer({
    noServer: true,
    handleProtocols: (asked) => (asked.has('bearer') ? 'bearer' : false),
  });
  server.on('upgrade', (request, socket, head) => {
    const { pathname, searchParams } = new URL(request.url!, 'http://localhost');
    const speak = speakers.find(([path]) => path.test(pathname))?.[1];
    const [scheme, bearer] = (request.headers['sec-websocket-protocol'] ?? '').split(/, */);
    const token = searchParams.get('single_use_token') ?? searchParams.get('access_token') ?? bearer ?? '';
    // The vendors' libraries for servers send the key.
    const hasKey = new RegExp(`^(Token|Bearer) ${VENDOR_KEY}$`, 'i').test(request.headers.authorization ?? '');
    if (!speak || !(hasKey || tokens.delete(token)) || (scheme && scheme !== 'bearer')) {
      socket.end('HTTP/1.1 401 Unauthorized\r\n\r\n');
      return;
    }
    sockets.handleUpgrade(request, socket, head, (opened) => speak(opened, searchParams));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  const vendors: VendorSockets = {
    url: `http://127.0.0.1:${port}`,
    messages: [],
    problems: [],
    asked: [],
    next: null,
    isSlow: false,
    async close() {
      for (const socket of sockets.clients) socket.terminate();
      server.close();
      await once(server, 'close');
    },
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url!, 'http://localhost');
    const { headers } = request;
    const hasBody = Number(headers['content-length'] ?? 0) > 0;
    vendors.asked.push({ path: pathname, headers, body: hasBody ? await json(request) : undefined });
    const [key, field] = ({
      '/v1/single-use-token/tts_websocket': [headers['xi-api-key'], 'token'],
      '/access-token': [headers.authorization?.replace(/^Bearer /, ''), 'token'],
      '/v1/auth/grant': [headers.authorization?.replace(/^Token /, ''), 'access_token'],
    }[pathname] ?? []) as [string?, string?];
    if (key !== VENDOR_KEY) {
      response.writeHead(401, { 'Content-Type': 'application/json' }).end('{"detail":"no such key"}');
      return;
    }
    const token = `token-${vendors.asked.length}`;
    tokens.add(token);
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify({ [field!]: token }));
  }

  /** Takes each message of a client, and notes those with fields that are not described. */
  function receive(socket: WebSocket, fields: readonly string[], take: (message: Message) => void): void {
    socket.on('message', (data) => {
      const message = JSON.parse(String(data)) as Message;
      vendors.messages.push(message);
      for (const name of Object.keys(message)) {
        if (!fields.includes(name)) vendors.problems.push(`${name} is not a field: ${String(data)}`);
      }
      take(message);
    });
  }

  /** Calls back with each word of a text that is spoken now, and its samples. */
  function speakWords(
    socket: WebSocket,
    context: string,
    text: string,
    spoken: number,
    say: (word: string, audio: Buffer) => void,
  ): number {
    const { next } = vendors;
    vendors.next = null;
    if (next) {
      next(socket, context);
      return 0;
    }
    const words = text.match(/\S+\s*/g) ?? [];
    const count = vendors.isSlow ? 1 : words.length;
    for (const [index, word] of words.slice(0, count).entries()) {
      const samples = new Int16Array(WORD_SAMPLES).fill(wordValue(spoken + index));
      say(word, Buffer.from(samples.buffer));
    }
    return count;
  }

  function elevenLabs(socket: WebSocket): void {
    const contexts = new Map<string, { text: string; spoken: number; begun: boolean }>();
    const fields = ['text', 'context_id', 'flush', 'close_context', 'close_socket', 'voice_settings'];
    const send = (message: Message): void => socket.send(JSON.stringify(message));
    receive(socket, [...fields, 'generation_config'], ({ text, context_id, flush, close_context }) => {
      const id = String(context_id);
      const context = contexts.get(id);
      if (close_context) {
        if (context && !vendors.isSlow) send({ isFinal: true, contextId: id });
        contexts.delete(id);
        return;
      }
      if (!context) {
        if (text !== ' ') vendors.problems.push(`the first text of ${id} is not a space: ${String(text)}`);
        contexts.set(id, { text: '', spoken: 0, begun: false });
        return;
      }
      if (text === '' && context_id === undefined) {
        void later(4).then(() => {
          send({ isFinal: true });
          socket.close(1000);
        });
        return;
      }
      if (text !== '' && !String(text).endsWith(' ')) vendors.problems.push(`no space at the end: ${String(text)}`);
      context.text += String(text);
      if (!flush) return;
      // The service needs a while to begin. What it has not begun when a context is closed is dropped.
      if (!context.begun) {
        void later(2).then(() => {
          context.begun = true;
          if (contexts.get(id) === context) say(context, id, context_id !== undefined);
        });
      } else say(context, id, context_id !== undefined);
    });

    function say(context: { text: string; spoken: number }, id: string, isNamed: boolean): void {
      context.spoken += speakWords(socket, id, context.text, context.spoken, (word, audio) => {
        const chars = Array.from(word);
        const step = (WORD_SECONDS * 1000) / chars.length;
        const alignment = {
          chars,
          charStartTimesMs: chars.map((_, at) => Math.round(at * step)),
          charDurationsMs: chars.map(() => Math.round(step)),
        };
        const own = isNamed ? { contextId: id } : {};
        send({ audio: audio.toString('base64'), isFinal: null, ...own, alignment });
      });
      context.text = '';
    }
  }

  function cartesia(socket: WebSocket): void {
    const spoken = new Map<string, number>();
    const required = ['context_id', 'model_id', 'voice', 'language', 'output_format', 'transcript', 'continue'];
    const send = (message: Message): void => socket.send(JSON.stringify(message));
    receive(socket, [...required, 'add_timestamps', 'max_buffer_delay_ms', 'cancel'], (message) => {
      const { context_id, transcript, cancel } = message;
      const id = String(context_id);
      if (cancel) {
        spoken.delete(id);
        return;
      }
      for (const name of required) {
        if (!(name in message)) vendors.problems.push(`${name} is missing: ${JSON.stringify(message)}`);
      }
      const before = spoken.get(id) ?? 0;
      let count = before;
      speakWords(socket, id, String(transcript), before, (word, audio) => {
        const start = count++ * WORD_SECONDS;
        send({ type: 'chunk', data: audio.toString('base64'), done: false, status_code: 206, context_id: id });
        const word_timestamps = { words: [word.trim()], start: [start], end: [start + WORD_SECONDS] };
        send({ type: 'timestamps', done: false, status_code: 206, context_id: id, word_timestamps });
      });
      spoken.set(id, count);
      if (!message.continue && !vendors.isSlow) send({ type: 'done', done: true, status_code: 200, context_id: id });
    });
  }

  function deepgram(socket: WebSocket, query: URLSearchParams): void {
    if (query.get('encoding') !== 'linear16') vendors.problems.push(`encoding is ${query.get('encoding')}`);
    let text = '';
    let sequence = 0;
    const send = (message: Message): void => socket.send(JSON.stringify(message));
    send({ type: 'Metadata', request_id: 'r', model_name: query.get('model'), model_version: '1', model_uuid: 'm' });
    receive(socket, ['type', 'text'], ({ type, text: piece }) => {
      if (type === 'Speak') text += String(piece);
      else if (type === 'Clear') send({ type: 'Cleared', sequence_id: sequence++ });
      else if (type !== 'Flush') vendors.problems.push(`${String(type)} is not a type`);
      if (type === 'Clear') text = '';
      if (type !== 'Flush') return;
      speakWords(socket, '', text, 0, (_, audio) => socket.send(audio));
      text = '';
      if (!vendors.isSlow) send({ type: 'Flushed', sequence_id: sequence++ });
    });
  }

  function deepgramFlux(socket: WebSocket, query: URLSearchParams): void {
    if (query.get('encoding') !== 'linear16') vendors.problems.push(`encoding is ${query.get('encoding')}`);
    let turns = 0;
    /** Text of the active turn; null between two turns. */
    let text: string | null = null;
    const write = socket.send.bind(socket) as (data: unknown) => void;
    // A test that ends the turn ends it here, too.
    socket.send = (data: unknown): void => {
      write(data);
      const { type } = JSON.parse(typeof data === 'string' ? data : '{}') as Message;
      if (type === 'SpeechMetadata') text = null;
    };
    const send = (message: Message): void => socket.send(JSON.stringify(message));
    const metadata = (): Message => ({
      speech_id: `dg_sp_${turns}`,
      audio_duration_ms: 0,
      input_character_count: text?.length ?? 0,
      billable_character_count: text?.length ?? 0,
      controls_applied: { pronunciations_applied: 0, breaks_applied: 0, pronunciation_warnings: 0 },
    });
    const model = { model_name: query.get('model'), model_version: '1', model_uuids: ['m'] };
    send({ type: 'Connected', request_id: 'r', ...model });
    receive(socket, ['type', 'text', 'playback_offset'], ({ type, text: piece }) => {
      if (type === 'Speak') {
        if (text === null) send({ type: 'SpeechStarted', speech_id: `dg_sp_${++turns}` });
        text = (text ?? '') + String(piece);
      } else if (type === 'Interrupt') {
        if (text === null) send({ type: 'Warning', code: 'NO_ACTIVE_SPEECH', description: 'No turn is active.' });
        else send({ type: 'SpeechInterrupted', audio_played_ms: 0, metadata: metadata() });
        text = null;
      } else if (type === 'Flush') {
        send({ type: 'Flushed', speech_id: `dg_sp_${turns}` });
        speakWords(socket, '', text ?? '', 0, (_, audio) => socket.send(audio));
        if (!vendors.isSlow) send({ type: 'SpeechMetadata', ...metadata() });
      } else vendors.problems.push(`${String(type)} is not a type`);
    });
  }

  const speakers: readonly [RegExp, (socket: WebSocket, query: URLSearchParams) => void][] = [
    [/^\/v1\/text-to-speech\/[^/]+\/(multi-)?stream-input$/, elevenLabs],
    [/^\/tts\/websocket$/, cartesia],
    [/^\/v1\/speak$/, deepgram],
    [/^\/v2\/speak$/, deepgramFlux],
  ];
  return vendors;
}
