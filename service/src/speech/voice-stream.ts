import { createRateConverter, type RateConverter } from './rate-converter.js';
import { PcmReader } from './pcm-reader.js';

/**
 * Reads audio from bytes and converts it to a rate.
 *
 * @param bytes - WAV or raw PCM, in chunks of any size.
 * @param rawRate - Rate of raw PCM, in Hz.
 * @param sampleRate - Rate of the output, in Hz.
 * @throws {SpeechError} While iterating, if the audio has another format or is incomplete.
 */
export async function* readVoice(
  bytes: AsyncIterable<Uint8Array>,
  rawRate: number,
  sampleRate: number,
): AsyncGenerator<Int16Array, void, void> {
  const reader = new PcmReader(rawRate);
  let converter: RateConverter | undefined;
  for await (const read of samplesOf(bytes, reader)) {
    if (read.length === 0) continue;
    converter ??= createRateConverter(reader.sampleRate, sampleRate);
    const samples = converter.convert(read);
    if (samples.length > 0) yield samples;
  }
  const rest = converter?.flush();
  if (rest?.length) yield rest;
}

async function* samplesOf(bytes: AsyncIterable<Uint8Array>, reader: PcmReader): AsyncGenerator<Int16Array> {
  for await (const piece of bytes) yield reader.read(piece);
  yield reader.end();
}
