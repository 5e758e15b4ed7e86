import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PostgresServer } from '../../service/test/support/postgres-server.js';
import { type RunningNode, startShipped } from '../service/node.js';
import type { Programs } from '../service/programs.js';

/** Interval between two looks at whether the service is ready, in milliseconds. */
const POLL_MS = 20;

/** Where the service keeps its data: in a thread and a folder of its own, or in a PostgreSQL server. */
export type Store = 'embedded' | 'postgres';

/** A time in which the service or its database was away, on the scale of `performance.now()`. */
export interface Outage {
  readonly what: 'service' | 'database';
  /** Name of the node that was killed; null if none was. */
  readonly node: string | null;
  readonly from: number;
  /** Infinity until it is over. */
  to: number;
}

/** `svc-service` as it is shipped, which is killed and started again on the same data. */
export class SpeechService {
  readonly outages: Outage[] = [];
  readonly #programs: Programs;
  readonly #folder: string;
  readonly #postgres: PostgresServer | null;
  #node!: RunningNode;
  #starts = 0;

  static async start(programs: Programs, store: Store): Promise<SpeechService> {
    const postgres = store === 'postgres' ? await PostgresServer.start() : null;
    const service = new SpeechService(programs, mkdtempSync(join(tmpdir(), 'svc-chaos-')), postgres);
    await service.#start();
    return service;
  }

  private constructor(programs: Programs, folder: string, postgres: PostgresServer | null) {
    this.#programs = programs;
    this.#folder = folder;
    this.#postgres = postgres;
  }

  /** Its own address. It changes with each start. */
  get url(): string {
    return this.#node.url;
  }

  get apiKey(): string {
    return this.#node.apiKey;
  }

  /** True if the database is a process of its own. */
  get hasDatabaseServer(): boolean {
    return this.#postgres !== null;
  }

  /** Options with which `openDatabase` opens the data. */
  get data(): { databaseUrl: string } | { dataDir: string } {
    return this.#postgres ? { databaseUrl: this.#postgres.url } : { dataDir: this.#folder };
  }

  /** Kills the service with SIGKILL, which ends the embedded database too, and starts it again after `downMs`. */
  async killService(downMs: number): Promise<void> {
    const outage = this.#begin('service', this.#name);
    await this.#node.kill();
    await pause(downMs);
    await this.#start();
    outage.to = performance.now();
  }

  /** Ends the database server like a crash, and starts it again after `downMs`. */
  async killDatabase(downMs: number): Promise<void> {
    const outage = this.#begin('database', null);
    await this.#postgres!.crash();
    await pause(downMs);
    await this.#postgres!.resume();
    while (!(await fetch(`${this.url}/readyz`)).ok) await pause(POLL_MS);
    outage.to = performance.now();
  }

  /** Resolves when neither the service nor its database is away. */
  async back(): Promise<void> {
    while (this.outages.some(({ to }) => to === Infinity)) await pause(POLL_MS);
  }

  /** Resolves when the service has handled everything that its connections have received, or does not run. */
  async handled(): Promise<void> {
    // It accepts this connection after it was woken for the others.
    await fetch(`${this.url}/healthz`).catch(() => {});
  }

  /** Returns the number of sockets that are open for the service. */
  async openSockets(): Promise<number> {
    return (await this.#node.read()).get('svc_sockets_open') ?? Number.NaN;
  }

  /** Stops the service regularly. Its data stays. */
  async stop(): Promise<void> {
    await this.#node.stop();
  }

  /** Kills what still runs, and removes the data. */
  async remove(): Promise<void> {
    await this.#node.kill();
    await this.#postgres?.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  get #name(): string {
    return `node-${this.#starts}`;
  }

  async #start(): Promise<void> {
    this.#starts++;
    const { data } = this;
    const store = 'databaseUrl' in data ? ['--database-url', data.databaseUrl] : ['--data', data.dataDir];
    this.#node = await startShipped(this.#programs, store, {
      SVC_NODE_NAME: this.#name,
      SVC_LOG_LEVEL: 'fatal', // it would report each outage
      SVC_RATE_LIMIT_EXEMPT: '127.0.0.1',
    });
  }

  #begin(what: Outage['what'], node: string | null): Outage {
    const outage: Outage = { what, node, from: performance.now(), to: Infinity };
    this.outages.push(outage);
    return outage;
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
