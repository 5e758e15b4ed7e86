import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import WebSocketClient from 'ws';
import { openRingFeed } from '../../../src/connection/ring-feed.js';
import { reportOf, type SpeakerReport } from '../../../src/connection/speaker-report.js';
import { WorkerSpeaker } from '../../../src/connection/worker-speaker.js';
import type { PlayableSession } from '../../../src/protocol/playable-session.js';
import { SessionBroker } from '../../../src/sessions/session-broker.js';
import type { SessionReason } from '../../../src/sessions/session-source.js';
import { FakeClock } from '../fake-clock.js';
import { listen, type Listener } from './listener.js';

/** Options of a speaker under test. */
export interface SpeakerOptions {
  readonly transport?: 'shared' | 'message';
  /** Capacity of the ring in samples; by default 2^17 (5 s). */
  readonly capacity?: number;
  readonly spillSeconds?: number;
  /** Returns the session for a request, counted from 0; null if the request fails. */
  readonly session: (attempt: number) => PlayableSession | null;
}

/**
 * A `WorkerSpeaker` under test, with real sockets and a fake clock. A listener plays the part of the audio thread, and
 * the real session broker that of the main thread.
 */
export class Speaker {
  readonly clock = new FakeClock();
  /** Reports as the main thread receives them. */
  readonly reports: SpeakerReport[] = [];
  readonly listener: Listener;
  /** The worker's speaker, which receives commands. */
  readonly worker: WorkerSpeaker;
  readonly broker: SessionBroker;
  /** True if the source can provide another session, so that a failed connection is retried. */
  canRenew = false;
  /** Seconds of speech that the listener may need in advance; null not to resume. */
  lead: number | null = 0.6;
  /** Requests for sessions, with the utterance that needs each. */
  readonly requests: { reason: SessionReason; serial: number }[] = [];
  readonly sockets: WebSocketClient[] = [];
  /** Number of messages received on all sockets. */
  messages = 0;
  #sessions = 0;

  constructor(options: SpeakerOptions) {
    this.listener = listen(options.transport ?? 'shared', options.capacity ?? 2 ** 17);
    const { clock } = this;
    let serialInNeed = 0;
    this.broker = new SessionBroker(
      {
        clock,
        random: () => 0.5,
        canRenew: true,
        userHasActed: true,
        requestSession: async (reason) => {
          this.requests.push({ reason, serial: serialInNeed });
          const session = options.session(this.#sessions++);
          if (session === null) throw new Error('There is no session.');
          return session;
        },
      },
      {
        sessionHeld: (serial) =>
          this.worker.handle({
            type: 'connect',
            serial,
            session: this.broker.spend()!,
            canRenew: this.canRenew,
            lead: this.lead,
          }),
        sessionFailed: () => this.worker.handle({ type: 'cancel', serials: [serialInNeed] }),
      },
    );
    this.worker = new WorkerSpeaker({
      report: (fact) => {
        const report = reportOf(fact);
        this.reports.push(report);
        if (report.type === 'connection-needed' || (report.type === 'connection-busy' && this.canRenew)) {
          serialInNeed = report.serial;
          this.broker.need(report.serial, 'speak');
        } else if (report.type === 'connection-lost') {
          serialInNeed = report.serials[0]!;
          if (this.canRenew && this.broker.retry(serialInNeed)) return;
          this.reports.push({ ...report, type: 'failed' });
          // The main thread sends this asynchronously, too.
          queueMicrotask(() => this.worker.handle({ type: 'cancel', serials: report.serials }));
        }
      },
      createSocket: (url, protocols) => {
        const socket = new WebSocketClient(url, protocols);
        socket.on('error', () => {}); // a close event follows
        socket.on('message', () => this.messages++);
        this.sockets.push(socket);
        return socket as unknown as WebSocket;
      },
      openRingFeed: (descriptor) => openRingFeed(descriptor, this.clock),
      clock: this.clock,
      ...(options.spillSeconds === undefined ? {} : { spillSeconds: options.spillSeconds }),
    });
  }

  /** Attaches the listener. */
  attach(): this {
    this.worker.handle({ type: 'attach', ring: this.listener.descriptor });
    return this;
  }

  /** Enqueues an utterance for each text, on contexts c1, c2, …. The session provides the words of a null text. */
  say(...texts: (string | null)[]): void {
    const before = this.#said;
    texts.forEach((text, index) => {
      const serial = before + index + 1;
      this.worker.handle({
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

  /** Returns the reports of one type so far. */
  of<T extends SpeakerReport['type']>(type: T): Extract<SpeakerReport, { type: T }>[] {
    return this.reports.filter((report): report is Extract<SpeakerReport, { type: T }> => report.type === type);
  }

  /** Waits for the `count`th report of one type, and returns it. */
  async next<T extends SpeakerReport['type']>(type: T, count = 1): Promise<Extract<SpeakerReport, { type: T }>> {
    await until(() => this.of(type).length >= count, `report ${count} of type ${type}`);
    return this.of(type)[count - 1]!;
  }

  /** Waits for utterances to fail, and returns the fields of the error that the page would see. */
  async failed() {
    const { serials, error } = await this.next('failed');
    const { reason, message, closeCode, retryable } = error;
    return { serials, reason, message, closeCode, retryable };
  }

  /** Waits until all sockets together have received this number of messages. */
  async came(messages: number): Promise<void> {
    await until(() => this.messages >= messages, `${messages} messages`);
  }

  /** Waits for the `count`th `context_done`, lets the wait for late frames pass, and reads what is available. */
  async finish(count = 1): Promise<void> {
    await this.next('context-done', count);
    this.clock.advance(25);
    await this.listenFor(0);
  }

  /** Advances the clock and reads the ring until `samples` samples were read in total. */
  async listenFor(samples: number): Promise<void> {
    await until(() => {
      this.clock.advance(100);
      this.listener.take();
      return this.listener.heard().length >= samples;
    }, `${samples} samples`);
  }

  /** Advances the clock until the counters are due, and returns the latest. */
  counters() {
    this.clock.advance(100);
    const report = this.of('counters').at(-1);
    assert.ok(report, 'counters were reported');
    return report.counters;
  }

  /** Closes the speaker, and waits until its sockets are closed. */
  async close(): Promise<void> {
    this.worker.handle({ type: 'close' });
    await this.next('closed');
    this.listener.close();
  }
}

/**
 * Waits until `condition` holds, checking it in each turn of the event loop. Fails after 20 s.
 *
 * @param what - Description of the condition, for the message.
 */
export async function until(condition: () => boolean, what: string): Promise<void> {
  const deadline = performance.now() + 20_000;
  while (!condition()) {
    assert.ok(performance.now() < deadline, `waited 20 s for ${what}`);
    await setImmediate();
  }
}
