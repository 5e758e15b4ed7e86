import type { Markdown } from './markdown.js';
import { MARK } from './marks.js';
import { type Run, spokenOf } from './runs.js';
import { appendRun, splitRuns } from './spoken-text.js';

/** The end of a line that may become a mark. */
const MAY_BECOME = /(?:\b(?:h|ht|htt|https?|https?:\/?|ww?w?)|^[ \t]*(?:\d{1,9}[.)]?)?|[!=])$/;

/**
 * Makes Markdown speakable, as it arrives. Without marks, it does nothing, so the parser is only loaded with the first
 * one: after a `push()`, `waits` says whether `load()` is needed.
 */
export class SpeakableText {
  #parser: Markdown | null = null;
  /** The paragraph so far, and how much of it has been returned. */
  #paragraph = '';
  #returned = 0;
  /** True if the text has a mark, and the parser is not loaded yet. */
  waits = false;

  /** Adds text, and returns what is known to be spoken now. */
  push(text: string): Run[] {
    if (this.#parser) return this.#withoutReturned(this.#parser.push(text));
    this.#paragraph += text;
    if (this.waits) return [];
    MARK.lastIndex = this.#returned;
    const mark = MARK.exec(this.#paragraph);
    this.waits = mark !== null;
    const runs = this.#return(mark ? beginOf(mark) : this.#paragraph.length - this.#undecided.length);
    if (!this.waits) this.#forget();
    return runs;
  }

  /** Loads the parser, and returns what is known with it. */
  async load(): Promise<Run[]> {
    const { Markdown: Parser } = await import('./markdown.js');
    this.waits = false;
    this.#parser = new Parser();
    return this.push(this.#paragraph);
  }

  /** Ends the text, and returns the rest. */
  end(): Run[] {
    return this.#parser ? this.#withoutReturned(this.#parser.end()) : this.#return(this.#paragraph.length);
  }

  /** Text whose meaning depends on what follows, but which is spoken as it is if nothing does. */
  get held(): string {
    return this.#parser ? this.#parser.held : this.#undecided;
  }

  /** Returns the runs of it. */
  settle(): Run[] {
    return this.#parser ? this.#withoutReturned(this.#parser.settle()) : this.#return(this.#paragraph.length);
  }

  get #undecided(): string {
    const line = this.#paragraph.slice(this.#paragraph.lastIndexOf('\n') + 1);
    const length = Math.min(MAY_BECOME.exec(line)?.[0].length ?? 0, this.#paragraph.length - this.#returned);
    return length > 0 ? this.#paragraph.slice(-length) : '';
  }

  #return(end: number): Run[] {
    const text = this.#paragraph.slice(this.#returned, end);
    this.#returned = Math.max(end, this.#returned);
    const runs: Run[] = [];
    appendRun(runs, text, text);
    return runs;
  }

  /** Forgets paragraphs that are over. */
  #forget(): void {
    const end = this.#paragraph.lastIndexOf('\n\n', this.#returned - 2) + 2;
    if (end < 2) return;
    this.#paragraph = this.#paragraph.slice(end);
    this.#returned -= end;
  }

  /** Removes what was returned before the parser was loaded. */
  #withoutReturned(runs: Run[]): Run[] {
    if (this.#returned === 0) return runs;
    const [known, rest] = splitRuns(runs, this.#returned);
    this.#returned -= spokenOf(known).length;
    return rest;
  }
}

/** Returns where a mark begins: that of an image before its bracket, and the first of a line before its spaces. */
function beginOf({ 0: mark, index, input }: RegExpExecArray): number {
  const begin = mark === '[' && input[index - 1] === '!' ? index - 1 : index;
  const line = input.lastIndexOf('\n', begin - 1) + 1;
  return /^[ \t]*$/.test(input.slice(line, begin)) ? line : begin;
}
