/** A pattern with the flag `g`, and its replacement: a text, in which $1 is the first group, or a function of the groups. */
export type Rule = readonly [RegExp, string | ((...found: string[]) => string)];

/** A part of a text, in UTF-16 units. */
export interface TextRange {
  readonly from: number;
  readonly to: number;
}

/**
 * A text made from another one, the source, by replacements. Knows for each part of it from which part of the source it
 * was made. Immutable.
 */
export class MappedText {
  readonly text: string;
  /** For each UTF-16 unit of the text, the part of the source from which it was made; both never go back. */
  readonly #from: Int32Array;
  readonly #to: Int32Array;

  private constructor(text: string, from: Int32Array, to: Int32Array) {
    this.text = text;
    this.#from = from;
    this.#to = to;
  }

  /** Returns the source itself. */
  static of(source: string): MappedText {
    const mapped = new MappedText(source, new Int32Array(source.length), new Int32Array(source.length));
    for (let at = 0; at < source.length; at++) {
      mapped.#from[at] = at;
      mapped.#to[at] = at + 1;
    }
    return mapped;
  }

  /** Joins parts that follow each other in the source. */
  static join(parts: readonly MappedText[]): MappedText {
    const text = parts.map((part) => part.text).join('');
    const joined = new MappedText(text, new Int32Array(text.length), new Int32Array(text.length));
    let at = 0;
    for (const part of parts) {
      joined.#from.set(part.#from, at);
      joined.#to.set(part.#to, at);
      at += part.text.length;
    }
    return joined;
  }

  slice(begin: number, end: number): MappedText {
    return new MappedText(this.text.slice(begin, end), this.#from.subarray(begin, end), this.#to.subarray(begin, end));
  }

  /** Returns the part of the source from which the characters from `begin` to `end` were made. `begin` < `end`. */
  sourceOf(begin: number, end: number): TextRange {
    return { from: this.#from[begin]!, to: this.#to[end - 1]! };
  }

  /**
   * Replaces all matches, as `String.replace()` does. What a replacement has in common with the match at its beginning
   * and its end stays where it was; the rest was made from the rest of the match.
   */
  replace([pattern, by]: Rule): MappedText {
    const edits: Edit[] = [];
    const say = typeof by === 'string' ? sayTemplate(by) : by;
    const text = this.text.replace(pattern, (...found) => {
      const made = say(...found);
      // The last arguments are the position and the whole text.
      if (made !== found[0]) edits.push(editOf(found.at(-2), found[0], made));
      return made;
    });
    if (edits.length === 0) return this;
    const made = new MappedText(text, new Int32Array(text.length), new Int32Array(text.length));
    let read = 0;
    let write = 0;
    const copyUpTo = (end: number): void => {
      for (; read < end; read++, write++) {
        made.#from[write] = this.#from[read]!;
        made.#to[write] = this.#to[read]!;
      }
    };
    for (const { begin, end, length } of edits) {
      copyUpTo(begin);
      const before = this.#to[begin - 1] ?? 0;
      const from = this.#from[begin] ?? before;
      // Inserted text has an empty range, unless both of its neighbours were made from the same part of the source.
      const to = begin < end ? this.#to[end - 1]! : Math.max(from, before);
      for (const last = write + length; write < last; write++) {
        made.#from[write] = from;
        made.#to[write] = to;
      }
      read = end;
    }
    copyUpTo(this.text.length);
    return made;
  }
}

/** Replaces the characters from `begin` to `end` by `length` others. */
interface Edit {
  readonly begin: number;
  readonly end: number;
  readonly length: number;
}

/** Returns the replacement of `match` at `at` by `made`, without what they have in common at their beginnings and ends. */
function editOf(at: number, match: string, made: string): Edit {
  const most = Math.min(match.length, made.length);
  let head = 0;
  while (head < most && match[head] === made[head]) head++;
  let tail = 0;
  while (tail < most - head && match.at(-1 - tail) === made.at(-1 - tail)) tail++;
  return { begin: at + head, end: at + match.length - tail, length: made.length - head - tail };
}

/** Returns a function that fills groups into a text that contains $1 and the like. */
function sayTemplate(template: string): (...found: string[]) => string {
  const parts = template.split(/\$(\d)/);
  return (...found) => parts.map((part, index) => (index % 2 ? (found[Number(part)] ?? '') : part)).join('');
}

/** Applies rules, one after the other. */
export function applyRules(text: MappedText, rules: readonly Rule[]): MappedText {
  return rules.reduce((replaced, rule) => replaced.replace(rule), text);
}
