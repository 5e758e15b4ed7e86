import type { Block } from './readable-text.js';

/** A sentence in a block: offsets of its first character, and after its last one without space. */
export interface Sentence {
  readonly from: number;
  readonly to: number;
}

/** Number of blocks whose sentences are kept: the one that is read, and those around it. A long text has thousands. */
const KEPT = 16;

/** Cuts blocks into sentences, by the rules with which streams are spoken. */
export class Sentences {
  readonly #lang: string;
  /** The sentences of blocks, the oldest first. */
  readonly #known = new Map<Block, readonly Sentence[]>();

  /** @param lang - Language of text without one. */
  constructor(lang: string) {
    this.#lang = lang;
  }

  /** Returns the sentences of a block, at least one: at once if they are known. */
  of(block: Block): readonly Sentence[] | Promise<readonly Sentence[]> {
    return this.#known.get(block) ?? this.#cut(block);
  }

  async #cut(block: Block): Promise<readonly Sentence[]> {
    const { text } = block;
    const language = block.language || this.#lang;
    const [{ loadSentenceRules }, { SentenceCutter }] = await Promise.all([
      import('../text/load-sentence-rules.js'),
      import('../text/sentences.js'),
    ]);
    const cutter = new SentenceCutter(await loadSentenceRules(language), language || undefined);
    const sentences: Sentence[] = [];
    let at = 0;
    for (const part of [...cutter.push(text), cutter.rest() ?? '']) {
      const trimmed = part.trim();
      const from = at + part.length - part.trimStart().length;
      if (trimmed !== '') sentences.push({ from, to: from + trimmed.length });
      at += part.length;
    }
    const found = sentences.length > 0 ? sentences : [{ from: 0, to: text.length }];
    this.#known.set(block, found);
    if (this.#known.size > KEPT) this.#known.delete(this.#known.keys().next().value!);
    return found;
  }
}
