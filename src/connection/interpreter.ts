import { LETTER, WordFinder } from '../base/word-finder.js';
import { isRecord, isString } from '../protocol/fields.js';
import type { ServiceMessage, WordTiming } from '../protocol/message.js';
import type {
  JsonValue,
  MessageCondition,
  MessagePath,
  MessageTemplate,
  SpeechDialect,
  WordTimes,
} from '../protocol/speech-dialect.js';
import { bytesOf } from './base64.js';
import { fileNameOf } from './file-name.js';
import { FloatBytes } from './float-bytes.js';
import { JoinedWords, type Span, type SpokenSpan } from './joined-words.js';

/** Stands for the context of a service that speaks by itself. */
const NO_CONTEXT = '';

/** Callbacks for what the service says. */
export interface InterpreterEvents {
  /**
   * Audio has arrived: little-endian samples of 16 bits, which may begin or end in the middle of one. A header may precede
   * them in their buffer.
   */
  onAudio(bytes: Uint8Array<ArrayBuffer>, contextId: string | undefined): void;
  /** A message has arrived; null for one that means nothing in the dialect. */
  onMessage(message: ServiceMessage | null): void;
  /** Messages have to be sent now. */
  onReply(messages: readonly string[]): void;
  /** A message does not fit the dialect; `problem` says why. */
  onMisfit(problem: string): void;
}

/** A context on the way: its text, and the audio that has arrived. */
interface Track {
  readonly finder: WordFinder;
  readonly joined: JoinedWords;
  readonly floats: FloatBytes;
  seconds: number;
  /** True while its text goes on. */
  isOpen: boolean;
  /** True until audio has followed the last words. `close` would drop them before that. */
  isUnanswered: boolean;
}

/**
 * Writes and reads the messages of one socket in a dialect, which was checked before. Never throws on data from the service;
 * worker thread.
 */
export class Interpreter {
  readonly #dialect: SpeechDialect;
  readonly #values: Readonly<Record<string, JsonValue>>;
  readonly #rate: number;
  readonly #events: InterpreterEvents;
  readonly #tracks = new Map<string, Track>();
  /** The context that was begun last. */
  #latest = NO_CONTEXT;
  /** True from `cancel` until the service has answered it. */
  #isCancelling = false;

  /** @param session - Values for the templates: `voice` is the session's voice, `rate` its sample rate in Hz. */
  constructor(dialect: SpeechDialect, session: { voice: string; rate: number }, events: InterpreterEvents) {
    this.#dialect = dialect;
    this.#values = { ...session, ...dialect.values };
    this.#rate = session.rate;
    this.#events = events;
  }

  /** Returns the messages for a socket that has opened. */
  open(): string[] {
    return this.#fill(this.#dialect.send.open, {});
  }

