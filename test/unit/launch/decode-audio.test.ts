import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { decodeAudio } from '../../../src/launch/decode-audio.js';
import { fileOf, infoFrame, packetOf } from '../formats/compressed-file.js';

const FRAME_SAMPLES = 576;
const HEADER_BYTES = 44;

/** Faults of `FakeDecoder`: the packet at which it fails, and the formats to which it can copy. */
const faults = { failsAt: Infinity, copies: ['s16', 'f32-planar'] };
let decoder: FakeDecoder;

type DecoderInit = ConstructorParameters<typeof FakeDecoder>[0];

/** Replaces WebCodecs' AudioDecoder, whose failures a test cannot provoke. Its samples are 0.5. */
class FakeDecoder extends EventTarget {
  state = 'unconfigured';
  decodeQueueSize = 0;
  decoded = 0;
  readonly #output: (data: unknown) => void;
  readonly #error: (error: Error) => void;

  constructor({ output, error }: { output: (data: unknown) => void; error: (error: Error) => void }) {
    super();
    this.#output = output;
    this.#error = error;
  }

  configure(): void {
    this.state = 'configured';
  }

  decode(): void {
    assert.equal(this.state, 'configured');
    this.decodeQueueSize++;
    setImmediate(() => this.#step());
  }

  async flush(): Promise<void> {
    while (this.decodeQueueSize > 0 && this.state === 'configured') await new Promise(setImmediate);
    if (this.state !== 'configured') throw new DOMException('Closed.', 'AbortError');
  }

  close(): void {
    assert.notEqual(this.state, 'closed');
    this.state = 'closed';
  }

  #step(): void {
    if (this.state === 'closed') return;
    this.decodeQueueSize--;
    if (this.decoded === faults.failsAt) {
      this.state = 'closed';
      this.#error(new DOMException('Decoding error.', 'EncodingError'));
      return;
    }
    this.decoded++;
    const copyTo = (to: Int16Array | Float32Array, { format }: { format: string }): void => {
      if (!faults.copies.includes(format)) throw new DOMException('No conversion.', 'NotSupportedError');
      to.fill(format === 's16' ? 16_384 : 0.5);
    };
    this.#output({ numberOfFrames: FRAME_SAMPLES, numberOfChannels: 1, sampleRate: 24_000, copyTo, close: () => {} });
    this.dispatchEvent(new Event('dequeue'));
  }
}

/** Replaces the constructor, so that the test can access the decoder. */
function AudioDecoder(init: DecoderInit): FakeDecoder {
  return (decoder = new FakeDecoder(init));
}
AudioDecoder.isConfigSupported = () => Promise.resolve({ supported: true });

/** Reads a stream to its end. */
async function readAll(stream: ReadableStream<Uint8Array>): Promise<{ samples: Int16Array; error: unknown }> {
  const parts: Uint8Array[] = [];
  const reader = stream.getReader();
  let error: unknown;
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) parts.push(next.value);
  } catch (caught) {
    error = caught;
  }
  const bytes = Buffer.concat(parts).subarray(HEADER_BYTES);
  return { samples: new Int16Array(new Uint8Array(bytes).buffer), error };
}

/** Makes an MP3 file. */
async function mp3(frames: number): Promise<Uint8Array> {
  return fileOf(
    'mp3',
    Array.from({ length: frames }, (_, index) => packetOf('mp3', new Uint8Array(188).fill(index))),
  );
}

function streamOf(parts: readonly Uint8Array[], end: (controller: ReadableStreamDefaultController) => void) {
  let at = 0;
  return new ReadableStream<Uint8Array>(
    {
      pull: (controller) => {
        const part = parts[at++];
        if (part) controller.enqueue(part);
        else end(controller);
      },
    },
    { highWaterMark: 0 },
  );
}

/** Waits until the decoder has returned this number of frames. */
async function untilDecoded(frames: number): Promise<void> {
  const isReached = (): boolean => (decoder as FakeDecoder | undefined)?.decoded === frames;
  while (!isReached()) await new Promise(setImmediate);
}

const mpeg = { contentType: 'audio/mpeg', sampleRate: undefined, outputRate: 0 };
const close = (controller: ReadableStreamDefaultController): void => controller.close();

