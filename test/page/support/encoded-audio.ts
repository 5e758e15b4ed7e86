import { registerAacEncoder } from '@mediabunny/aac-encoder';
import { registerMp3Encoder } from '@mediabunny/mp3-encoder';
import {
  AdtsOutputFormat,
  type AudioCodec,
  AudioSample,
  AudioSampleSource,
  BufferTarget,
  Mp3OutputFormat,
  OggOutputFormat,
  Output,
  type OutputFormat,
  WebMOutputFormat,
} from 'mediabunny';

/** Content types of compressed audio, each with its encoder. */
const ENCODERS: Record<string, { codec: AudioCodec; format: () => OutputFormat; register?: () => void }> = {
  'audio/mpeg': { codec: 'mp3', format: () => new Mp3OutputFormat(), register: registerMp3Encoder },
  'audio/aac': { codec: 'aac', format: () => new AdtsOutputFormat(), register: registerAacEncoder },
  'audio/ogg': { codec: 'opus', format: () => new OggOutputFormat() },
  'audio/webm': { codec: 'opus', format: () => new WebMOutputFormat() },
};

/** Encodes mono samples in [-1, 1]. */
export async function encoded(
  type: string,
  samples: Float32Array,
  sampleRate: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const { codec, format, register } = ENCODERS[type]!;
  register?.();
  const target = new BufferTarget();
  const output = new Output({ format: format(), target });
  const source = new AudioSampleSource({ codec, bitrate: 96_000 });
  output.addAudioTrack(source);
  await output.start();
  const sample = new AudioSample({ data: samples, format: 'f32', numberOfChannels: 1, sampleRate, timestamp: 0 });
  await source.add(sample);
  sample.close();
  await output.finalize();
  return new Uint8Array(target.buffer!);
}

/**
 * Writes a LAME tag into the first frame of an MP3 file: the number of frames that follow, and the samples added at
 * both ends.
 */
export function withLameTag(
  file: Uint8Array<ArrayBuffer>,
  { frames, delay, padding }: { frames: number; delay: number; padding: number },
): Uint8Array<ArrayBuffer> {
  const tagged = file.slice();
  const text = String.fromCharCode(...file.subarray(0, 200));
  const xing = text.search(/Xing|Info/);
  // The header contains the number of frames, the length and a table of contents.
  new DataView(tagged.buffer).setUint32(xing + 8, frames);
  const lame = xing + 8 + 4 + 4 + 100;
  tagged.set(new TextEncoder().encode('LAME3.100'), lame);
  tagged.set([delay >> 4, ((delay & 15) << 4) | (padding >> 8), padding & 255], lame + 21);
  return tagged;
}
