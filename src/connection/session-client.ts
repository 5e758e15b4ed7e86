import type { SpeakerCommand, WorkerCommand, WorkerReport } from './command.js';
import { reportOf, type SpeakerReport } from './speaker-report.js';

/** One speaker's line to the worker. Main thread. */
export interface SpeakerChannel {
  /** Sends a command. After `close`, does nothing. */
  post(command: SpeakerCommand, transfer?: Transferable[]): void;
  /**
   * Closes the speaker's socket with 1000 and ends the line; the last speaker's ends the worker. Of all reports only
   * `socket-close` still comes. Idempotent.
   */
  close(): void;
}

/** The worker that all speakers of a page share. Main thread. */
export interface SessionWorker {
  /** Resolves when the worker's script runs; rejects if it cannot be loaded, and the worker is gone then. */
  readonly ready: Promise<void>;
  /**
   * Opens a line for one more speaker, in the same turn as `acquireSessionWorker`: the worker ends with its last line.
   * Commands may be posted before the worker is ready; they are lost if it never is.
   *
   * @throws {Error} If the worker has ended.
   */
  speaker(onReport: (report: SpeakerReport) => void): SpeakerChannel;
  /**
   * Ends the worker now, with all its lines. For a page that goes away, maybe into the back/forward cache: a worker may be
   * frozen there before it has closed its sockets. Nothing is reported any more. Idempotent.
   */
  end(): void;
}

/** What may be different in tests. */
export interface SessionWorkerOptions {
  /** What the rejection of `ready` says: what to do about a worker that does not start. */
  readonly failure?: string;
  /** Milliseconds in which the worker must have started. */
  readonly startLimitMs?: number;
  /** Milliseconds that the sockets may take to close before the worker is ended. */
  readonly closeLimitMs?: number;
}

const workers = new Map<string, SharedWorkerHandle>();

/**
 * Gives the worker that runs under `key`; starts it if there is none.
 *
 * @param createWorker - Called at most once per running worker. What it throws rejects `ready`.
 * @param key - Says which worker file is meant: its URL, or a name for the built-in one.
 */
export function acquireSessionWorker(
  createWorker: () => Worker,
  key: string,
  options: SessionWorkerOptions = {},
): SessionWorker {
  let worker = workers.get(key);
  if (worker === undefined) {
    worker = new SharedWorkerHandle(createWorker, options, () => {
      if (workers.get(key) === worker) workers.delete(key);
    });
    if (worker.isRunning) workers.set(key, worker);
  }
  return worker;
}

class SharedWorkerHandle implements SessionWorker {
  readonly ready: Promise<void>;
  readonly #onEnd: () => void;
  readonly #options: SessionWorkerOptions;
  readonly #listeners = new Map<number, (report: SpeakerReport) => void>();
  #worker: Worker | null = null;
  #speakers = 0;
  #ended = false;
  /** Lines that are open. */
  #open = 0;
  #startTimer: ReturnType<typeof setTimeout> | undefined;
  #closeTimer: ReturnType<typeof setTimeout> | undefined;
  #settleStart: (error?: unknown) => void = () => {};

  constructor(createWorker: () => Worker, options: SessionWorkerOptions, onEnd: () => void) {
    this.#onEnd = onEnd;
    this.#options = options;
    this.ready = new Promise((resolve, reject) => {
      this.#settleStart = (error) => (error === undefined ? resolve() : reject(error));
    });
    // Whoever awaits it sees the rejection; nobody has to.
    this.ready.catch(() => {});
    try {
      this.#worker = createWorker();
    } catch (cause) {
      this.#failStart(cause);
      return;
    }
    this.#worker.onerror = (event) => this.#failStart(event);
    this.#worker.onmessage = ({ data }: MessageEvent<WorkerReport>) => this.#take(data);
    const half = (options.startLimitMs ?? 10_000) / 2;
    // In two steps: a page that was busy for the whole limit gets another chance to see the worker's message.
    this.#startTimer = setTimeout(() => {
      this.#startTimer = setTimeout(() => this.#failStart(undefined), half);
    }, half);
  }

  get isRunning(): boolean {
    return this.#worker !== null;
  }

  speaker(onReport: (report: SpeakerReport) => void): SpeakerChannel {
    if (this.#ended) throw new Error('This session worker has ended with its last speaker: acquire it again.');
    clearTimeout(this.#closeTimer);
    const speaker = ++this.#speakers;
    const post = (command: SpeakerCommand | { type: 'open' }, transfer: Transferable[] = []): void => {
      this.#worker?.postMessage({ ...command, speaker } satisfies WorkerCommand, transfer);
    };
    let open = true;
    this.#open++;
    this.#listeners.set(speaker, (report) => {
      if (open || report.type === 'socket-close') onReport(report);
    });
    post({ type: 'open' });
    return {
      post: (command, transfer) => {
        if (open) post(command, transfer);
      },
      close: () => {
        if (!open) return;
        post({ type: 'close' });
        open = false;
        if (--this.#open === 0 && this.#worker !== null) {
          this.#closeTimer = setTimeout(() => this.end(), this.#options.closeLimitMs ?? 2_000);
        }
      },
    };
  }

  #take(report: WorkerReport): void {
    if (report.type === 'ready') {
      clearTimeout(this.#startTimer);
      // Once it runs, an error in it is a fault of ours: the browser's console shows it.
      if (this.#worker !== null) this.#worker.onerror = null;
      this.#settleStart();
      return;
    }
    const { speaker, ...fact } = report;
    this.#listeners.get(speaker)?.(reportOf(fact));
    if (report.type !== 'closed') return;
    this.#listeners.delete(speaker);
    if (this.#listeners.size === 0) this.end();
  }

  #failStart(cause: unknown): void {
    const failure = this.#options.failure ?? 'The session worker did not start.';
    this.#settleStart(new Error(failure, { cause }));
    this.#end();
  }

  end(): void {
    this.#ended = true;
    this.#end();
  }

  #end(): void {
    clearTimeout(this.#startTimer);
    clearTimeout(this.#closeTimer);
    this.#worker?.terminate();
    this.#worker = null;
    this.#listeners.clear();
    this.#onEnd();
  }
}
