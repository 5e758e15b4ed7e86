import type { SpeakerError } from '../base/speaker-error.js';
import { isSpokenAsWritten, type SpokenAs } from '../speakable/marks.js';
import { type Run, spokenOf } from '../speakable/runs.js';
import type { TextStream } from '../text/read-text.js';
import type { PlaybackInput } from './input.js';
import type { Opening } from './opening.js';
import type { PlaybackHost } from './ports.js';
import type { PlaybackState, QueuedUtterance } from './state.js';
import { placed } from './timeline.js';
import { UNPLACED, type UtteranceCalls, UtteranceRecord, type Words } from './utterance.js';

/** Surroundings of the book. */
interface BookUses extends Pick<PlaybackHost, 'prepareAudio' | 'readText'> {
  /** Calls of the page on its utterances. */
  readonly calls: UtteranceCalls;
  step(input: PlaybackInput): void;
  /** Sends more text of an utterance to the worker, if the worker has the utterance; null after all of it. */
  send(id: number, text: string | null): void;
}

/** Texts, promises and places of the utterances that are queued or may be kept, by their ids. Main thread. */
export class UtteranceBook {
  readonly #uses: BookUses;
  readonly #records = new Map<number, UtteranceRecord>();

  constructor(uses: BookUses) {
    this.#uses = uses;
  }

  get records(): ReadonlyMap<number, UtteranceRecord> {
    return this.#records;
  }

  /** Returns the record of an utterance of the state. */
  get(id: number): UtteranceRecord {
    return this.#records.get(id)!;
  }

  /** Makes the record of an utterance. Its text is read until it is over. */
  begin({ id, contextId }: QueuedUtterance, opening: Opening | undefined): void {
    const record = new UtteranceRecord(id, contextId, wordsOf(opening), this.#uses.calls);
    this.#records.set(id, record);
    if (!opening) return;
    if ('pauseAfter' in opening) record.pauseAfter = opening.pauseAfter;
    if ('audio' in opening) {
      record.audio = this.#uses.prepareAudio(opening.audio, record.utterance.finished);
      record.audio.catch(() => {}); // Awaited when it is needed.
    } else if (record.isOpen) void this.#read(record, opening.text, opening.spokenAs);
  }

  /** Notes where the utterances lie on the timeline, and forgets those that are over and no longer kept. */
  follow(state: PlaybackState): void {
    for (const { utterance, start } of placed(state)) {
      const end = utterance.seconds === null ? Number.NaN : start + utterance.seconds;
      this.get(utterance.id).span = { start, end };
    }
    const { past, utterances } = state;
    if (this.#records.size <= past.length + utterances.length) return;
    const ids = new Set([...past, ...utterances].map(({ id }) => id));
    for (const id of this.#records.keys()) if (!ids.has(id)) this.#records.delete(id);
  }

  /** Notes a seek: no utterance has begun since. */
  sought(): void {
    for (const record of this.#records.values()) record.begin = Number.NaN;
  }

  /** Notes that `seconds` at the beginning of the timeline are forgotten. */
  shift(seconds: number, { utterances }: PlaybackState): void {
    for (const [id, record] of this.#records) {
      record.begin -= seconds;
      if (utterances.every((one) => one.id !== id)) record.span = UNPLACED;
    }
  }

  /** Removes sentences of a stream that were read and not sent: only the first `count` are spoken. */
  dropUnsent(id: number, count: number): void {
    const record = this.get(id);
    if (record.stopReading) record.parts!.splice(count);
  }

  /** Reads a text until its utterance is over. */
  async #read(record: UtteranceRecord, text: string | TextStream, spokenAs: SpokenAs): Promise<void> {
    const { id } = record;
    const isWhole = typeof text === 'string';
    const stop = new AbortController();
    if (!isWhole) {
      record.stopReading = () => {
        stop.abort();
        record.isOpen = false;
      };
    }
    void record.utterance.finished.catch(() => {}).then(() => stop.abort());
    const add = (part: readonly Run[]): void => {
      const parts = record.parts!;
      const spoken = spokenOf(part);
      if (isWhole) parts.pop();
      if (spoken === '' && parts.length > 0) parts.push([...parts.pop()!, ...part]);
      else parts.push(part);
      if (spoken === '') return;
      this.#uses.step({ type: 'first-text', id });
      this.#uses.send(id, spoken);
    };
    try {
      await this.#uses.readText(text, spokenAs, add, stop.signal);
    } catch (error) {
      if (stop.signal.aborted) return;
      this.#uses.step({ type: 'text-failed', id, error: error as SpeakerError });
    }
    if (stop.signal.aborted) return;
    record.isOpen = false;
    this.#uses.send(id, null);
  }
}

/** Returns the words of an utterance at its beginning. */
function wordsOf(opening: Opening | undefined): Words {
  if (!opening) return { parts: null, isOpen: false };
  const { text } = opening;
  if (typeof text !== 'string') return { parts: [], isOpen: true };
  if ('audio' in opening) return { parts: text ? asWritten(text) : [], isOpen: opening.isOpen ?? false };
  if (isSpokenAsWritten(text, opening.spokenAs)) return { parts: asWritten(text), isOpen: false };
  // Until it is read, the text is there, but nothing is spoken for it.
  return { parts: [[{ original: text, spoken: '' }]], isOpen: true };
}

/** Returns a text that is spoken as it is written, as one part. */
export function asWritten(text: string): (readonly Run[])[] {
  return [[{ original: text, spoken: text }]];
}
