import { cutIntoPieces } from '../../service/src/speech/clauses.js';
import { loadFlite } from '../../service/src/speech/flite-module.js';
import { FLITE_VOICES, type FliteVoice } from '../../service/src/speech/flite-voices.js';
import { joinSamples } from '../../service/src/speech/join-samples.js';
import { toPlainText } from '../../service/src/speech/plain-text.js';
import { SilenceTrimmer } from '../../service/src/speech/silence.js';
import { MemoryWasi, ProgramExit } from '../../service/src/speech/wasi.js';

/** Silence after a piece, in seconds, as in the service. */
const KEPT_AFTER = { sentence: 0.3, clause: 0.16, cut: 0.02 } as const;

/** A word of a text, and the time at which its last sound ends. */
export interface SpokenWord {
  /** Index in the text after its last character. */
  readonly end: number;
  /** Seconds since the beginning of the speech. */
  readonly at: number;
}

/** Speech whose word times are known. */
export interface SpokenText {
  readonly text: string;
  readonly seconds: number;
  readonly words: readonly SpokenWord[];
  /** Samples at `sampleRate`. */
  readonly samples: Int16Array;
  readonly sampleRate: number;
}

/** The embedded voices, with options that report the times of sounds. */
export class WordTimer {
  readonly #module: WebAssembly.Module;
  readonly #sounds = new Map<string, number>();

  private constructor(module: WebAssembly.Module) {
    this.#module = module;
  }

  static async load(): Promise<WordTimer> {
    return new WordTimer(await loadFlite());
  }

  /** Speaks a text as the service does: in pieces, each without the surrounding silence. */
  speak(text: string, voice: FliteVoice = FLITE_VOICES[0]!): SpokenText {
    const words = [...text.matchAll(/\S+/g)].map((match) => ({ text: match[0], end: match.index + match[0].length }));
    const spoken: SpokenWord[] = [];
    let from = 0;
    const all: Int16Array[] = [];
    for (const piece of cutIntoPieces(toPlainText(text, true).text, voice.pieceSeconds, true)) {
      const { ends, seconds, samples } = this.#run(piece.text, voice, KEPT_AFTER[piece.end]);
      all.push(samples);
      // A number is one word of the text, but several spoken words.
      let left = wordsIn(piece.text);
      const own: typeof words = [];
      while (left > 0 && words.length > 0) {
        left -= wordsIn(toPlainText(words[0]!.text, true).text);
        own.push(words.shift()!);
      }
      const counts = own.map((word) => this.#countOf(word.text, voice));
      const scale = ends.length / counts.reduce((sum, count) => sum + count, 0);
      let sounds = 0;
      own.forEach((word, index) => {
        sounds += counts[index]!;
        const last = ends[Math.max(0, Math.round(sounds * scale) - 1)] ?? 0;
        spoken.push({ end: word.end, at: from + last });
      });
      from += seconds;
    }
    return { text, seconds: from, words: spoken, samples: joinSamples(all), sampleRate: voice.sampleRate };
  }

  /** Returns the number of sounds in a word. */
  #countOf(word: string, voice: FliteVoice): number {
    const plain = toPlainText(word, true).text;
    let count = this.#sounds.get(plain);
    if (count === undefined) {
      count = this.#run(plain, voice, 0).ends.length;
      this.#sounds.set(plain, count);
    }
    return count;
  }

  /** Speaks a piece. @returns The end of each sound except pauses and the length of the piece, in seconds. */
  #run(text: string, voice: FliteVoice, keptAfter: number): { ends: number[]; samples: Int16Array; seconds: number } {
    let memory!: WebAssembly.Memory;
    let printed = '';
    const wasi = new MemoryWasi(() => memory);
    const print = (_file: number, vectors: number, count: number, result: number): number => {
      const view = new DataView(memory.buffer);
      let written = 0;
      for (let at = vectors; at < vectors + 8 * count; at += 8) {
        const length = view.getUint32(at + 4, true);
        printed += new TextDecoder().decode(new Uint8Array(memory.buffer, view.getUint32(at, true), length));
        written += length;
      }
      view.setUint32(result, written, true);
      return 0;
    };
    const imports = { ...wasi.imports, fd_write: print };
    const instance = new WebAssembly.Instance(this.#module, { wasi_snapshot_preview1: imports });
    memory = instance.exports['memory'] as WebAssembly.Memory;
    const args = ['flite', '-voice', voice.id, '-psdur', '-o', 'stream', '-t', text];
    wasi.args = args.map((arg) => new TextEncoder().encode(arg));
    const trimmer = new SilenceTrimmer(voice.sampleRate, keptAfter);
    let made = 0;
    const kept: Int16Array[] = [];
    let before: number | null = null;
    wasi.onSamples = (samples) => {
      made += samples.length;
      kept.push(trimmer.push(samples).slice());
      // Samples that the trimmer holds back are silence, before the first sound or after the last one.
      const hasBegun = kept.some(({ length }) => length > 0);
      if (hasBegun) before ??= firstSoundOf(samples, made - samples.length, voice.sampleRate);
    };
    try {
      (instance.exports['_start'] as () => void)();
    } catch (error) {
      if (!(error instanceof ProgramExit && error.code === 0)) throw error;
    }
    kept.push(trimmer.end().slice());
    const all = joinSamples(kept);
    const ends = [...printed.matchAll(/(\S+):([\d.]+)/g)]
      .filter(([, name]) => name !== 'pau')
      .map(([, , end]) => Math.max(0, Number(end) - (before ?? 0)));
    return { ends, samples: all, seconds: all.length / voice.sampleRate };
  }
}

function wordsIn(text: string): number {
  return text.match(/\S+/g)?.length ?? 0;
}

/** Returns the length of the silence that is cut from the beginning, in seconds. */
function firstSoundOf(samples: Int16Array, from: number, rate: number): number {
  const first = samples.findIndex((sample) => Math.abs(sample) > 200);
  return Math.max(0, (from + Math.max(0, first)) / rate - 0.04);
}
