import assert from 'node:assert/strict';
import type { AudioParser, Part } from '../../../src/formats/audio-parser.js';
import { AudioReader } from '../../../src/formats/audio-reader.js';
import { OtherAudio } from '../../../src/formats/other-audio.js';
import { PlainAudio } from '../../../src/formats/plain-audio.js';
import { UnsupportedFormat } from '../../../src/formats/unsupported-format.js';

/** A Content-Type, and the sample rate that the page gives. */
export interface Hints {
  readonly contentType?: string;
  readonly sampleRate?: number;
}

/**
 * Parses a stream in pieces, as a page does after `PlainAudio`: each parser takes over where the one before stops.
 *
 * @param size - Length of the pieces in bytes.
 * @param parts - Gets the parts, which are those before a refusal if there is one.
 */
export function partsOf(bytes: Uint8Array, hints: Hints = {}, size: number = bytes.length, parts: Part[] = []): Part[] {
  let parser: AudioParser = new AudioReader();
  let hasBegun = false;
  const push = (piece: Uint8Array, isEnd: boolean): void => {
    for (const part of parser.push(piece, isEnd)) parts.push(part);
    const { rest } = parser;
    if (!rest) return;
    if (parser instanceof AudioReader) {
      hasBegun ||= parts.length > 0 || parser.hasTag;
      parser = new OtherAudio(hints.contentType ?? '', hints.sampleRate, !hasBegun);
    } else {
      parser = new AudioReader();
    }
    push(rest, isEnd);
  };
  for (let at = 0; at < bytes.length; at += size) push(bytes.slice(at, at + size), at + size >= bytes.length);
  return parts;
}

/** Returns the samples of a stream that is not compressed, and their rates. */
export function pcmOf(bytes: Uint8Array, hints?: Hints, size?: number): { samples: number[]; rates: number[] } {
  const parts = partsOf(bytes, hints, size);
  const samples = parts.flatMap((part) => ('samples' in part ? [...part.samples] : assert.fail('It is compressed.')));
  return { samples, rates: [...new Set(parts.map((part) => ('samples' in part ? part.sampleRate : 0)))] };
}

/** Parses a stream as the worker does. Returns the samples, and what is left for the page. */
export function plainOf(bytes: Uint8Array, { contentType = '', sampleRate }: Hints = {}, size: number = bytes.length) {
  const parser = new PlainAudio(contentType, sampleRate);
  const samples: number[] = [];
  let at = 0;
  for (; at < bytes.length && !parser.rest; at += size) {
    for (const piece of parser.push(bytes.slice(at, at + size), at + size >= bytes.length)) {
      for (const sample of piece) samples.push(sample);
    }
  }
  const rest = parser.rest && Buffer.concat([parser.rest, bytes.subarray(at)]);
  return { samples, rest: rest && new Uint8Array(rest), sampleRate: parser.sampleRate, missing: parser.missing };
}

/**
 * Parses a stream as the worker and the page do.
 *
 * @returns The samples and the packets, and the refusal that follows them, or an empty string.
 */
export function read(bytes: Uint8Array, contentType = '', size = 997, sampleRate?: number) {
  const hints = { contentType, ...(sampleRate !== undefined && { sampleRate }) };
  const { samples, rest } = plainOf(bytes, hints, size);
  const parts: Part[] = [];
  let refusal = '';
  try {
    if (rest) partsOf(rest, hints, size, parts);
  } catch (error) {
    if (!(error instanceof UnsupportedFormat)) throw error;
    refusal = error.message;
  }
  for (const part of parts) if ('samples' in part) for (const sample of part.samples) samples.push(sample);
  return { samples, packets: parts.flatMap((part) => ('data' in part ? [[...part.data]] : [])), refusal };
}

/** Returns the message with which a stream is refused. */
export function refusalOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof UnsupportedFormat) return error.message;
    throw error;
  }
  return assert.fail('It was accepted.');
}

/** Joins arrays of bytes. */
export function joined(...parts: readonly (Uint8Array | readonly number[])[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts.map((part) => Buffer.from(part as Uint8Array))));
}
