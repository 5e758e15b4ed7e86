import assert from 'node:assert/strict';
import type { ClientMessage } from '../../../src/protocol/index.js';

/** Speech of one context. Sample `i` of utterance `serial` is `valueOf(serial, i)`. */
export interface Speech {
  readonly id: string | undefined;
  readonly serial: number;
  /** Number of samples of the utterance that earlier contexts brought. */
  readonly before: number;
  /** Bytes of samples that were sent. */
  bytes: number;
  /** Its text, and the number of its characters that have times as words. */
  text: string;
  words: number;
  /** End of the last of these words, in seconds of this speech. */
  wordsEnd: number;
  /** True if the client sends no more text. */
  isTextOver: boolean;
}

/** The service's end of a socket, which the worker uses in place of a WebSocket. */
export class FuzzSocket {
  readonly OPEN = 1;
  readonly CLOSED = 3;
  binaryType = '';
  readyState = 0;
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string | ArrayBuffer }) => void) | null = null;
  onclose: ((event: { code: number; reason: string }) => void) | null = null;
  onerror: (() => void) | null = null;
  /** The contexts that are not finished, in the order in which they are spoken. */
  contexts: Speech[] = [];
  /** Speech that is finished, while its last frames may still arrive. */
  late: Speech | undefined;
  /** An utterance whose words the service knows without a message. */
  readonly own: Speech | undefined;
  readonly #finished = new Set<string | undefined>();

  readonly #received: (serial: number) => number;

  /** @param received - Returns the number of samples of an utterance so far. */
  constructor(own: Speech | undefined, received: (serial: number) => number) {
    this.own = own;
    this.#received = received;
  }

  send(json: string): void {
    assert.equal(this.readyState, 1, 'messages are sent only on an open socket');
    const message = JSON.parse(json) as ClientMessage;
    const id = message.context_id;
    if (this.#finished.has(id)) return;
    let speech = this.contexts.find((context) => context.id === id);
    if (!speech && message.type === 'synthesize') {
      const serial = Number.parseInt(id.slice(1), 10);
      speech = { id, serial, before: this.#received(serial), ...NOTHING };
      this.contexts.push(speech);
      this.late = undefined;
    }
    if (speech && message.type === 'synthesize') speech.text += message.text;
    if (speech && message.type === 'end') speech.isTextOver = true;
  }

  close(): void {
    if (this.readyState < 2) this.readyState = 2;
  }

  finish(speech: Speech): void {
    this.contexts = this.contexts.filter((context) => context !== speech);
    this.#finished.add(speech.id);
    if (this.contexts.length === 0) this.late = speech;
  }

  end(code: number): void {
    this.readyState = 3;
    this.onclose?.({ code, reason: '' });
  }
}

/** Speech of which nothing was sent. */
export const NOTHING = { bytes: 0, text: '', words: 0, wordsEnd: 0, isTextOver: false };

/** Returns the value of one sample. It identifies the utterance and the position in it. */
export function valueOf(serial: number, index: number): number {
  return ((serial * 9973 + index) << 16) >> 16;
}
