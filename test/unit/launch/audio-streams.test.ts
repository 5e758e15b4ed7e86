import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { AudioStream } from '../../../src/connection/audio-stream.js';
import type { AudioInput, StreamFailure } from '../../../src/connection/audio-input.js';
import { type AudioSource, prepareAudio } from '../../../src/launch/audio-input.js';
import { type Container, fileOf, packetOf } from '../formats/compressed-file.js';
import { joined } from '../formats/parts.js';
import { chunk, format, riff, s16 } from '../formats/wav-file.js';
import { FakeDecoder } from './fake-decoder.js';

const GLOBALS = ['AudioDecoder', 'EncodedAudioChunk', 'document', 'origin'] as const;
const tone = Array.from(
  { length: 300 },
  (_, i) => Math.round(12_000 * Math.sin((2 * Math.PI * 440 * i) / 24_000)) || 0,
);
const big = s16(...tone);
for (let at = 0; at < big.length; at += 2) [big[at], big[at + 1]] = [big[at + 1]!, big[at]!];
const wav = (samples: readonly number[], sampleRate = 24_000): Uint8Array =>
  riff(format({ sampleRate }), chunk('data', s16(...samples)));
const law = riff(
  format({ tag: 7, bits: 8 }),
  chunk(
    'data',
    Uint8Array.from({ length: 300 }, (_, i) => i & 255),
  ),
);

/** Result of a stream. */
interface Outcome {
  readonly sampleRate: number;
  readonly samples: readonly number[];
  readonly cause: StreamFailure | null;
}

/** Receives audio as a speaker does, with the worker's part and the page's. */
async function receive(source: AudioSource, sampleRate?: number): Promise<Outcome> {
  const samples: number[] = [];
  const prepared = prepareAudio(source, sampleRate, null, new Promise(() => {}));
  const input = prepared.input as AudioInput;
  return new Promise((resolve) => {
    const stream: AudioStream = new AudioStream(input, {
      onOpen: () => stream.play(),
      onBytes: () => {},
      onSamples: (more) => samples.push(...more),
      hasRoom: () => true,
      onEnd: (cause) => resolve({ sampleRate: stream.sampleRate, samples, cause }),
    });
    void stream.open();
  });
}

