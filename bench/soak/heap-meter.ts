import type { CDPSession } from 'playwright';

/** Bytes of JavaScript heap after a garbage collection. */
export interface Heaps {
  readonly page: number;
  /** Sum over all dedicated workers. */
  readonly worker: number;
}

/** Messages of the DevTools protocol that this file needs of a worker. */
interface Answer {
  readonly id?: number;
  readonly result?: { readonly usedSize?: number };
}

/** Measures the JavaScript heap of a page and of its workers. */
export class HeapMeter {
  readonly #session: CDPSession;
  readonly #workers = new Set<string>();
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  #lastId = 0;

  constructor(session: CDPSession) {
    this.#session = session;
  }

  /** Attaches to all workers of the page from now on. */
  async start(): Promise<void> {
    this.#session.on('Target.attachedToTarget', ({ sessionId, targetInfo }) => {
      if (targetInfo.type === 'worker') this.#workers.add(sessionId);
    });
    this.#session.on('Target.detachedFromTarget', ({ sessionId }) => {
      this.#workers.delete(sessionId);
      // A worker that ends answers nothing more.
      for (const answered of this.#waiting.values()) answered({});
      this.#waiting.clear();
    });
    this.#session.on('Target.receivedMessageFromTarget', ({ message }) => {
      const answer = JSON.parse(message) as Answer;
      this.#waiting.get(answer.id ?? 0)?.(answer);
      this.#waiting.delete(answer.id ?? 0);
    });
    await this.#session.send('Target.setAutoAttach', {
      autoAttach: true,
      waitForDebuggerOnStart: false,
      flatten: false,
    });
  }

  /** Collects garbage and measures. */
  async collect(): Promise<Heaps> {
    // Objects with finalizers are freed by the second collection.
    for (let time = 0; time < 2; time++) {
      await this.#session.send('HeapProfiler.collectGarbage');
      for (const worker of this.#workers) await this.#ask(worker, 'HeapProfiler.collectGarbage');
    }
    let worker = 0;
    for (const id of this.#workers) worker += (await this.#ask(id, 'Runtime.getHeapUsage')).result?.usedSize ?? 0;
    return { page: (await this.#session.send('Runtime.getHeapUsage')).usedSize, worker };
  }

  async #ask(sessionId: string, method: string): Promise<Answer> {
    const id = ++this.#lastId;
    const answered = new Promise<Answer>((resolve) => this.#waiting.set(id, resolve));
    await this.#session.send('Target.sendMessageToTarget', { sessionId, message: JSON.stringify({ id, method }) });
    return answered;
  }
}
