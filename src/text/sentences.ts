/** Longest sentence, in characters. A longer one is cut at a pause or between words, so that speech starts earlier. */
const LONGEST = 400;

/**
 * Endings that a segmenter takes for the end of a sentence, although they often are not one: a short word without a
 * vowel ("Dr.", "Mrs.", "St."), a letter ("U. S."), the number of a list item ("1."). "Yes." and "No." are sentences.
 */
const ABBREVIATION = /(?:^|[^\p{L}\p{N}])(?:[A-Z][b-df-hj-np-tv-xz]{1,3}|\p{L}|\p{N}+)\.\s*$/u;

/** The end of a sentence, with closing quotes, brackets and space. */
const END = /[.!?…。！？]["'”’»)\]]*\s*$/u;

const segments = makeSegmenter();

/**
 * Cuts a text that arrives in pieces into sentences. Joined, the sentences are exactly the text.
 *
 * The end of a sentence is known only when the next one begins, so the last sentence is held back until then.
 *
 * Any thread.
 */
export class SentenceCutter {
  #pending = '';

  /** Adds a piece of text, and returns the sentences that are complete now. */
  push(text: string): string[] {
    this.#pending += text;
    const complete: string[] = [];
    let sentence = '';
    for (const segment of segments(this.#pending)) {
      // Another segment follows, so the sentence before it is complete.
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

  /** True if the text that is held back looks like a whole sentence. */
  get isWhole(): boolean {
    return END.test(this.#pending) && !ABBREVIATION.test(this.#pending);
  }

  /** Returns the text that is held back; null if there is nothing to speak in it. */
  rest(): string | null {
    const rest = this.#pending;
    this.#pending = '';
    return isSpeakable(rest) ? rest : null;
  }
}

/** Returns false if the text has only spaces and marks, such as the dots of an ellipsis. */
function isSpeakable(text: string): boolean {
  return /[\p{L}\p{N}\p{S}]/u.test(text);
}

/** Returns the last position before `limit` of a pause or the end of a word, else `limit`. */
function pauseBefore(text: string, limit: number): number {
  const head = text.slice(0, limit);
  const pause = /^.*(?:[,;:–—，、；：]\s*|\s)/su.exec(head)?.[0].length;
  // Do not cut inside a surrogate pair.
  return pause ?? (/[\uD800-\uDBFF]$/.test(head) ? limit - 1 : limit);
}

/** Returns a function that cuts text by the rules of Unicode or, without Intl.Segmenter, at the usual marks. */
function makeSegmenter(): (text: string) => Iterable<string> {
  if (!('Segmenter' in Intl)) return (text) => text.match(/[^.!?…。！？\n]*[.!?…。！？\n]*["'”’»)\]]*\s*/gu) ?? [];
  const segmenter = new Intl.Segmenter(undefined, { granularity: 'sentence' });
  return (text) => Array.from(segmenter.segment(text), ({ segment }) => segment);
}
