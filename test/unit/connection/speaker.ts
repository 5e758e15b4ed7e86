import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import WebSocketClient from 'ws';
import { openSink } from '../../../src/connection/audio-sink.js';
import type { SpeakerReport, SpeechSession } from '../../../src/connection/command.js';
import { describeFailure } from '../../../src/connection/failure.js';
import { Session } from '../../../src/connection/session.js';
import { FakeClock } from './fake-clock.js';
import { listen, type Listener } from './listener.js';

/** How a speaker of a test differs from a plain one. */
export interface SpeakerOptions {
  readonly transport?: 'shared' | 'message';
  /** Samples of the ring; 2^17 (5 s) if left out. */
  readonly capacity?: number;
  readonly spillSeconds?: number;
  /** What the main thread answers to `session-needed`; null: that it could not get one. */
  readonly session: (attempt: number) => SpeechSession | null;
}

/** A session with a real socket, a test's clock, and somebody who listens. */
export class Speaker {
  readonly clock = new FakeClock();
  /** As the main thread hears them. */
  readonly reports: SpeakerReport[] = [];
  readonly listener: Listener;
  readonly session: Session;
  readonly sockets: WebSocketClient[] = [];
  /** Messages that have come in on all sockets. */
  messages = 0;
  #sessions = 0;

  constructor(options: SpeakerOptions) {
    this.listener = listen(options.transport ?? 'shared', options.capacity ?? 2 ** 17);
    this.session = new Session({
      report: (report) => {
        this.reports.push(report.type === 'failed' ? describeFailure(report) : report);
        if (report.type !== 'session-needed') return;
        const { serial } = report;
        // As the main thread does it: later.
        queueMicrotask(() => {
          const session = options.session(this.#sessions++);
          this.session.handle(
            session === null ? { type: 'session-failed', serial } : { type: 'session', serial, session },
          );
        });
      },
      createSocket: (url) => {
        const socket = new WebSocketClient(url);
        socket.on('error', () => {}); // a close follows
        socket.on('message', () => this.messages++);
        this.sockets.push(socket);
        return socket as unknown as WebSocket;
      },
      openSink: (descriptor) => openSink(descriptor, this.clock),
      clock: this.clock,
      random: () => 0.5,
      ...(options.spillSeconds === undefined ? {} : { spillSeconds: options.spillSeconds }),
    });
  }

  /** Attaches the listener. */
  attach(): this {
    this.session.handle({ type: 'attach', ring: this.listener.descriptor });
    return this;
  }

  /** Enqueues utterances 1, 2, … with these texts (null: what the session brings), on contexts c1, c2, …. */
  say(...texts: (string | null)[]): void {
    const before = this.#said;
    texts.forEach((text, index) => {
      const serial = before + index + 1;
      this.session.handle({
        type: 'enqueue',
        serial,
        contextId: `c${serial}`,
        texts: text === null ? null : [text],
        more: false,
      });
    });
    this.#said += texts.length;
  }
  #said = 0;

  /** Reports of one type, so far. */
  of<T extends SpeakerReport['type']>(type: T): Extract<SpeakerReport, { type: T }>[] {
    return this.reports.filter((report): report is Extract<SpeakerReport, { type: T }> => report.type === type);
  }

  /** Waits for the `count`th report of one type and gives it back. */
  async next<T extends SpeakerReport['type']>(type: T, count = 1): Promise<Extract<SpeakerReport, { type: T }>> {
    await until(() => this.of(type).length >= count, `report ${count} of type ${type}`);
    return this.of(type)[count - 1]!;
  }

  /** Waits for so many messages of the service. */
  async came(messages: number): Promise<void> {
    await until(() => this.messages >= messages, `${messages} messages`);
  }

  /** Waits for the `count`th `context_done`, lets the wait for late frames pass, and listens to what there is. */
  async finish(count = 1): Promise<void> {
    await this.next('context-done', count);
    this.clock.advance(25);
    await this.listenFor(0);
  }

  /** Listens until `samples` were heard in all, while time goes on. */
  async listenFor(samples: number): Promise<void> {
    await until(() => {
      this.clock.advance(100);
      this.listener.take();
      return this.listener.heard().length >= samples;
    }, `${samples} samples`);
  }

  /** The latest counters, asked for by letting their time come. */
  counters() {
    this.clock.advance(100);
    const report = this.of('counters').at(-1);
    assert.ok(report, 'counters were reported');
    return report.counters;
  }

  /** Ends the session and waits until its sockets are gone. */
  async close(): Promise<void> {
    this.session.handle({ type: 'close' });
    await this.next('closed');
    this.listener.close();
  }
}

/** Waits until `condition` holds, turn by turn of the event loop. */
export async function until(condition: () => boolean, what: string): Promise<void> {
  const giveUpAt = performance.now() + 20_000;
  while (!condition()) {
    assert.ok(performance.now() < giveUpAt, `waited in vain for ${what}`);
    await setImmediate();
  }
}
