import type { Markdown } from './markdown.js';
import { MARK_BEGINNING } from './mark-beginning.js';
import { MARK } from './marks.js';
import { type Run, spokenOf } from './runs.js';
import { appendRun, splitRuns } from './spoken-text.js';

/** The beginning of a line that may become a mark; at most {@link MARK_MAX} characters, like the end of one. */
const BEGINNING = /^[ \t]*(?:\d{1,9}[.)]?|::?)?$/;
const MARK_MAX = 40;

/**
 * Makes Markdown speakable, as it arrives. Without marks, it does nothing, so the parser is only loaded with the first
 * one: after a `push()`, `waits` says whether `load()` is needed.
 */
export class SpeakableText {
  #parser: Markdown | null = null;
  /** The paragraph so far, in two parts: only the newest characters are searched for marks. */
  #before = '';
  #newest = '';
  /** How many of the newest characters have been returned. */
  #returned = 0;
  /** How many characters the parser knows that were returned before it was loaded. */
  #known = 0;
  /** True if a paragraph before it was forgotten. */
  #hasForgotten = false;
  /** True if the text has a mark, and the parser is not loaded yet. */
  waits = false;

  /** Adds text, and returns what is known to be spoken now. */
  push(text: string): Run[] {
    if (this.#parser) return this.#withoutReturned(this.#parser.push(text));
    this.#newest += text;
    if (this.waits) return [];
    MARK.lastIndex = this.#returned;
    const mark = MARK.exec(this.#newest);
    this.waits = mark !== null;
    const runs = this.#return(mark ? beginOf(mark) : this.#newest.length - this.#undecided.length);
    if (!this.waits) this.#forget();
    return runs;
  }

  /** Loads the parser, and returns what is known with it. */
  async load(): Promise<Run[]> {
    const { Markdown: Parser } = await import('./markdown.js');
    this.waits = false;
    this.#parser = new Parser(!this.#hasForgotten);
    this.#known = this.#before.length + this.#returned;
    return this.push(this.#before + this.#newest);
  }

  /** Ends the text, and returns the rest. */
  end(): Run[] {
    return this.#parser ? this.#withoutReturned(this.#parser.end()) : this.#return(this.#newest.length);
  }

  /** Text whose meaning depends on what follows, but which is spoken as it is if nothing does. */
  get held(): string {
    return this.#parser ? this.#parser.held : this.#undecided;
  }

  /** Returns the runs of it. */
  settle(): Run[] {
    return this.#parser ? this.#withoutReturned(this.#parser.settle()) : this.#return(this.#newest.length);
  }

  get #undecided(): string {
    const line = this.#newest.slice(this.#newest.lastIndexOf('\n') + 1);
    const held = line.length <= MARK_MAX ? BEGINNING.exec(line) : null;
    const found = held ?? MARK_BEGINNING.exec(line.slice(-MARK_MAX));
    const length = Math.min(found?.[0].length ?? 0, this.#newest.length - this.#returned);
    return length > 0 ? this.#newest.slice(-length) : '';
  }

  #return(end: number): Run[] {
    const text = this.#newest.slice(this.#returned, end);
    this.#returned = Math.max(end, this.#returned);
    const runs: Run[] = [];
    appendRun(runs, text, text);
    return runs;
  }

  /** Forgets paragraphs that are over, and keeps what was returned of this one apart: it is not searched again. */
  #forget(): void {
    const over = this.#newest.lastIndexOf('\n\n', this.#returned - 2);
    const begin = over < 0 ? 0 : over + 2;
    if (over >= 0) this.#hasForgotten ||= /\S/.test(this.#before + this.#newest.slice(0, begin));
    const from = Math.max(begin, this.#returned - 2 * MARK_MAX);
    this.#before = (over < 0 ? this.#before : '') + this.#newest.slice(begin, from);
    this.#newest = this.#newest.slice(from);
    this.#returned -= from;
  }

  /** Removes what was returned before the parser was loaded. */
  #withoutReturned(runs: Run[]): Run[] {
    if (this.#known === 0) return runs;
    const [known, rest] = splitRuns(runs, this.#known);
    this.#known -= spokenOf(known).length;
    return rest;
  }
}

/** Returns where a mark begins: that of an image before its bracket, and any other before its spaces. */
function beginOf({ 0: mark, index, input }: RegExpExecArray): number {
  if (mark === '[' && input[index - 1] === '!') return index - 1;
  return index - /[ \t]*$/.exec(input.slice(0, index))![0].length;
}
