import type { WebSocket } from 'ws';
import { encodeFrame, type ServiceMessage } from '../../../src/protocol/index.js';

/** Version in the header of every frame. */
const FRAME_VERSION = 1;

/**
 * Writes frames and messages to a socket, and signals when to wait for a slow reader. Main thread.
 *
 * Headers are in network byte order: version 1, flags 0, the number of the context, a sequence number that counts the
 * frames of the socket from 0, and as pts the number of samples of the context before the frame.
 */
export class FrameSender {
  readonly #socket: WebSocket;
  readonly #waitingBytes: number;
  #sequence = 0;

  /** @param waitingBytes - Bytes that may be buffered in the socket. Above it, the caller must await `sendFrame`. */
  constructor(socket: WebSocket, waitingBytes: number) {
    this.#socket = socket;
    this.#waitingBytes = waitingBytes;
  }

  /**
   * Sends samples.
   *
   * @param context - Number of the context on this socket.
   * @param pts - Samples of the context sent before.
   * @returns `undefined` if the caller may send more at once; else a promise that resolves when the reader has caught
   *   up, or the socket is closed.
   */
  sendFrame(context: number, pts: number, samples: Int16Array): Promise<void> | undefined {
    const header = { version: FRAME_VERSION, flags: 0, context, sequence: this.#sequence++, pts };
    const frame = encodeFrame(header, samples, 'big');
    if (this.#socket.bufferedAmount + frame.byteLength > this.#waitingBytes) {
      return new Promise((resolve) => this.#socket.send(frame, () => resolve()));
    }
    this.#socket.send(frame);
    return undefined;
  }

  /**
   * Sends a message.
   *
   * @returns `undefined` if the system took it at once; else a promise that resolves when it has, or the socket is
   *   closed. A waiting message takes much more memory than its bytes.
   */
  sendMessage(message: ServiceMessage): Promise<void> | undefined {
    const taken = new Promise<void>((resolve) => this.#socket.send(JSON.stringify(message), () => resolve()));
    return this.#socket.bufferedAmount > 0 ? taken : undefined;
  }
}
