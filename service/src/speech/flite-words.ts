import { READ_ONLY } from './flite-module.js';
import type { TimedPhone } from './speech-engine.js';

/** A token of the text, such as `25`, when it is spoken, and with which sounds. */
export interface SpokenToken {
  /** As it is in the text, without punctuation. */
  readonly token: string;
  /** Begin and end, in seconds. */
  readonly start: number;
  readonly end: number;
  readonly phones: readonly TimedPhone[];
}

/** Offsets of members of flite's structures, in words of 4 bytes (cst_relation.h, cst_item.h, cst_features.h, cst_val.h). */
const RELATION_HEAD = 3;
const ITEM = { contents: 0, next: 2, previous: 3, daughter: 5 } as const;
const CONTENTS = { relations: 1, features: 0 } as const;
const PAIR = { name: 0, value: 1, next: 2 } as const;
const VALUE = 1;

/**
 * Reads from flite's memory which words it is about to speak, and when. Flite decides that before it makes the first
 * sample of an utterance, so call this then: its "Token" relation has the tokens of the text, each with its words, and
 * "SylStructure" the sounds of each word.
 *
 * @returns Tokens with sounds, in order; times count from the first sample of the utterance.
 */
export function readTokens(memory: WebAssembly.Memory): SpokenToken[] {
  const reader = new Reader(memory);
  const tokens: SpokenToken[] = [];
  for (const token of reader.items(reader.relation('Token'))) {
    const phones = [...reader.daughters(token)].flatMap((word) => reader.phonesOf(word));
    if (phones.length === 0) continue;
    tokens.push({ token: reader.text(token, 'name'), start: phones[0]!.start, end: phones.at(-1)!.end, phones });
  }
  return tokens;
}

/** Reads structures of flite. An address is 0 where there is nothing. */
class Reader {
  readonly #bytes: Buffer;
  readonly #words: Uint32Array;

  constructor({ buffer }: WebAssembly.Memory) {
    this.#bytes = Buffer.from(buffer);
    this.#words = new Uint32Array(buffer);
  }

  /** Returns the first item of a relation. Its name is only in the memory that flite has taken since its start. */
  relation(name: string): number {
    const at = this.#bytes.indexOf(`${name}\0`, READ_ONLY.end);
    const relation = at < 0 ? -1 : this.#words.indexOf(at, READ_ONLY.end >> 2);
    return relation < 0 ? 0 : this.#words[relation + RELATION_HEAD]!;
  }

  *items(first: number): Generator<number> {
    for (let item = first; item !== 0; item = this.#member(item, ITEM.next)) yield item;
  }

  daughters(item: number): Generator<number> {
    return this.items(this.#member(item, ITEM.daughter));
  }

  phonesOf(word: number): TimedPhone[] {
    const phones: TimedPhone[] = [];
    for (const syllable of this.daughters(this.#in(word, 'SylStructure'))) {
      for (const sound of this.daughters(syllable)) {
        const before = this.#member(this.#in(sound, 'Segment'), ITEM.previous);
        const start = before === 0 ? 0 : this.#number(before, 'end');
        phones.push({ phone: this.text(sound, 'name'), start, end: this.#number(sound, 'end') });
      }
    }
    return phones;
  }

  text(item: number, feature: string): string {
    return this.#string(this.#member(this.#feature(item, feature), VALUE));
  }

  #number(item: number, feature: string): number {
    return new DataView(this.#bytes.buffer).getFloat32(this.#feature(item, feature) + 4 * VALUE, true);
  }

  /** Returns the item of another relation with the same contents. */
  #in(item: number, relation: string): number {
    const relations = this.#member(this.#member(item, ITEM.contents), CONTENTS.relations);
    return this.#member(this.#find(relations, relation), VALUE);
  }

  #feature(item: number, name: string): number {
    return this.#find(this.#member(this.#member(item, ITEM.contents), CONTENTS.features), name);
  }

  /** Returns the value of a name in a list. */
  #find(features: number, name: string): number {
    for (let pair = this.#member(features, 0); pair !== 0; pair = this.#member(pair, PAIR.next)) {
      if (this.#string(this.#member(pair, PAIR.name)) === name) return this.#member(pair, PAIR.value);
    }
    return 0;
  }

  /** Returns a member of a structure; 0 if there is no structure. */
  #member(address: number, member: number): number {
    return address === 0 ? 0 : this.#words[(address >> 2) + member]!;
  }

  #string(address: number): string {
    return this.#bytes.toString('latin1', address, this.#bytes.indexOf(0, address));
  }
}
