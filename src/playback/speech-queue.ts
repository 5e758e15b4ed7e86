import type { PlayableSession } from './ports.js';
import { UtteranceRecord } from './utterance.js';

/** Context of the first utterance, as in the session request's default; the next is `turn-2`. */
const CONTEXT_PREFIX = 'turn-';

/** How the queue and a session have been fitted to each other. */
export interface Arrangement {
  session: PlayableSession;
  /** Serials that are to be taken back from the other threads, because their order changes. */
  withdrawn: readonly number[];
  /** What is to be queued there instead. */
  queued: readonly UtteranceRecord[];
}

/**
 * The utterances that are not over, in the order they are spoken.
 *
 * Main thread.
 */
export class SpeechQueue {
  readonly #cancel: (record: UtteranceRecord) => void;
  #records: UtteranceRecord[] = [];
  #serial = 0;
  #contexts = 0;
  /** What the last sessions brought, that is over included. */
  #brought: UtteranceRecord[] = [];

  /** @param cancel - Does what an utterance's own `cancel()` promises. */
  constructor(cancel: (record: UtteranceRecord) => void) {
    this.#cancel = cancel;
  }

  get all(): readonly UtteranceRecord[] {
    return this.#records;
  }

  /** The one that is heard, or will be next. */
  get head(): UtteranceRecord | undefined {
    return this.#records[0];
  }

  get isEmpty(): boolean {
    return this.#records.length === 0;
  }

  find(serial: number): UtteranceRecord | undefined {
    return this.#records.find((record) => record.serial === serial);
  }

  /** What comes before `serial`; everything if there is no such utterance. */
  before(serial: number): readonly UtteranceRecord[] {
    const index = this.#records.findIndex((record) => record.serial === serial);
    return index < 0 ? this.#records : this.#records.slice(0, index);
  }

  /**
   * @param texts - Null if the words are the session's own.
   * @param more - More text is to follow.
   */
  add(texts: string[] | null, more: boolean, origin: 'play' | 'speak', contextId?: string): UtteranceRecord {
    const record = this.#make(contextId ?? `${CONTEXT_PREFIX}${++this.#contexts}`, texts, more, origin);
    this.#records.push(record);
    return record;
  }

  remove(records: readonly UtteranceRecord[]): void {
    this.#records = this.#records.filter((record) => !records.includes(record));
  }

  /** Numbers those that have no number yet, for the other threads; returns them. */
  number(): readonly UtteranceRecord[] {
    const fresh = this.#records.filter((record) => record.serial === 0);
    for (const record of fresh) record.serial = ++this.#serial;
    return fresh;
  }

  /** Forgets everything; returns what was waiting. */
  clear(): readonly UtteranceRecord[] {
    this.#contexts = 0;
    this.#brought = [];
    return this.#records.splice(0);
  }

  /**
   * Takes in the contexts that a session brings in its `messages`. Each is an utterance, spoken before the one that the
   * session was asked for; they take the place of utterances that wait for the words of a session.
   *
   * @param retry - A socket is tried again: contexts that were heard already, or are not wanted any more, are left out.
   */
  arrange(session: PlayableSession, asking: UtteranceRecord, retry: boolean): Arrangement {
    const messages = retry ? this.#unheard(session.messages) : session.messages;
    if (!retry) this.#brought = [];
    const from = this.#records.indexOf(asking);
    const rest = this.#records.slice(from);
    const others = rest.findIndex((record) => record.texts !== null);
    const waiting = others < 0 ? rest : rest.slice(0, others);
    const ids = [...new Set(messages.map((message) => message.context_id))];
    const inPlace = ids.length === waiting.length && ids.every((id, i) => id === waiting[i]!.utterance.contextId);
    const brought = inPlace || ids.length === 0 ? waiting : ids.map((id) => this.#make(id, null, false, asking.origin));
    this.#brought.push(...brought);
    const arranged = { ...session, messages };
    if (brought === waiting) return { session: arranged, withdrawn: [], queued: [] };

    const later = rest.slice(waiting.length);
    const withdrawn = rest.map((record) => record.serial).filter((serial) => serial !== 0);
    const queued = [...brought, ...later.filter((record) => record.serial !== 0)];
    for (const record of queued) record.serial = ++this.#serial;
    this.#records = [...this.#records.slice(0, from), ...brought, ...later];
    return { session: arranged, withdrawn, queued };
  }

  #unheard(messages: PlayableSession['messages']): PlayableSession['messages'] {
    const over = this.#brought.filter((record) => record.firstAudioMs > 0 || !this.#records.includes(record));
    return messages.filter((message) => !over.some(({ utterance }) => utterance.contextId === message.context_id));
  }

  #make(contextId: string, texts: string[] | null, more: boolean, origin: 'play' | 'speak'): UtteranceRecord {
    return new UtteranceRecord(contextId, texts, more, origin, this.#cancel);
  }
}
