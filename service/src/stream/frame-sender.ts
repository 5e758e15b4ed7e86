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
    return this.#send(frame, frame.byteLength);
  }

  /** Sends a message; returns the same as `sendFrame`. */
  sendMessage(message: ServiceMessage): Promise<void> | undefined {
    const text = JSON.stringify(message);
    return this.#send(text, text.length);
  }

  #send(data: string | ArrayBuffer, size: number): Promise<void> | undefined {
    if (this.#socket.bufferedAmount + size > this.#waitingBytes) {
      return new Promise((resolve) => this.#socket.send(data, () => resolve()));
    }
    this.#socket.send(data);
    return undefined;
  }
}