describe('An audio stream', () => {
  let server: Server;
  let origin = '';
  const served = new Map<string, { bytes: Uint8Array; type: string; size: number }>();
  before(async () => {
    Object.assign(globalThis, { AudioDecoder: FakeDecoder, EncodedAudioChunk: Object });
    server = createServer(async ({ url }, response) => {
      const { bytes, type, size } = served.get(url!)!;
      // Kept connections have timers that fetch could not clear while a later test replaces clearTimeout. They would throw:
      // https://github.com/nodejs/undici/issues/4755
      response.writeHead(200, { Connection: 'close', ...(type && { 'Content-Type': type }) });
      for (let at = 0; at < bytes.length; at += size) {
        response.write(bytes.subarray(at, at + size));
        if (size < bytes.length) await new Promise(setImmediate);
      }
      response.end();
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    Object.assign(globalThis, { document: { baseURI: origin }, origin });
  });
  after(() => {
    for (const name of GLOBALS) Reflect.deleteProperty(globalThis, name);
    server.closeAllConnections();
    server.close();
  });

  /** Makes each kind of input, from bytes in pieces of `size`. Streams and buffers have no type. */
  function inputsOf(bytes: Uint8Array<ArrayBuffer>, type: string, size: number): Record<string, AudioSource> {
    const path = `/${served.size}`;
    served.set(path, { bytes, type, size });
    const headers: Record<string, string> = type ? { 'Content-Type': type } : {};
    return {
      'a URL': origin + path,
      'a Request': new Request(origin + path, { method: 'POST', body: 'Hello.' }),
      'a Response': new Response(streamOf(bytes, size), { headers }),
      'a stream': streamOf(bytes, size),
      'a Blob': new Blob([bytes], { type }),
      'a File': new File([bytes], 'a', { type }),
      'an ArrayBuffer': bytes.slice().buffer,
    };
  }

  const compressed = (container: Container, byte: number): Promise<Uint8Array> =>
    fileOf(
      container,
      Array.from({ length: 6 }, (_, index) => packetOf(container, new Uint8Array(40).fill(byte + index))),
    );

  /** Bytes, their type, and whether the type is needed: without it, the sample rate of the page would decide otherwise. */
  const formats: Record<string, () => Promise<[Uint8Array, string, boolean?]>> = {
    WAV: async () => [wav(tone), 'audio/wav'],
    'WAV after WAV': async () => [joined(wav(tone), wav(tone.slice(5)), wav(tone)), 'audio/wav'],
    'WAV after WAV of another rate': async () => [joined(wav(tone), wav(tone, 16_000)), 'audio/wav'],
    'WAV with mu-law': async () => [law, 'audio/wav'],
    'WAV after WAV of unknown lengths': async () => {
      const endless = riff(format(), chunk('data', s16(...tone), 0xffffffff));
      return [joined(endless, endless), 'audio/wav'];
    },
    PCM: async () => [s16(...tone), 'audio/pcm;rate=24000'],
    'PCM that begins loud': async () => [s16(-30_000, ...tone), 'audio/pcm;rate=24000'],
    'big-endian L16': async () => [big, 'audio/L16;rate=24000', true],
    'little-endian L16': async () => [s16(...tone), 'audio/L16;codec=pcm;rate=24000'],
    MP3: async () => [await compressed('mp3', 1), 'audio/mpeg'],
    'MP3 after MP3': async () => [joined(await compressed('mp3', 1), await compressed('mp3', 2)), 'audio/mpeg'],
    AAC: async () => [await compressed('adts', 1), 'audio/aac'],
    'Opus in Ogg': async () => [await compressed('ogg', 1), 'audio/ogg'],
    'chained Ogg': async () => [joined(await compressed('ogg', 1), await compressed('ogg', 2)), 'audio/ogg'],
    'Opus in WebM': async () => [await compressed('webm', 1), 'audio/webm'],
    'WebM after WebM': async () => [joined(await compressed('webm', 1), await compressed('webm', 2)), 'audio/webm'],
    'MP3 as audio/wav': async () => [await compressed('mp3', 1), 'audio/wav'],
    'WAV as audio/mpeg': async () => [wav(tone), 'audio/mpeg; charset=utf-8'],
  };
  for (const [name, make] of Object.entries(formats)) {
    it(`has the same samples from every input, whole, in odd pieces and byte by byte: ${name}`, async () => {
      const [bytes, type, isTyped] = await make();
      const own = new Uint8Array(bytes);
      const right = await receive(new Blob([own], { type }));
      assert.equal(right.cause, null);
      assert.ok(right.samples.length >= 300 && right.samples.some((sample) => sample !== 0));
      for (const size of [own.length, 97, 1]) {
        for (const [input, source] of Object.entries(inputsOf(own, type, size))) {
          const isUntyped = input === 'a stream' || input === 'an ArrayBuffer';
          if (isUntyped && isTyped) continue;
          assert.deepEqual(await receive(source, isUntyped ? 24_000 : undefined), right, `${input}, ${size}`);
        }
      }
    });
  }

  const refusals: [string, Uint8Array, string, RegExp][] = [
    [
      'JSON',
      new TextEncoder().encode('{"error":{"message":"No credits."}}'),
      'audio/pcm;rate=24000',
      /^JSON, .*No credits/,
    ],
    ['FLAC', joined([0x66, 0x4c, 0x61, 0x43], new Uint8Array(99)), 'audio/flac', /^FLAC$/],
    ['a type that is unknown', new Uint8Array(99), 'image/png', /image\/png/],
  ];
  for (const [name, bytes, type, received] of refusals) {
    it(`is refused from every input: ${name}`, async () => {
      for (const size of [bytes.length, 5]) {
        for (const [input, source] of Object.entries(inputsOf(new Uint8Array(bytes), type, size))) {
          if (name !== 'JSON' && name !== 'FLAC' && /stream|Buffer/.test(input)) continue;
          const { samples, cause } = await receive(source, 24_000);
          assert.deepEqual(samples, [], input);
          assert.equal(cause?.type, 'format', input);
          assert.match((cause as { received: string }).received, received);
        }
      }
    });
  }

  // Azure-Samples/cognitive-services-speech-sdk 2111, ServeurpersoCom/qwentts.cpp 28: a service has nothing to say.
  it('fails if it has no samples, also behind a header', async () => {
    const empty = [0, 0xffffffff].map((length) => riff(format(), chunk('data', new Uint8Array(0), length)));
    const bodies = [new Uint8Array(0), ...empty, joined(empty[0]!, empty[0]!), riff(format()), riff()];
    for (const bytes of bodies) {
      for (const type of ['audio/wav', 'audio/pcm;rate=24000']) {
        const { samples, cause } = await receive(new Blob([new Uint8Array(bytes)], { type }));
        assert.deepEqual(samples, []);
        assert.deepEqual(cause, { type: 'stream-ended', bytes: bytes.length, expected: null, message: '' });
      }
    }
  });

  it('goes on with another kind of file, or fails by its name, behind what the worker has parsed', async () => {
    const mp3 = await compressed('mp3', 1);
    const alone = await receive(new Blob([new Uint8Array(mp3)]));
    const both = await receive(new Blob([new Uint8Array(joined(wav(tone), mp3))], { type: 'audio/wav' }));
    assert.deepEqual(both, { ...alone, samples: [...tone, ...alone.samples] });
    const json = new TextEncoder().encode('{"error":{"message":"No credits."}}');
    const { samples, cause } = await receive(
      new Blob([new Uint8Array(joined(wav(tone), json))], { type: 'audio/wav' }),
    );
    assert.deepEqual(samples, tone);
    assert.match((cause as { received: string }).received, /^JSON, .*No credits/);
  });

  it('plays what is right before it fails', async () => {
    const bytes = joined(wav(tone), wav(tone, 16_000).subarray(0, -200));
    const { samples, cause } = await receive(new Blob([new Uint8Array(bytes)]));
    assert.equal(samples.length, 300 + Math.ceil((200 * 24_000) / 16_000));
    assert.equal(cause?.type, 'stream-ended');
    assert.match((cause as { message: string }).message, /200 bytes more/);
    const mixed = joined(await compressed('mp3', 1), [0x66, 0x4c, 0x61, 0x43], new Uint8Array(99));
    const flac = await receive(new Blob([new Uint8Array(mixed)]));
    assert.equal(flac.samples.length, 6 * 576);
    assert.deepEqual(flac.cause, { type: 'format', received: 'FLAC' });
  });
});

function streamOf(bytes: Uint8Array, size: number): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream({
    pull: (controller) => {
      if (at >= bytes.length) controller.close();
      else controller.enqueue(bytes.slice(at, (at += size)));
    },
  });
}
