import type { WebSocket } from 'ws';
import { encodeFrame, FRAME_HEADER_BYTES } from '../protocol/index.js';
import { makeNetwork } from './networks.js';
import { pcmOf, samplesOf, type FramesSpec, type GatewayConnection, type GatewayStep } from './script.js';
import { ScriptedLine } from './scripted-line.js';
import type { Sound } from './sound.js';

/** Runs a script on one socket. */
export class ScriptRunner {
  readonly #socket: WebSocket;
  readonly #record: GatewayConnection;
  readonly #onAudio: (sound: Sound) => void;
  readonly #line: ScriptedLine;
  readonly #unread: { type: string; contextId: string }[] = [];
  #messageCame = (): void => {};
  /** Context of the latest awaited message, and the number of contexts so far. */
  #contextId: string | null = null;
  #contexts = 0;
  #sequence = 0;

  /** @param onAudio - Called with the audio of a `frames` step once all of it was sent. */
  constructor(socket: WebSocket, record: GatewayConnection, onAudio: (sound: Sound) => void) {
    this.#socket = socket;
    this.#line = new ScriptedLine(socket, record);
    this.#record = record;
    this.#onAudio = onAudio;
  }

  /** Records a message of the client. */
  note(message: unknown): void {
    const { type, context_id } = Object(message) as { type?: unknown; context_id?: unknown };
    this.#unread.push({ type: String(type), contextId: String(context_id) });
    this.#messageCame();
  }

  /** Ends the script because the socket has closed. */
  stop(): void {
    this.#line.end();
    this.#messageCame();
  }

  /** Runs the steps in order. Returns early when the socket has closed. */
  async run(steps: Iterable<GatewayStep>): Promise<void> {
    for (const step of steps) {
      if ('wait' in step) await this.#wait(step.wait);
      else if ('frames' in step) await this.#sendFrames(step.frames);
      else if ('json' in step) this.#line.send(JSON.stringify(step.json));
      else if ('text' in step) this.#line.send(step.text);
      else if ('bytes' in step) this.#line.send(Uint8Array.from(step.bytes));
      else if ('done' in step) this.#sendDone(step.done);
      else if ('error' in step) this.#line.send(JSON.stringify({ type: 'error', message: step.error }));
      else if ('network' in step) this.#line.enter(makeNetwork(step.network, step.seed));
      else if ('stall' in step) this.#line.stall(step.stall);
      else if ('repeat' in step) {
        const times = step.repeat === 'always' ? Infinity : step.repeat;
        for (let time = 0; time < times && !this.#line.hasEnded; time++) {
          await this.run(step.steps);
          // Steps that do not wait would keep other sockets waiting.
          await new Promise(setImmediate);
        }
      } else if ('close' in step) {
        await this.#line.released();
        this.#socket.close(step.close === 1005 ? undefined : step.close, step.reason);
        return;
      } else if ('terminate' in step) {
        await this.#line.released();
        await this.#flushed();
        this.#socket.terminate();
        return;
      }
      // Check before requesting the next step, which may be generated only then.
      if (this.#line.hasEnded) return;
    }
  }

  async #wait(what: 'synthesize' | 'end' | number): Promise<void> {
    if (typeof what === 'number') return this.#line.sleep(what);
    for (;;) {
      const index = this.#unread.findIndex((message) => message.type === what);
      if (index >= 0) {
        const message = this.#unread.splice(index, 1)[0]!;
        if (message.contextId !== this.#contextId) this.#contexts++;
        this.#contextId = message.contextId;
        return;
      }
      if (this.#line.hasEnded) return;
      await new Promise<void>((resolve) => (this.#messageCame = resolve));
    }
  }

  async #sendFrames(spec: FramesSpec): Promise<void> {
    const { bytesPerFrame = 1920, pace = 'burst', headerOnlyEvery = 0, skipSequenceEvery = 0, rate = 24000 } = spec;
    const samples = pcmOf(spec);
    this.#sequence = spec.sequence ?? this.#sequence;
    const pcm = new Uint8Array(encodeFrame(NO_HEADER, samples, 'big'), FRAME_HEADER_BYTES);
    const speed = pace === 'burst' ? Infinity : pace === 'realtime' ? 1 : pace;
    const startedAt = performance.now();
    for (let at = 0, frame = 0; at < pcm.length; at += bytesPerFrame, frame++) {
      const due = startedAt + (at / 2 / rate / speed) * 1000;
      if (due > performance.now()) await this.#line.sleep(due - performance.now());
      if (this.#line.hasEnded) return;
      if (headerOnlyEvery > 0 && frame % headerOnlyEvery === 0) this.#sendFrame(spec, at, new Uint8Array(0));
      if (skipSequenceEvery > 0 && frame > 0 && frame % skipSequenceEvery === 0) this.#sequence++;
      this.#sendFrame(spec, at, pcm.subarray(at, at + bytesPerFrame));
    }
    this.#record.samplesSent += samplesOf(spec);
    this.#onAudio({ samples, sampleRate: rate });
    // Wait until the end of the audio, so that a following step in real time continues without a gap.
    const end = startedAt + (samples.length / rate / speed) * 1000;
    if (end > performance.now()) await this.#line.sleep(end - performance.now());
  }

  #sendFrame({ version = 1, byteOrder = 'big' }: FramesSpec, at: number, payload: Uint8Array): void {
    const header = { version, flags: 0, context: this.#contexts, sequence: this.#sequence++, pts: at >> 1 };
    const frame = new Uint8Array(FRAME_HEADER_BYTES + payload.length);
    frame.set(new Uint8Array(encodeFrame(header, NO_SAMPLES, byteOrder)));
    frame.set(payload, FRAME_HEADER_BYTES);
    this.#record.framesSent++;
    this.#line.send(frame);
  }

  #sendDone(done: string | true | null): void {
    const contextId = done === true ? this.#contextId : done;
    this.#line.send(JSON.stringify({ type: 'context_done', ...(contextId === null ? {} : { context_id: contextId }) }));
  }

  /** Resolves when all sent messages have been handed to the operating system. */
  #flushed(): Promise<void> {
    return new Promise((resolve) => this.#socket.ping(undefined, undefined, () => resolve()));
  }
}

const NO_SAMPLES = new Int16Array(0);
const NO_HEADER = { version: 0, flags: 0, context: 0, sequence: 0, pts: 0 };
