import { cutIntoPieces } from '../../service/src/speech/clauses.js';
import { loadFlite } from '../../service/src/speech/flite-module.js';
import { FliteProgram } from '../../service/src/speech/flite-program.js';
import { FLITE_VOICES, type FliteVoice } from '../../service/src/speech/flite-voices.js';
import type { SpokenToken } from '../../service/src/speech/flite-words.js';
import { joinSamples } from '../../service/src/speech/join-samples.js';
import { mapTimes } from '../../service/src/speech/map-times.js';
import { toPlainText } from '../../service/src/speech/plain-text.js';
import { SilenceTrimmer } from '../../service/src/speech/silence.js';
import { SourceWords } from '../../service/src/speech/source-words.js';

/** Silence after a piece, in seconds, as in the service. */
const KEPT_AFTER = { sentence: 0.3, clause: 0.16, cut: 0.02 } as const;

/** A word of a text, and the time at which its last sound ends. */
export interface SpokenWord {
  /** Index in the text after its last character, marks included. */
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

/** The embedded voices, which tell when they speak each word. */
export class WordTimer {
  readonly #flite: FliteProgram;

  private constructor(module: WebAssembly.Module) {
    this.#flite = new FliteProgram(module);
  }

  static async load(): Promise<WordTimer> {
    return new WordTimer(await loadFlite());
  }

  /** Speaks a text as the service does: in pieces, each without the surrounding silence. */
  speak(text: string, voice: FliteVoice = FLITE_VOICES[0]!): SpokenText {
    const { id, sampleRate } = voice;
    const plain = toPlainText(text, true);
    const finder = new SourceWords(plain);
    const words = new Map<number, number>();
    const all: Int16Array[] = [];
    let made = 0;
    for (const piece of cutIntoPieces(plain.text, voice.pieceSeconds, true)) {
      const trimmer = new SilenceTrimmer(sampleRate, KEPT_AFTER[piece.end]);
      const tokens: SpokenToken[] = [];
      const samples: Int16Array[] = [];
      this.#flite.speak(
        { text: piece.text, voice: id, stretch: null, pitch: 1 },
        (some) => samples.push(trimmer.push(some).slice()),
        (more) => tokens.push(...more),
      );
      this.#flite.recover();
      samples.push(trimmer.end().slice());
      const kept = tokens.map((token) => mapTimes(token, (at) => Math.max(0, at - trimmer.cut / sampleRate)));
      for (const { to, end } of finder.find(kept, made / sampleRate))
        words.set(to + /^\S*/.exec(text.slice(to))![0].length, end);
      all.push(...samples);
      made += samples.reduce((sum, { length }) => sum + length, 0);
    }
    return {
      text,
      seconds: made / sampleRate,
      words: Array.from(words, ([end, at]) => ({ end, at })),
      samples: joinSamples(all),
      sampleRate,
    };
  }
}
