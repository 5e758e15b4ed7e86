import assert from 'node:assert/strict';
import { after } from 'node:test';
import {
  createAccounts,
  createService,
  type Accounts,
  type Database,
  type Service,
  type ServiceOptions,
} from '../../src/index.js';
import { Conversation } from '../support/conversation.js';
import { DatabaseClock } from '../support/database-clock.js';
import { eventually } from '../support/eventually.js';
import { patient } from '../support/lease-world.js';
import { ManualClock } from '../support/manual-clock.js';
import { openPatiently } from '../support/open-database.js';
import { createDatabase } from '../support/postgres.js';
import { StubEngine } from '../support/stub-engine.js';
import { callFrom, type Answer } from './call-from.js';

/** Interval between two heartbeats of a node, in milliseconds. */
export const HEARTBEAT_MS = 2000;

const started = new Set<Nodes>();
after(() => Promise.all([...started].map((nodes) => nodes.close())));

/** Options for {@link Nodes}. */
export interface NodesOptions extends ServiceOptions {
  /** URL of their database. By default, an empty one of this test run. */
  readonly databaseUrl?: string;
  /** Database URL of each node, if it differs. By default, there are two nodes. */
  readonly nodeUrls?: readonly string[];
}

/** Nodes in this process, on one PostgreSQL database. Their clocks stand still until a test advances them. */
export class Nodes {
  readonly database: Database;
  readonly databaseUrl: string;
  readonly accounts: Accounts;
  readonly services: Service[] = [];
  readonly #clock = new ManualClock();
  readonly #databaseClock: DatabaseClock;
  readonly #conversations: Conversation[] = [];
  readonly #databases: Database[] = [];

  static async start({ databaseUrl, nodeUrls, ...options }: NodesOptions = {}): Promise<Nodes> {
    const url = databaseUrl ?? (await createDatabase());
    const database = await openPatiently(url);
    const nodes = new Nodes(url, database, await DatabaseClock.stop(database));
    started.add(nodes);
    for (const [index, nodeUrl] of (nodeUrls ?? [url, url]).entries()) {
      const nodeDatabase = await openPatiently(nodeUrl);
      nodes.#databases.push(nodeDatabase);
      const service = await createService({
        apiKey: 'the-key-of-the-owner-of-all-nodes',
        port: 0,
        // A settlement that gives up on a locked account tries again later, and this clock may stand still by then.
        database: patient(nodeDatabase),
        engine: new StubEngine(),
        clock: nodes.#clock,
        nodeName: `node-${index + 1}`,
        report: () => {}, // the database may be away
        ...options,
        limits: { slotGraceMs: 0, closeMs: 60_000, ...options.limits },
      });
      nodes.services.push(service);
    }
    return nodes;
  }

  private constructor(databaseUrl: string, database: Database, databaseClock: DatabaseClock) {
    this.databaseUrl = databaseUrl;
    this.database = database;
    this.accounts = createAccounts(database);
    this.#databaseClock = databaseClock;
  }

  /** Makes a session call to the first node, or to `base`. */
  call(key: string, base: string = this.services[0]!.url): Promise<Answer> {
    return callFrom('127.0.0.1', base, { 'X-SVC-Api-Key': key });
  }

  /** Makes a session on a node, and returns the URL of its socket. */
  async session(key: string, service: Service): Promise<URL> {
    const { status, body } = await this.call(key, service.url);
    assert.equal(status, 200, JSON.stringify(body));
    return new URL(body.url as string);
  }

  /** Opens the socket of a session on any node. It may be refused. */
  dial(url: URL, service: Service): Conversation {
    const address = new URL(url);
    address.port = String(service.port);
    const conversation = new Conversation(address.href);
    this.#conversations.push(conversation);
    return conversation;
  }

  /** Opens a socket on a node, and begins a context without an end. The socket is then admitted, and holds its slot. */
  async open(key: string, service: Service): Promise<Conversation> {
    const conversation = await this.dial(await this.session(key, service), service).opened();
    conversation.send({ type: 'synthesize', context_id: 'endless', text: 'Hello' });
    await conversation.until(({ kind }) => kind === 'frame');
    return conversation;
  }

  /** Advances the time of the database and of all nodes. */
  async advance(ms: number): Promise<void> {
    await this.#databaseClock.advance(ms);
    this.#clock.advance(ms);
  }

  /** Advances the time by a heartbeat, and waits until this node has renewed its leases. */
  async heartbeat(node: string): Promise<void> {
    await this.advance(HEARTBEAT_MS);
    await eventually(`${node} has renewed its leases`, async () => {
      const old = await this.database.query(
        `select 1 from lease where node = $1 and expires_at < svc_now() + $2::integer * interval '1 millisecond'`,
        [node, 2 * HEARTBEAT_MS],
      );
      return old.length === 0;
    });
  }

  /** Number of slots of an account that are in use. */
  async slots(accountId: string): Promise<number> {
    const rows = await this.database.query(
      'select 1 from lease where account_id = $1 and holds_slot and expires_at > svc_now()',
      [accountId],
    );
    return rows.length;
  }

  /** Cost of each socket of an account so far, in milliseconds, in the order of opening. */
  async bills(accountId: string): Promise<number[]> {
    const rows = await this.database.query<{ ms: number }>(
      `select -amount_ms as ms from ledger where account_id = $1 and kind = 'usage' order by id`,
      [accountId],
    );
    return rows.map(({ ms }) => ms);
  }

  /**
   * Closes all sockets and nodes, and asserts that every balance is the sum of its ledger. May be called more than
   * once.
   */
  async close(): Promise<void> {
    if (!started.delete(this)) return;
    for (const { socket } of this.#conversations) socket.terminate();
    await Promise.all(this.services.map((service) => service.close()));
    const wrong = await this.database.query(
      `select id from account
        where balance_ms <> (select coalesce(sum(amount_ms), 0) from ledger where account_id = account.id)`,
    );
    await Promise.all([this.database, ...this.#databases].map((database) => database.close()));
    assert.deepEqual(wrong, []);
  }
}