describe('The decoding of compressed audio', () => {
  const names = ['AudioDecoder', 'EncodedAudioChunk'] as const;
  beforeEach(() => {
    Object.assign(faults, { failsAt: Infinity, copies: ['s16', 'f32-planar'] });
    Object.assign(globalThis, { AudioDecoder, EncodedAudioChunk: Object });
  });
  afterEach(() => {
    for (const name of names) Reflect.deleteProperty(globalThis, name);
  });

  it('returns every sample, whether the browser converts the samples or not', async () => {
    for (const copies of [['s16'], ['f32-planar']]) {
      faults.copies = copies;
      const { samples, error } = await readAll(decodeAudio(mpeg, streamOf([await mp3(50)], close)));
      assert.equal(error, undefined);
      assert.equal(samples.length, 50 * FRAME_SAMPLES);
      assert.ok(samples.every((sample) => sample === 16_384));
    }
  });

  it('amplifies Opus as its header says', async () => {
    const file = Buffer.from(
      await fileOf(
        'ogg',
        [1, 2, 3].map((byte) => packetOf('ogg', Uint8Array.of(byte))),
      ),
    );
    const head = file.indexOf('OpusHead');
    for (const [db, expected] of [
      [-6, 8211],
      [12, 32_767],
    ] as const) {
      file.writeInt16LE(db * 256, head + 16);
      const { samples } = await readAll(decodeAudio(mpeg, streamOf([new Uint8Array(file)], close)));
      assert.ok(samples.length > 0 && samples.every((sample) => sample === expected), `${db} dB: ${samples[0]}`);
    }
  });

  it('continues after packets that are only padding, on a stream that pauses there', async () => {
    const file = await mp3(6);
    const first = infoFrame({ frames: 6, before: 3 * FRAME_SAMPLES, after: 600 });
    let resume = (): void => {};
    const paused = new Promise<void>((resolve) => (resume = resolve));
    const parts = [Buffer.concat([first, file.subarray(0, 3 * 192)]), file.subarray(3 * 192)];
    let at = 0;
    const stream = new ReadableStream<Uint8Array>({
      pull: async (controller) => {
        if (at === 1) await paused;
        const part = parts[at++];
        if (part) controller.enqueue(new Uint8Array(part));
        else controller.close();
      },
    });
    const all = readAll(decodeAudio(mpeg, stream));
    await untilDecoded(3);
    resume();
    assert.equal((await all).samples.length, 6 * FRAME_SAMPLES - 3 * FRAME_SAMPLES - 600);
  });

  it('returns the samples before an error of the stream, and then the error', async () => {
    const broken = new Error('Broken.');
    const stream = streamOf([await mp3(40)], (controller) => controller.error(broken));
    const { samples, error } = await readAll(decodeAudio(mpeg, stream));
    assert.equal(samples.length, 40 * FRAME_SAMPLES);
    assert.equal(error, broken);
  });

  it('returns the samples before an error of the decoder, and then the error', async () => {
    faults.failsAt = 30;
    const { samples, error } = await readAll(decodeAudio(mpeg, streamOf([await mp3(60)], close)));
    assert.equal(samples.length, 30 * FRAME_SAMPLES);
    assert.match(String(error), /Decoding error/);
  });

  it('fails if the samples cannot be copied', async () => {
    faults.copies = [];
    const { error } = await readAll(decodeAudio(mpeg, streamOf([await mp3(5)], close)));
    assert.match(String(error), /No conversion/);
    assert.equal(decoder.state, 'closed');
  });

  it('decodes little more than is read', async () => {
    const reader = decodeAudio(mpeg, streamOf([await mp3(500)], close)).getReader();
    for (let count = 0; count < 11; count++) await reader.read();
    for (let count = 0; count < 50; count++) await new Promise(setImmediate);
    assert.ok(decoder.decoded >= 10 && decoder.decoded < 40, `${decoder.decoded} packets`);
    await reader.cancel();
    assert.equal(decoder.state, 'closed');
  });

  it('cancels its source, also while it waits for it', async () => {
    let cancelled = false;
    const stream = new ReadableStream<Uint8Array>({ cancel: () => void (cancelled = true) });
    const reader = decodeAudio(mpeg, stream).getReader();
    const next = reader.read();
    await reader.cancel();
    assert.deepEqual(await next, { done: true, value: undefined });
    assert.ok(cancelled);
  });
});