  /** Returns the messages that speak a piece of text. */
  text(context: string, text: string): string[] {
    const { begin, text: templates } = this.#dialect.send;
    const isNew = context !== this.#latest;
    if (isNew) this.#tracks.clear(); // The contexts before it are over.
    this.#latest = context;
    const track = this.#trackOf(context);
    track.isOpen = true;
    if (LETTER.test(text)) track.isUnanswered = true;
    track.finder.add(text);
    return [...this.#fill(isNew ? begin : [], { context }), ...this.#fill(templates, { context, text })];
  }

  /** Returns the messages that end the text of a context. */
  end(context: string): string[] {
    const track = this.#trackOf(context);
    track.isOpen = false;
    const { end, close } = this.#dialect.send;
    return [...this.#fill(end, { context }), ...this.#fill(track.isUnanswered ? [] : close, { context })];
  }

  /** Returns the messages that stop a context; none if the dialect has none. */
  cancel(context: string): string[] {
    const { cancel } = this.#dialect.send;
    this.#isCancelling = Boolean(cancel && this.#dialect.receive.cancelled);
    this.#tracks.delete(context);
    return this.#fill(cancel, { context });
  }

  /** Returns the messages that keep a context from ending while it waits for text. */
  keepAlive(context: string): string[] {
    return this.#fill(this.#dialect.send.keepAlive?.messages, { context });
  }

  /** Reads one message of the service. */
  read(data: string | ArrayBuffer): void {
    const { audio } = this.#dialect.receive;
    const message = isString(data) ? parsed(data) : jsonIn(data);
    if (message) {
      this.#readMessage(message);
    } else if (isString(data) || 'base64' in audio) {
      this.#events.onMessage(null);
    } else {
      const from = Math.min(audio.headerBytes ?? 0, data.byteLength);
      this.#takeAudio(new Uint8Array(data, from), undefined);
    }
  }

  #readMessage(message: object): void {
    const { context: place, audio, failed, done, cancelled, times } = this.#dialect.receive;
    const id = valueAt(message, place);
    const contextId = isString(id) && id !== '' ? id : undefined;
    const context = contextId === undefined ? {} : { context_id: contextId };
    if (holds(message, failed)) {
      const said = valueAt(message, failed.message);
      this.#events.onMessage({ type: 'error', message: isString(said) ? said : 'no reason given', ...context });
      return;
    }
    let isKnown = false;
    const isTimed = times && (times.when ? holds(message, times.when) : Array.isArray(valueAt(message, times.start)));
    if (isTimed) {
      isKnown = true;
      this.#events.onMessage({ type: 'timings', ...this.#timesIn(message, times, contextId), ...context });
    }
    const audioPlace = 'base64' in audio ? audio.base64 : [];
    const base64 = valueAt(message, audioPlace);
    if (base64 !== undefined && base64 !== '') {
      isKnown = true;
      const bytes = isString(base64) ? bytesOf(base64) : null;
      if (!bytes) return this.#misfit(`the value at ${[audioPlace].flat().join(' or ')} is not base64`);
      this.#takeAudio(bytes, contextId);
    }
    if (holds(message, this.#isCancelling ? cancelled! : done)) {
      this.#isCancelling = false;
      const { joined, finder } = this.#trackOf(contextId);
      const words = placed(joined.rest(), finder);
      if (words.length > 0) this.#events.onMessage({ type: 'timings', words, ...context });
      this.#events.onMessage({ type: 'context_done', ...context });
    } else if (!isKnown) {
      this.#events.onMessage(null);
    }
  }

  #takeAudio(bytes: Uint8Array<ArrayBuffer>, contextId: string | undefined): void {
    const track = this.#trackOf(contextId);
    const file = track.seconds === 0 && fileNameOf(bytes);
    if (file) return this.#misfit(`the audio is ${file}: ask the service for raw samples`);
    const samples = this.#dialect.receive.format === 'f32le' ? track.floats.toInt16(bytes) : bytes;
    track.seconds += samples.length / 2 / this.#rate;
    if (track.isUnanswered && !track.isOpen) {
      this.#events.onReply(this.#fill(this.#dialect.send.close, { context: contextId ?? this.#latest }));
    }
    track.isUnanswered = false;
    this.#events.onAudio(samples, contextId);
  }

  #timesIn(
    message: object,
    { from, to, words, characters, start, end, duration, unit, since, phones }: WordTimes,
    contextId: string | undefined,
  ): { words: WordTiming[]; phones?: { phone: string; start: number; end: number }[] } {
    const track = this.#trackOf(contextId);
    const offset = since === 'message' ? track.seconds : 0;
    const seconds = (value: unknown): number =>
      typeof value === 'number' ? offset + value * (unit === 'ms' ? 0.001 : 1) : Number.NaN;
    const column = (path: MessagePath | undefined): readonly unknown[] => {
      const list = valueAt(message, path);
      return Array.isArray(list) ? list : [];
    };
    const [starts, ends, durations] = [column(start), column(end), column(duration)];
    const [froms, tos, texts] = [column(from), column(to), column(words ?? characters)];
    const spans = starts.map((value, index) => ({
      start: seconds(value),
      end: duration ? seconds(value) + seconds(durations[index]) - offset : seconds(ends[index]),
    }));
    const placedAt = (span: Span, index: number): WordTiming => ({
      from: froms[index] as number,
      to: tos[index] as number,
      ...span,
    });
    const names = phones && valueAt(message, phones.names);
    const [phoneStarts, phoneEnds] = [column(phones?.start), column(phones?.end)];
    return {
      words: words || characters ? this.#named(texts, spans, track, !words) : spans.map(placedAt),
      ...(Array.isArray(names) && {
        phones: names.map((phone, index) => ({
          phone: phone as string,
          start: seconds(phoneStarts[index]),
          end: seconds(phoneEnds[index]),
        })),
      }),
    };
  }

