import type { SpeakerChannel, SpeakerCommand, WorkerCommand, WorkerReport } from '../connection/command.js';
import { reportOf, type SpeakerReport } from '../connection/speaker-report.js';
import { measureStep } from '../base/measure-step.js';
import { Linger } from './linger.js';
import { loadThreadFile, trustedWorkerUrl } from './thread-file.js';

/** Time limit, in ms, for the start of the worker's script. */
const START_LIMIT_MS = 10_000;
/** Time limit, in ms, for the sockets to close after the last channel is closed. */
const CLOSE_LIMIT_MS = 2000;

/** Replacements for tests. */
export interface ConnectionWorkerOptions {
  readonly createWorker?: (url: string) => Worker;
  /** Target that dispatches `pagehide`. */
  readonly page?: EventTarget;
}

/** The running workers, by the URL of their file. */
const workers = new Map<string, ConnectionWorker>();

/**
 * Returns the running worker of a worker file, or starts one.
 *
 * @param workerUrl - The page's own copy of the file; empty for the built-in one.
 */
export function connectionWorker(workerUrl: string, options: ConnectionWorkerOptions = {}): ConnectionWorker {
  let worker = workers.get(workerUrl);
  if (!worker) {
    worker = new ConnectionWorker(workerUrl, options);
    workers.set(workerUrl, worker);
  }
  return worker;
}

/**
 * The worker that owns the sockets of all speakers of a page.
 *
 * Main thread. After its last channel is closed, the worker is kept for the next speaker, without a socket: see
 * `Linger`.
 */
export class ConnectionWorker {
  /** Resolves when the worker's script runs. If it cannot be loaded, rejects with what to do, and the worker ends. */
  readonly ready: Promise<void>;
  readonly #workerUrl: string;
  readonly #madeMs = performance.now();
  readonly #linger: Linger;
  readonly #listeners = new Map<number, (report: SpeakerReport) => void>();
  #worker: Worker | undefined;
  #hasEnded = false;
  #lastSpeaker = 0;
  #openChannels = 0;
  #startTimer: ReturnType<typeof setTimeout> | undefined;
  #closeTimer: ReturnType<typeof setTimeout> | undefined;
  #started = (): void => {};
  #failed = (_cause: unknown): void => {};

  constructor(workerUrl: string, { createWorker = newWorker, page }: ConnectionWorkerOptions) {
    this.#workerUrl = workerUrl;
    this.#linger = new Linger(() => this.end(), page);
    this.ready = loadThreadFile('worker', workerUrl, (url) => this.#start(createWorker(url)));
    this.ready.catch(() => this.end());
  }

  #start(worker: Worker): Promise<void> {
    this.#worker = worker;
    worker.onmessage = ({ data }: MessageEvent<WorkerReport>) => this.#receive(data);
    worker.onerror = (event) => this.#failed(event);
    const timeOut = (): void => this.#failed(new Error(`The worker's script did not start in ${START_LIMIT_MS} ms.`));
    // Two timers, because the page may be blocked for the whole limit. The worker's message is then handled between
    // them.
    this.#startTimer = setTimeout(() => {
      this.#startTimer = setTimeout(timeOut, START_LIMIT_MS / 2);
    }, START_LIMIT_MS / 2);
    return new Promise((resolve, reject) => {
      this.#started = resolve;
      this.#failed = reject;
    });
  }

  /**
   * Opens the channel of one more speaker. Commands may be posted before the worker is ready.
   *
   * @throws {Error} If the worker has ended. That cannot happen in the task in which `connectionWorker` returned it.
   */
  openChannel(onReport: (report: SpeakerReport) => void): SpeakerChannel {
    if (this.#hasEnded) throw new Error('This connection worker has ended: call connectionWorker() again.');
    this.#linger.stop();
    clearTimeout(this.#closeTimer);
    const speaker = ++this.#lastSpeaker;
    let connectMs = 0;
    const post = (command: SpeakerCommand | { type: 'open' }, transfer: Transferable[] = []): void => {
      if (command.type === 'connect') connectMs = performance.now();
      this.#worker?.postMessage({ ...command, speaker } satisfies WorkerCommand, transfer);
    };
    let isOpen = true;
    this.#openChannels++;
    this.#listeners.set(speaker, (report) => {
      if (report.type === 'socket-open') measureStep('socket', connectMs);
      if (isOpen || report.type === 'socket-close') onReport(report);
    });
    post({ type: 'open' });
    return {
      post: (command, transfer) => {
        if (isOpen) post(command, transfer);
      },
      close: () => {
        if (!isOpen) return;
        isOpen = false;
        post({ type: 'close' });
        if (--this.#openChannels === 0) this.#lastChannelClosed();
      },
    };
  }

  #lastChannelClosed(): void {
    if (this.#hasEnded) return;
    this.#closeTimer = setTimeout(() => this.end(), CLOSE_LIMIT_MS);
    this.#linger.start();
  }

  #receive(report: WorkerReport): void {
    if (report.type === 'ready') {
      clearTimeout(this.#startTimer);
      measureStep('worker', this.#madeMs);
      // From now on, an error is a fault in our own script, and the browser's console shows it.
      if (this.#worker) this.#worker.onerror = null;
      this.#started();
      return;
    }
    const { speaker, ...fact } = report;
    this.#listeners.get(speaker)?.(reportOf(fact));
    if (report.type !== 'closed') return;
    this.#listeners.delete(speaker);
    // No socket is left.
    if (this.#listeners.size === 0) clearTimeout(this.#closeTimer);
  }

  /**
   * Ends the worker at once, with all its channels and sockets. Called when the page is left, because the browser may
   * freeze a worker before it has closed its sockets. Nothing is reported afterwards. Idempotent.
   */
  end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#linger.close();
    clearTimeout(this.#startTimer);
    clearTimeout(this.#closeTimer);
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#listeners.clear();
    workers.delete(this.#workerUrl);
    this.#failed(new Error('The worker was ended before its script started.'));
  }
}

function newWorker(url: string): Worker {
  return new Worker(trustedWorkerUrl(url));
}
