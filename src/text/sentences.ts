/** A sentence may be no longer: beyond, it is cut at a pause or at least between words, so that speech does not wait. */
const LONGEST = 400;

/**
 * What ends like this may not be the end of a sentence, though a segmenter takes it for one: a short word without a vowel
 * ("Dr.", "Mrs.", "St."), a letter ("U. S."), the number of a list's item ("1."). "Yes." and "No." are sentences.
 */
const ABBREVIATION = /(?:^|[^\p{L}\p{N}])(?:[A-Z][b-df-hj-np-tv-xz]{1,3}|\p{L}|\p{N}+)\.\s*$/u;

/** The end of a sentence, with what may follow it: quotes, brackets, space. */
const END = /[.!?…。！？]["'”’»)\]]*\s*$/u;

const segments = makeSegmenter();

/**
 * Cuts a text that comes bit by bit into sentences. Put together again, they are the text to the last character.
 *
 * Where a sentence ends is known when the next one begins: until then it is held back.
 *
 * Any thread.
 */
export class SentenceCutter {
  #pending = '';

  /** Takes more of the text; returns the sentences that are complete by that. */
  push(text: string): string[] {
    this.#pending += text;
    const complete: string[] = [];
    let sentence = '';
    for (const segment of segments(this.#pending)) {
      // The segment before is complete, now that there is another.
      if (isSpeakable(sentence) && !ABBREVIATION.test(sentence)) {
        complete.push(sentence);
        sentence = '';
      }
      sentence += segment;
    }
    while (sentence.length > LONGEST) {
      const end = pauseBefore(sentence, LONGEST);
      complete.push(sentence.slice(0, end));
      sentence = sentence.slice(end);
    }
    this.#pending = sentence;
    return complete;
  }

  /** True if what is held back looks like a whole sentence. */
  get isWhole(): boolean {
    return END.test(this.#pending) && !ABBREVIATION.test(this.#pending);
  }

  /** Gives out what is held back; null if that is nothing to be spoken. */
  rest(): string | null {
    const rest = this.#pending;
    this.#pending = '';
    return isSpeakable(rest) ? rest : null;
  }
}

/** Space, and marks like the dots of an ellipsis, are no sentence of their own. */
function isSpeakable(text: string): boolean {
  return /[\p{L}\p{N}\p{S}]/u.test(text);
}

/** The last place before `limit` where a speaker may pause, or where a word ends, or `limit` itself. */
function pauseBefore(text: string, limit: number): number {
  const head = text.slice(0, limit);
  const pause = /^.*(?:[,;:–—，、；：]\s*|\s)/su.exec(head)?.[0].length;
  // Not between the halves of a character beyond the basic plane.
  return pause ?? (/[\uD800-\uDBFF]$/.test(head) ? limit - 1 : limit);
}

/** By the rules of Unicode, or where the engine does not know them, at the usual marks. */
function makeSegmenter(): (text: string) => Iterable<string> {
  if (!('Segmenter' in Intl)) return (text) => text.match(/[^.!?…。！？\n]*[.!?…。！？\n]*["'”’»)\]]*\s*/gu) ?? [];
  const segmenter = new Intl.Segmenter(undefined, { granularity: 'sentence' });
  return (text) => Array.from(segmenter.segment(text), ({ segment }) => segment);
}
