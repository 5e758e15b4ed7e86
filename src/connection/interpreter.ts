import { LETTER, WordFinder } from '../base/word-finder.js';
import { beginsLikeFloats, fileNameOf } from '../formats/file-name.js';
import { isRecord, isString, reasonIn } from '../protocol/fields.js';
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
import { FloatBytes } from './float-bytes.js';
import { JoinedWords, type Span, type SpokenSpan } from './joined-words.js';
import { MessageReader } from './message-reader.js';
import { isText, quoteOf, textIn, withoutEdges } from './text-in.js';

/** Most messages that an error quotes. */
const QUOTES_MAX = 3;

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

/** A context on the way: its text, and what has arrived. */
class Track {
  readonly finder = new WordFinder();
  readonly joined = new JoinedWords();
  readonly floats = new FloatBytes();
  seconds = 0;
  /** Beginnings of its first messages that mean nothing in the dialect. */
  readonly ignored = new Set<string>();
  /** True while its text goes on. */
  isOpen = false;
  /** True until audio has followed the last words. `close` would drop them before that. */
  isUnanswered = false;
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
  /** The context that was begun last, and its id; none if the service speaks by itself. */
  #track = new Track();
  #latest: string | undefined;
  readonly #messages = new MessageReader();
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
    return this.#fill(this.#dialect.send.open);
  }

  /** Returns the messages that speak a piece of text. */
  text(context: string, text: string): string[] {
    const { begin = [], text: templates } = this.#dialect.send;
    const isNew = context !== this.#latest;
    if (isNew) this.#track = new Track();
    this.#latest = context;
    this.#track.isOpen = true;
    if (LETTER.test(text)) this.#track.isUnanswered = true;
    this.#track.finder.add(text);
    return this.#fill(isNew ? [...begin, ...templates] : templates, context, text);
  }

  /** Returns the messages that end the text of a context. */
  end(context: string): string[] {
    const { end, close = [] } = this.#dialect.send;
    const track = this.#trackOf(context);
    track.isOpen = false;
    return this.#fill(track.isUnanswered ? end : [...end, ...close], context);
  }

  /** Returns the messages that stop a context; none if the dialect has none. */
  cancel(context: string): string[] {
    const { cancel } = this.#dialect.send;
    this.#isCancelling = Boolean(cancel && this.#dialect.receive.cancelled);
    if (context === this.#latest) this.#track = new Track();
    return this.#fill(cancel, context);
  }

  /** Returns the messages that keep a context from ending while it waits for text. */
  keepAlive(context: string): string[] {
    return this.#fill(this.#dialect.send.keepAlive?.messages, context);
  }

  /** The first messages of a context that mean nothing in the dialect, for an error; empty if there were none. */
  get ignored(): string {
    return [...this.#track.ignored].join(' and ');
  }

  /** Describes a context without audio: where audio belongs, and what has come instead. */
  get lack(): string {
    const { ignored } = this;
    return `${this.#dialect.name} sent no audio in ${this.#audioPlace}${ignored && `, but ${ignored}`}`;
  }

  /** Reads what the service has sent: a message, or several. */
  read(data: string | ArrayBuffer): void {
    const { audio } = this.#dialect.receive;
    const text = isString(data) ? withoutEdges(data) : textIn(data);
    const messages = text ? this.#messages.read(text) : [];
    if (messages.length === 0 && !isString(data) && 'binary' in audio && !isText(text)) {
      return this.#takeAudio(new Uint8Array(data).subarray(audio.headerBytes));
    }
    for (const message of messages) {
      if (!this.#readMessage(message)) this.#ignore(JSON.stringify(message));
    }
    if (messages.length === 0) this.#ignore(text ?? 'a binary message');
  }

  #ignore(text: string): void {
    const { ignored } = this.#track;
    if (ignored.size < QUOTES_MAX) ignored.add(quoteOf(text));
    this.#events.onMessage(null);
  }

  /** Returns false for a message that means nothing in the dialect. */
  #readMessage(message: object): boolean {
    const { context: place, audio, failed, done, cancelled, times } = this.#dialect.receive;
    const id = valueAt(message, place);
    const contextId = (isString(id) && id) || undefined;
    const context = contextId && { context_id: contextId };
    if (holds(message, failed)) {
      this.#events.onMessage({
        type: 'error',
        message: reasonIn(valueAt(message, failed.message) || message),
        ...context,
      });
      return true;
    }
    const isTimed = times && holds(message, times.when ?? { at: times.start });
    if (isTimed) {
      this.#events.onMessage({ type: 'timings', ...this.#timesIn(message, times, contextId), ...context });
    }
    const base64 = 'base64' in audio && valueAt(message, audio.base64);
    if (base64) {
      const bytes = isString(base64) && bytesOf(base64);
      if (!bytes) {
        this.#misfit(`the value at ${this.#audioPlace} is not base64`);
        return true;
      }
      this.#takeAudio(bytes, contextId);
    }
    const isDone = holds(message, this.#isCancelling ? cancelled! : done);
    if (isDone) {
      this.#isCancelling = false;
      const { joined, finder } = this.#trackOf(contextId);
      const words = placed(joined.rest(), finder);
      if (words.length > 0) this.#events.onMessage({ type: 'timings', words, ...context });
      this.#events.onMessage({ type: 'context_done', ...context });
    }
    return Boolean(isTimed || base64 || isDone);
  }

  #takeAudio(bytes: Uint8Array<ArrayBuffer>, contextId?: string): void {
    const track = this.#trackOf(contextId);
    const isFirst = track.seconds === 0;
    const file = isFirst && fileNameOf(bytes);
    if (file) return this.#misfit(`the audio is ${file}: ask the service for raw samples`);
    const hasFloats = this.#dialect.receive.format === 'f32le';
    const samples = hasFloats ? track.floats.toInt16(bytes) : bytes;
    if (!samples || (isFirst && !hasFloats && beginsLikeFloats(bytes))) {
      return this.#misfit(`the audio is ${samples ? '' : 'not '}f32le: name its format in the dialect`);
    }
    track.seconds += samples.length / 2 / this.#rate;
    if (track.isUnanswered && !track.isOpen) {
      this.#events.onReply(this.#fill(this.#dialect.send.close, this.#latest));
    }
    track.isUnanswered = false;
    this.#events.onAudio(samples, contextId);
  }

  #timesIn(
    message: object,
    times: WordTimes,
    contextId: string | undefined,
  ): { words: WordTiming[]; phones?: { phone: string; start: number; end: number }[] } {
    const { words, duration, unit, since, phones } = times;
    const track = this.#trackOf(contextId);
    const offset = since === 'message' ? track.seconds : 0;
    const seconds = (value: unknown): number =>
      typeof value === 'number' ? value * (unit === 'ms' ? 0.001 : 1) : Number.NaN;
    const column = (path: MessagePath | undefined): readonly unknown[] => [valueAt(message, path) ?? []].flat();
    const spansAt = (place: { start: MessagePath; end?: MessagePath | undefined }): Span[] => {
      const [lengths, ends] = [column(duration), column(place.end)];
      return column(place.start).map((value, index) => {
        const begin = offset + seconds(value);
        return { start: begin, end: place.end ? offset + seconds(ends[index]) : begin + seconds(lengths[index]) };
      });
    };
    const [froms, tos] = [column(times.from), column(times.to)];
    const [texts, names] = [column(words ?? times.characters), column(phones?.names)];
    const spans = spansAt(times);
    const named = texts.flatMap((text, index) =>
      isString(text) || typeof text === 'number' ? { text: String(text), ...spans[index]! } : [],
    );
    return {
      words:
        named.length > 0
          ? placed(words ? named : named.flatMap((one) => track.joined.add(one)), track.finder)
          : spans.map((span, index) => ({ from: froms[index] as number, to: tos[index] as number, ...span })),
      ...(phones && {
        phones: spansAt(phones).map((span, index) => ({ phone: names[index] as string, ...span })),
      }),
    };
  }

  /** Returns the latest context, or an empty one for another, whose audio and times are not wanted any more. */
  #trackOf(context: string | undefined = this.#latest): Track {
    return context === this.#latest ? this.#track : new Track();
  }

  get #audioPlace(): string {
    const { audio } = this.#dialect.receive;
    return 'base64' in audio ? [audio.base64].flat().join(' or ') : 'binary messages';
  }

  #misfit(problem: string): void {
    this.#events.onMisfit(`${this.#dialect.name}: ${problem}`);
  }

  #fill(templates: readonly MessageTemplate[] = [], context?: string, text?: string): string[] {
    const values = { ...this.#values, context, text };
    const fill = (_: string, value: unknown): unknown => (isString(value) ? filled(value, values) : value);
    return templates.map((template) => JSON.stringify(JSON.parse(JSON.stringify(template), fill)));
  }
}

