import { createRateConverter, type RateConverter } from './rate-converter.js';
import { PcmReader } from './pcm-reader.js';

/**
 * Reads audio from bytes and converts it to a voice's rate.
 *
 * @param bytes - WAV or raw PCM, in chunks of any size.
 * @param rawRate - Rate of raw PCM, in Hz.
 * @param voiceRate - Rate of the output, in Hz.
 * @throws {SpeechError} While iterating, if the audio has another format or is incomplete.
 */
export async function* readVoice(
  bytes: AsyncIterable<Uint8Array>,
  rawRate: number,
  voiceRate: number,
): AsyncGenerator<Int16Array, void, void> {
  const reader = new PcmReader(rawRate);
  let converter: RateConverter | null = null;
  const convert = (samples: Int16Array): Int16Array => {
    if (samples.length === 0) return samples;
    converter ??= createRateConverter(reader.sampleRate, voiceRate);
    return converter.convert(samples);
  };
  for await (const piece of bytes) {
    const samples = convert(reader.read(piece));
    if (samples.length) yield samples;
  }
  const last = convert(reader.end());
  if (last.length) yield last;
  const rest = (converter as RateConverter | null)?.flush();
  if (rest?.length) yield rest;
}
