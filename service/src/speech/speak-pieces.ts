import type { SpokenToken } from './flite-words.js';
import { mapTimes } from './map-times.js';
import type { MappedText } from './mapped-text.js';
import type { SampleQueue } from './sample-queue.js';
import type { SpeechRequest, TimedWord } from './speech-engine.js';
import { SourceWords } from './source-words.js';
import { SpeechError } from './speech-error.js';

/** A part of the speech of a piece: samples, or words whose times count from its first sample. */
export type SpeechPart = Int16Array | readonly SpokenToken[];

/** How to speak a text in pieces. */
export interface PiecesOptions<Piece> {
  /** The text that is spoken, made from the client's. */
  readonly plain: MappedText;
  /** Its pieces, in order. */
  readonly pieces: readonly Piece[];
  /** Rate of the samples, in Hz. */
  readonly sampleRate: number;
  readonly request: SpeechRequest;
  readonly signal: AbortSignal;
  /** Begins to make a piece; an empty queue without one. The signal aborts when the speech is not wanted any more. */
  readonly begin: (piece: Piece | undefined, signal: AbortSignal) => SampleQueue<SpeechPart>;
}

/**
 * Speaks the pieces of a text, one after the other, and reports their words. The next piece is begun as soon as the first
 * samples of the one before it are here, so that the engine does not wait for the reader.
 *
 * @throws {SpeechError} If nothing of the text can be spoken, or the engine fails.
 */
export async function* speakPieces<Piece>({
  plain,
  pieces,
  sampleRate,
  request,
  signal,
  begin,
}: PiecesOptions<Piece>): AsyncGenerator<Int16Array, void, void> {
  const finder = new SourceWords(plain);
  let made = 0;
  const report = (words: readonly TimedWord[]): void => {
    if (words.length > 0) request.onWords?.(words);
  };
  const abandoned = new AbortController();
  const either = AbortSignal.any([signal, abandoned.signal]);
  let next = begin(pieces[0], either);
  try {
    for (let index = 0; index < pieces.length; index++) {
      let following: SampleQueue<SpeechPart> | null = null;
      const from = made / sampleRate;
      const words: TimedWord[] = [];
      for await (const part of next) {
        signal.throwIfAborted();
        if (!(part instanceof Int16Array)) {
          words.push(...finder.find(part, from));
          continue;
        }
        following ??= begin(pieces[index + 1], either);
        made += part.length;
        // A word is reported before its first sample: if the line dies, the client knows what it has received.
        const begins = ({ start }: TimedWord): boolean => start < made / sampleRate;
        report(words.splice(0, Math.min(words.findLastIndex(begins) + 1, words.length - 1)));
        yield part;
      }
      // The end of the last sound may be so quiet that it was cut. So the last word is reported after it.
      const over = made / sampleRate;
      report(words.map((word) => mapTimes(word, (at) => Math.min(at, over))));
      signal.throwIfAborted();
      next = following ?? begin(pieces[index + 1], either);
    }
    if (made === 0) throw new SpeechError('nothing-to-speak', 'There is nothing in this text that can be spoken.');
  } finally {
    abandoned.abort();
  }
}