/** Returns the value of a string of a template. One that is nothing but a name becomes the value with that name. */
function filled(template: string, values: Readonly<Record<string, JsonValue | undefined>>): JsonValue {
  if (/^\{\w+\}$/.test(template)) return values[template.slice(1, -1)] ?? null;
  return template.replace(/\{(\w+)\}/g, (_, one: string) => {
    const value = values[one] ?? null;
    return isString(value) ? value : JSON.stringify(value);
  });
}

function holds(message: object, { at, is }: MessageCondition): boolean {
  const value = valueAt(message, at);
  return is === undefined ? Boolean(value) : value === is;
}

/** Returns the value at the first place that has one, or undefined. */
function valueAt(message: unknown, path: MessagePath | undefined): unknown {
  for (const place of [path ?? []].flat()) {
    const value = follow(message, place.split('.'));
    const isEmpty = value === undefined || value === null || (Array.isArray(value) && value.length === 0);
    if (!isEmpty) return value;
  }
  return undefined;
}

function follow(value: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined) return value;
  if (name === '*') return Array.isArray(value) ? value.map((one) => follow(one, rest)) : undefined;
  return isRecord(value) && Object.hasOwn(value, name) ? follow(value[name], rest) : undefined;
}

/** Finds words in the text. What belongs to the word before it lengthens that. */
function placed(words: readonly SpokenSpan[], finder: WordFinder): WordTiming[] {
  const timings: { from: number; to: number; start: number; end: number }[] = [];
  const places = finder.find(words.map(({ text }) => text));
  for (const [index, { start, end }] of words.entries()) {
    const place = places[index];
    const last = timings.at(-1);
    if (place) timings.push({ ...place, start, end });
    else if (last && end > last.end) last.end = end;
  }
  return timings;
}