  /** Finds the words that a message names, whole or by their characters. What is no text is outside of the text. */
  #named(texts: readonly unknown[], spans: readonly Span[], track: Track, areCharacters: boolean): WordTiming[] {
    const spoken: SpokenSpan[] = [];
    const outside: WordTiming[] = [];
    for (const [index, span] of spans.entries()) {
      const text = texts[index];
      if (isString(text)) spoken.push({ text, ...span });
      else outside.push({ from: -1, to: -1, ...span });
    }
    const words = areCharacters ? spoken.flatMap((one) => track.joined.add(one)) : spoken;
    return [...placed(words, track.finder), ...outside];
  }

  #trackOf(context = this.#latest): Track {
    const known = this.#tracks.get(context);
    if (known) return known;
    const track = {
      finder: new WordFinder(),
      joined: new JoinedWords(),
      floats: new FloatBytes(),
      seconds: 0,
      isOpen: false,
      isUnanswered: false,
    };
    this.#tracks.set(context, track);
    return track;
  }

  #misfit(problem: string): void {
    this.#events.onMisfit(`${this.#dialect.name}: ${problem}`);
  }

  #fill(templates: readonly MessageTemplate[] = [], values: Readonly<Record<string, JsonValue>>): string[] {
    const all = { ...this.#values, ...values };
    return templates.map((template) => JSON.stringify(filled(template, all)));
  }
}

/** Returns the value of a template. A string that is nothing but a name becomes the value with that name. */
function filled(template: JsonValue, values: Readonly<Record<string, JsonValue>>): JsonValue {
  if (isString(template)) {
    const name = /^\{(\w+)\}$/.exec(template)?.[1];
    if (name !== undefined) return values[name] ?? null;
    return template.replace(/\{(\w+)\}/g, (_, one: string) => stringOf(values[one] ?? null));
  }
  if (Array.isArray(template)) return template.map((one: JsonValue) => filled(one, values));
  if (!isRecord(template)) return template;
  return Object.fromEntries(Object.entries(template).map(([name, one]) => [name, filled(one, values)]));
}

const stringOf = (value: JsonValue): string => (isString(value) ? value : JSON.stringify(value));

function holds(message: object, { at, is }: MessageCondition): boolean {
  const value = valueAt(message, at);
  return is === undefined ? Boolean(value) : value === is;
}

/** Returns the value at the first place that has one, or undefined. */
function valueAt(message: unknown, path: MessagePath | undefined): unknown {
  for (const place of [path ?? []].flat()) {
    const value = follow(message, place.split('.'));
    if (value !== undefined && value !== null) return value;
  }
  return undefined;
}

function follow(value: unknown, names: readonly string[]): unknown {
  const [name, ...rest] = names;
  if (name === undefined) return value;
  if (name === '*') return Array.isArray(value) ? value.map((one) => follow(one, rest)) : undefined;
  return isRecord(value) && Object.hasOwn(value, name) ? follow(value[name], rest) : undefined;
}

/** Finds words in the text. What belongs to the word before it lengthens that. Without a text, they are outside of it. */
function placed(words: readonly SpokenSpan[], finder: WordFinder): WordTiming[] {
  const timings: { from: number; to: number; start: number; end: number }[] = [];
  const places = finder.find(words.map(({ text }) => text));
  for (const [index, { start, end }] of words.entries()) {
    const place = places[index];
    const last = timings.at(-1);
    if (place) timings.push({ ...place, start, end });
    else if (finder.length === 0) timings.push({ from: -1, to: -1, start, end });
    else if (last && end > last.end) last.end = end;
  }
  return timings;
}

const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;
const BYTE_ORDER_MARK = 0xef;
/** White space of JSON. */
const BLANKS = [9, 10, 13, 32];

/**
 * Returns the object in a binary message that is JSON, because some relays forward every message as binary. Null for any
 * other message; that of a frame is clear from its first byte.
 */
function jsonIn(data: ArrayBuffer): object | null {
  const bytes = new Uint8Array(data);
  let from = bytes[0] === BYTE_ORDER_MARK ? 3 : 0;
  while (BLANKS.includes(bytes[from]!)) from++;
  if (bytes[from] !== OPENING_BRACE) return null;
  let last = bytes.length - 1;
  while ([0, ...BLANKS].includes(bytes[last]!)) last--; // Some programs end a text with 0.
  return bytes[last] === CLOSING_BRACE ? parsed(new TextDecoder().decode(bytes.subarray(0, last + 1))) : null;
}

/** Returns the object that a text is as JSON, or null. */
function parsed(json: string): object | null {
  try {
    const value: unknown = JSON.parse(json);
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}
