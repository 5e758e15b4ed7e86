import type { CDPSession } from 'playwright';

/** Bytes of JavaScript objects after a garbage collection. Compiled code is left out: it grows for hours. */
export interface Heaps {
  readonly page: number;
  /** Sum over all dedicated workers. */
  readonly worker: number;
}

/** Messages of the DevTools protocol that this file needs of a worker. */
interface Answer {
  readonly id?: number;
  readonly params?: { readonly chunk?: string };
}

/** Parts that this file needs of a heap snapshot. `nodes` has one number per field and node. */
interface Snapshot {
  readonly snapshot: { readonly meta: { readonly node_fields: string[]; readonly node_types: [string[]] } };
  readonly nodes: readonly number[];
}

/** Types of nodes that are not objects of the page: compiled code, and objects of the browser. */
const NO_OBJECTS = ['code', 'native'];

/** Measures the JavaScript objects of a page and of its workers. */
export class HeapMeter {
  readonly #session: CDPSession;
  readonly #workers = new Set<string>();
  readonly #waiting = new Map<number, { readonly worker: string; readonly answered: () => void }>();
  /** The snapshot that is arriving. */
  readonly #chunks: string[] = [];
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
      for (const [id, { worker, answered }] of this.#waiting) {
        if (worker !== sessionId) continue;
        this.#waiting.delete(id);
        answered();
      }
    });
    this.#session.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => this.#chunks.push(chunk));
    this.#session.on('Target.receivedMessageFromTarget', ({ message }) => {
      const answer = JSON.parse(message) as Answer;
      if (answer.params?.chunk) this.#chunks.push(answer.params.chunk);
      this.#waiting.get(answer.id ?? 0)?.answered();
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
    await this.#session.send('HeapProfiler.takeHeapSnapshot');
    const page = this.#takeBytes();
    let worker = 0;
    for (const id of this.#workers) {
      await this.#ask(id, 'HeapProfiler.takeHeapSnapshot');
      if (this.#workers.has(id)) worker += this.#takeBytes();
      else this.#chunks.length = 0; // It has ended within its snapshot.
    }
    return { page, worker };
  }

  /** Returns the size of the objects in the snapshot that has arrived. */
  #takeBytes(): number {
    const text = this.#chunks.splice(0).join('');
    const { snapshot, nodes } = JSON.parse(text) as Snapshot;
    const { node_fields: fields, node_types: types } = snapshot.meta;
    const [type, size] = [fields.indexOf('type'), fields.indexOf('self_size')];
    let bytes = 0;
    for (let node = 0; node < nodes.length; node += fields.length) {
      if (!NO_OBJECTS.includes(types[0][nodes[node + type]!]!)) bytes += nodes[node + size]!;
    }
    return bytes;
  }

  /** Resolves when a worker has answered, or ended. */
  async #ask(worker: string, method: string): Promise<void> {
    const id = ++this.#lastId;
    const done = new Promise<void>((answered) => this.#waiting.set(id, { worker, answered }));
    const message = JSON.stringify({ id, method });
    await this.#session.send('Target.sendMessageToTarget', { sessionId: worker, message });
    return done;
  }
}
