import { readFileSync } from 'node:fs';
import { generatePcm, type PcmSource } from './pcm.js';
import type { Sound } from './sound.js';
import { decodeWav } from './wav.js';

/** Options of a generated sound. */
export interface SoundOptions {
  /** In Hz; 24000 by default, as the service sends. */
  readonly sampleRate?: number;
}

/** Returns a sine at half of full scale. */
export function tone(hz: number, seconds: number, options: SoundOptions = {}): Sound {
  return make({ tone: hz }, seconds, options);
}

/**
 * Returns white noise at full scale. No two parts of it are alike, so missing, repeated or late samples show.
 *
 * @param seed - An integer; the same seed gives the same samples.
 */
export function noise(seed: number, seconds: number, options: SoundOptions = {}): Sound {
  return make({ noise: seed }, seconds, options);
}

/** Returns samples that are all zero. */
export function silence(seconds: number, { sampleRate = 24_000 }: SoundOptions = {}): Sound {
  return { samples: new Int16Array(Math.round(seconds * sampleRate)), sampleRate };
}

/**
 * Reads a WAV file: mono, 16 bits, any rate that the service may send.
 *
 * @param file - Path or content of the file.
 * @throws {Error} If the file cannot be read or has another format; the message explains how to convert it.
 */
export function wav(file: string | URL | Uint8Array): Sound {
  return decodeWav(file instanceof Uint8Array ? file : readFileSync(file));
}

/**
 * Joins sounds, one after the other.
 *
 * @throws {RangeError} If their rates differ.
 */
export function joined(...sounds: readonly Sound[]): Sound {
  const sampleRate = sounds[0]?.sampleRate ?? 24_000;
  const other = sounds.find((sound) => sound.sampleRate !== sampleRate);
  if (other) throw new RangeError(`Sounds of ${sampleRate} and ${other.sampleRate} Hz cannot be joined.`);
  const samples = new Int16Array(sounds.reduce((length, sound) => length + sound.samples.length, 0));
  let at = 0;
  for (const sound of sounds) {
    samples.set(sound.samples, at);
    at += sound.samples.length;
  }
  return { samples, sampleRate };
}

function make(source: PcmSource, seconds: number, { sampleRate = 24_000 }: SoundOptions): Sound {
  return { samples: generatePcm({ ...source, rate: sampleRate }, Math.round(seconds * sampleRate)), sampleRate };
}
