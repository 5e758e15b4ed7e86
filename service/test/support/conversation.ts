import type { Socket } from 'node:net';
import { WebSocket } from 'ws';
import { decodeFrameHeader, FRAME_HEADER_BYTES, type FrameHeader } from '../../../src/protocol/index.js';

/** A message, frame or close that arrived on a socket. */
export type Heard =
  | { readonly kind: 'frame'; readonly header: FrameHeader; readonly samples: Int16Array }
  | { readonly kind: 'message'; readonly message: Record<string, unknown> }
  | { readonly kind: 'close'; readonly code: number; readonly reason: string };

/** A client that records everything that arrives, in order. */
export class Conversation {
  readonly socket: WebSocket;
  readonly heard: Heard[] = [];
  readonly #waiting = new Set<() => void>();

  constructor(url: string, protocols: string[] = []) {
    this.socket = new WebSocket(url, protocols);
    this.socket.binaryType = 'nodebuffer';
    this.socket.on('message', (data: Buffer, isBinary) => {
      this.#hear(isBinary ? readFrame(data) : { kind: 'message', message: JSON.parse(data.toString()) });
    });
    this.socket.on('close', (code, reason) => this.#hear({ kind: 'close', code, reason: reason.toString() }));
    this.socket.on('error', () => {}); // a close follows
  }

  /** Resolves when the socket is open, or was refused. */
  async opened(): Promise<this> {
    if (this.socket.readyState === WebSocket.CONNECTING) {
      await new Promise((resolve) => this.socket.once('open', resolve).once('close', resolve));
    }
    return this;
  }

  /** The TCP connection below the socket. */
  get connection(): Socket {
    return Reflect.get(this.socket, '_socket') as Socket;
  }

  send(...messages: unknown[]): void {
    for (const message of messages) this.socket.send(typeof message === 'string' ? message : JSON.stringify(message));
  }

  /** Sends text as a context of its own. */
  say(text: string, contextId = 'turn-1'): void {
    this.send(
      { type: 'synthesize', context_id: contextId, text, segment_mode: 'auto' },
      { type: 'end', context_id: contextId },
    );
  }

  /** Resolves when `count` of the items in `heard` satisfy `test`, with the last of these. */
  async until(test: (heard: Heard) => boolean, count = 1): Promise<Heard> {
    for (;;) {
      const found = this.heard.filter(test);
      if (found.length >= count) return found[count - 1]!;
      const last = this.heard.at(-1);
      if (last?.kind === 'close') throw new Error(`Closed with ${last.code} (${last.reason}) before that was heard`);
      await new Promise<void>((resolve) => this.#waiting.add(resolve));
    }
  }

  /** Resolves with the `count`th message of this type. */
  async message(type: string, count = 1): Promise<Record<string, unknown>> {
    const heard = await this.until((each) => each.kind === 'message' && each.message.type === type, count);
    return heard.kind === 'message' ? heard.message : {};
  }

  async closed(): Promise<{ code: number; reason: string }> {
    const heard = await this.until((each) => each.kind === 'close');
    return heard.kind === 'close' ? heard : { code: 0, reason: '' };
  }

  async close(): Promise<void> {
    this.socket.close(1000);
    await this.closed();
  }

  /** Frames so far, of one context or of all. */
  frames(context?: number): Extract<Heard, { kind: 'frame' }>[] {
    return this.heard
      .filter((each) => each.kind === 'frame')
      .filter((frame) => context === undefined || frame.header.context === context);
  }

  /** Samples so far, of one context or of all. */
  samples(context?: number): Int16Array {
    const frames = this.frames(context);
    const all = new Int16Array(frames.reduce((length, { samples }) => length + samples.length, 0));
    let at = 0;
    for (const { samples } of frames) {
      all.set(samples, at);
      at += samples.length;
    }
    return all;
  }

  #hear(heard: Heard): void {
    this.heard.push(heard);
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }
}

function readFrame(data: Buffer): Heard {
  // A copy, because samples in a frame may be unaligned. Both the frame and the machines that run this are
  // little-endian.
  const samples = new Int16Array(Uint8Array.from(data.subarray(FRAME_HEADER_BYTES)).buffer);
  return { kind: 'frame', header: decodeFrameHeader(data, 'big')!, samples };
}
