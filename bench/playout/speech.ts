import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { loadFlite } from '../../service/src/speech/flite-module.js';
import { FliteProgram } from '../../service/src/speech/flite-program.js';
import { FLITE_VOICES, type FliteVoice } from '../../service/src/speech/flite-voices.js';
import { joinSamples } from '../../service/src/speech/join-samples.js';
import { SilenceTrimmer } from '../../service/src/speech/silence.js';
import { createResampler, designResampler, type ResamplerTable } from '../../src/dsp/index.js';
import { SOURCE_RATE } from './arrivals.js';
import { Random } from '../../src/testing/random.js';
import { SENTENCES } from './speech-text.js';

/** Pause at the end of a sentence, in seconds. */
const PAUSE_SECONDS = 0.3;

/**
 * Peak of the noise under the speech, in int16 steps: -72 dB. Because of it, no pause of the speech is digital silence,
 * so any silence in the output comes from the player, and no two places of the speech are equal.
 */
const MARKER_PEAK = 8;

/** Cache of speech between runs; git ignores it. */
const CACHE = new URL('../../.cache/bench-playout/', import.meta.url);

/** About a minute of speech, used as a loop. */
export interface Speech {
  readonly voice: string;
  /** At `SOURCE_RATE`; in shared memory. */
  readonly samples: Int16Array;
  /** Output of a resampler for the endless loop: `samples.length * up / down` samples; in shared memory. */
  readonly clean: Float32Array;
}

/** Ids of all voices. */
export const VOICES: readonly string[] = FLITE_VOICES.map(({ id }) => id);

/**
 * Speaks the text with each voice, or reads it from the cache.
 *
 * @param table - Resampler table from `SOURCE_RATE`, used to compute `clean`.
 * @param voices - Number of voices.
 */
export async function makeSpeech(table: ResamplerTable, voices: number = VOICES.length): Promise<Speech[]> {
  mkdirSync(CACHE, { recursive: true });
  let flite: FliteProgram | undefined;
  const speeches: Speech[] = [];
  for (const voice of FLITE_VOICES.slice(0, voices)) {
    const key = createHash('sha1')
      .update(JSON.stringify([voice, SENTENCES, MARKER_PEAK, PAUSE_SECONDS]))
      .digest('hex');
    const file = new URL(`${voice.id}-${key.slice(0, 12)}.s16`, CACHE);
    let bytes: Buffer;
    try {
      bytes = readFileSync(file);
    } catch {
      flite ??= new FliteProgram(await loadFlite());
      const spoken = speak(flite, voice);
      bytes = Buffer.from(spoken.buffer, spoken.byteOffset, spoken.byteLength);
      // Renamed into place, so that a concurrent run does not read half a file.
      const partial = new URL(`${voice.id}-${process.pid}.part`, CACHE);
      writeFileSync(partial, bytes);
      renameSync(partial, file);
    }
    const samples = new Int16Array(new SharedArrayBuffer(bytes.length & ~1));
    new Uint8Array(samples.buffer).set(bytes.subarray(0, samples.byteLength));
    speeches.push({ voice: voice.id, samples, clean: resampleLoop(samples, table) });
  }
  return speeches;
}

/** Speaks all sentences, at `SOURCE_RATE`, and adds the marker. */
function speak(flite: FliteProgram, { id, sampleRate }: FliteVoice): Int16Array {
  const table = designResampler(sampleRate, SOURCE_RATE);
  const parts = SENTENCES.map((text) => {
    const trimmer = new SilenceTrimmer(sampleRate, PAUSE_SECONDS);
    const spoken: Int16Array[] = [];
    flite.speak({ text, voice: id, stretch: null, pitch: 1 }, (samples) => spoken.push(trimmer.push(samples)));
    flite.recover();
    return convert(joinSamples([...spoken, trimmer.end()]), table);
  });
  const all = new Int16Array(parts.reduce((sum, part) => sum + part.length, 0));
  const random = new Random(1);
  let at = 0;
  for (const part of parts) {
    for (const value of part) {
      const marked = Math.round(value * 32768) + random.below(2 * MARKER_PEAK + 1) - MARKER_PEAK;
      all[at++] = Math.max(-32768, Math.min(32767, marked));
    }
  }
  return all;
}

function convert(samples: Int16Array, table: ResamplerTable): Float32Array {
  const resampler = createResampler(table, samples.length + table.taps);
  resampler.push(samples, 0, samples.length);
  resampler.pushSilence(resampler.latency);
  const out = new Float32Array(Math.ceil((samples.length * table.up) / table.down));
  resampler.pull(out, 0, out.length);
  return out;
}

/** Returns one round of the resampled loop. The samples before and after it are those of the loop itself. */
function resampleLoop(samples: Int16Array, table: ResamplerTable): Float32Array {
  const { up, down, taps } = table;
  const margin = down * Math.ceil(taps / down);
  const resampler = createResampler(table, samples.length + 2 * margin + taps);
  resampler.push(samples, samples.length - margin, margin);
  resampler.push(samples, 0, samples.length);
  resampler.push(samples, 0, margin);
  const before = new Float32Array((margin * up) / down);
  resampler.pull(before, 0, before.length);
  const clean = new Float32Array(new SharedArrayBuffer(((samples.length * up) / down) * 4));
  resampler.pull(clean, 0, clean.length);
  return clean;
}
