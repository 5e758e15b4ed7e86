/** Speaks over the sockets of the vendors with their own SDKs, to compare their messages with those of the dialects. */
import { Cartesia } from '@cartesia/cartesia-js';
import { DeepgramClient } from '@deepgram/sdk';
import { ElevenLabsClient } from '@elevenlabs/elevenlabs-js';
import {
  WebsocketTtsClientMessageMulti,
  WebsocketTtsServerMessageMulti,
} from '@elevenlabs/elevenlabs-js/serialization/index.js';

/** Sends texts on one context, with a token as in a page, and returns what the SDK receives of it. */
export async function cartesiaSocket(baseURL: string, apiKey: string, texts: string[]): Promise<object[]> {
  const account = new Cartesia({ apiKey, baseURL });
  const { token } = await account.accessToken.create({ grants: { tts: true }, expires_in: 60 });
  const client = new Cartesia({ token, baseURL });
  const socket = await client.tts.websocket();
  const context = socket.context({
    contextId: 'c1',
    model_id: 'sonic-3',
    voice: { mode: 'id', id: 'a-voice' },
    language: 'en',
    output_format: { container: 'raw', encoding: 'pcm_s16le', sample_rate: 24000 },
    add_timestamps: true,
    max_buffer_delay_ms: 0,
  });
  for (const transcript of texts) await context.push({ transcript });
  await context.no_more_inputs();
  const received: object[] = [];
  for await (const message of context.receive()) received.push(message);
  socket.close();
  return received;
}

interface DeepgramSocket {
  on(event: 'message', listener: (message: string | { readonly type?: string }) => void): void;
}

/** Returns the messages of a socket of Deepgram, audio excepted, up to the first one of a type, or a warning. */
function messagesUntil(socket: DeepgramSocket, last: string): Promise<object[]> {
  const received: object[] = [];
  return new Promise((resolve) => {
    socket.on('message', (message) => {
      // Audio arrives as a Blob, whose type is empty.
      if (typeof message === 'string' || !message.type) return;
      received.push(message);
      if (message.type === last || message.type === 'Warning') resolve(received);
    });
  });
}

/** Sends texts and a flush, and returns what the SDK receives until the answer to it. */
export async function deepgramSocket(baseUrl: string, apiKey: string, texts: string[]): Promise<object[]> {
  const client = new DeepgramClient({ apiKey, baseUrl });
  const socket = await client.speak.v1.connect({
    model: 'aura-2-thalia-en',
    encoding: 'linear16',
    sample_rate: '24000',
    Authorization: `Token ${apiKey}`,
  });
  const received = messagesUntil(socket, 'Flushed');
  socket.connect();
  await socket.waitForOpen();
  for (const text of texts) socket.sendText({ type: 'Speak', text });
  socket.sendFlush({ type: 'Flush' });
  await received;
  socket.close();
  return received;
}

/** Sends texts, a flush and an interruption to Flux, and returns what the SDK receives until the answer to it. */
export async function deepgramFluxSocket(baseUrl: string, apiKey: string, texts: string[]): Promise<object[]> {
  const client = new DeepgramClient({ apiKey, baseUrl });
  const socket = await client.speak.v2.connect({
    model: 'flux-haley-en',
    encoding: 'linear16',
    sample_rate: '24000',
    Authorization: `Token ${apiKey}`,
  });
  const received = messagesUntil(socket, 'SpeechInterrupted');
  socket.connect();
  await socket.waitForOpen();
  for (const text of texts) socket.sendSpeak({ type: 'Speak', text });
  socket.sendFlush({ type: 'Flush' });
  socket.sendInterrupt({ type: 'Interrupt' });
  await received;
  socket.close();
  return received;
}

/** Creates a token for one socket. The SDK has no client for that socket. */
export async function elevenLabsToken(baseUrl: string, apiKey: string): Promise<string> {
  return (await new ElevenLabsClient({ apiKey, baseUrl }).tokens.singleUse.create('tts_websocket')).token;
}

/** Reads messages of that socket as the SDK would. Throws for one with an unknown shape. */
export function readElevenLabs(messages: unknown[]): object[] {
  return messages.map((one) => WebsocketTtsServerMessageMulti.parseOrThrow(one));
}

/** Writes messages to that socket as the SDK would. */
export function writeElevenLabs(messages: object[]): unknown[] {
  return messages.map((one) => WebsocketTtsClientMessageMulti.jsonOrThrow(one as never));
}
