import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Accounts, Database } from '../../src/index.js';
import { createAccounts, openDatabase } from '../support/built.js';
import { startPostgres, type PostgresCluster } from '../support/postgres.js';
import { Program } from '../support/program.js';
import { callFrom } from './call-from.js';
import { eventually } from './eventually.js';
import { Listener } from './listener.js';
import { freePort, nginxProgram, startNginx, type Nginx } from './nginx.js';

/** How long sockets may take to be paid after they were closed, in milliseconds. */
const PAID_WITHIN_MS = 5000;

/** Clocks of two processes, each read in whole milliseconds. */
const READING_MS = 2;

const cluster = await startPostgres();

/** Why tests of several nodes are skipped here; `false` if they are not. It is said on stderr, too. */
export const NO_SITE = findObstacle();

/** A node. */
export interface Node {
  /** Its name in the ledger. */
  readonly name: string;
  readonly url: string;
  readonly port: number;
  readonly program: Program;
  /** When it was killed, by `performance.now()`. */
  killedAt: number | null;
}

/** What a site is to be like. */
export interface SiteOptions {
  /** Number of nodes; 2 by default. */
  readonly nodes?: number;
  readonly environment?: Readonly<Record<string, string>>;
  /** Where a node finds the database, if it is not where it is. */
  readonly databaseUrl?: (url: string, node: number) => string | Promise<string>;
}

/**
 * Makes a test with a site of its own: nodes behind nginx, on an empty database. After the test, money must add up: no
 * socket has a lease or an open bill, each cost what it was open for, and balances are what the ledger says.
 */
export function atSite(options: SiteOptions, work: (site: Site) => Promise<void>): () => Promise<void> {
  return async () => {
    const site = await Site.open(options);
    try {
      await work(site);
      await site.assertPaid();
    } finally {
      await site.close();
    }
  };
}

/** Several nodes behind a proxy. */
export class Site {
  readonly nodes: Node[] = [];
  /** Address of the proxy, without a slash at the end. */
  readonly url: string;
  readonly databaseUrl: string;
  database!: Database;
  accounts!: Accounts;
  readonly listeners: Listener[] = [];
  readonly cluster: PostgresCluster;
  readonly #options: SiteOptions;
  readonly #folder = mkdtempSync(join(tmpdir(), 'svc-nodes-'));
  #nginx: Nginx | null = null;
  #callers = 0;

  static async open(options: SiteOptions): Promise<Site> {
    const databaseUrl = await cluster!.createDatabase();
    const site = new Site(options, await freePort(), databaseUrl);
    try {
      const count = options.nodes ?? 2;
      site.nodes.push(...(await Promise.all(Array.from({ length: count }, (_, index) => site.start(index + 1)))));
      site.database = await openDatabase({ databaseUrl }); // after the nodes, who make the tables all at once
      site.accounts = createAccounts(site.database);
      const ports = site.nodes.map(({ port }) => port);
      site.#nginx = await startNginx(Number(new URL(site.url).port), ports);
      return site;
    } catch (error) {
      await site.close();
      throw error;
    }
  }

  private constructor(options: SiteOptions, port: number, databaseUrl: string) {
    this.#options = options;
    this.url = `http://127.0.0.1:${port}`;
    this.cluster = cluster!;
    this.databaseUrl = databaseUrl;
  }

  /** Starts a node, on a port of its own unless there is one. */
  async start(number: number, port = 0): Promise<Node> {
    const name = `node-${number}`;
    const databaseUrl = (await this.#options.databaseUrl?.(this.databaseUrl, number)) ?? this.databaseUrl;
    const program = this.run(['start', '--port', String(port), '--database-url', databaseUrl], {
      SVC_API_KEY: 'the-key-of-the-owner',
      SVC_NODE_NAME: name,
      SVC_PUBLIC_URL: this.url,
      SVC_TRUST_PROXY: '127.0.0.1',
      SVC_LOG_LEVEL: 'fatal',
      ...this.#options.environment,
    });
    const url = (await program.ready()).replace(/\/$/, '');
    return { name, url, port: Number(new URL(url).port), program, killedAt: null };
  }

  /** Runs `svc-service`. */
  run(args: readonly string[], environment: Readonly<Record<string, string>> = {}): Program {
    return new Program(args, { cwd: this.#folder, environment });
  }

  /** An address that no client had. */
  newAddress(): string {
    const number = ++this.#callers;
    return `127.1.${number >> 8}.${number & 255}`;
  }

  /** Makes a session, as a client who was never here, and returns the address of its socket. */
  async session(key: string, base = this.url): Promise<string> {
    const { status, body } = await callFrom(this.newAddress(), base, { 'X-SVC-Api-Key': key });
    assert.equal(status, 200, JSON.stringify(body));
    return body.url as string;
  }

  /** Opens a socket, through the proxy unless a node is named. */
  async listen(key: string, node?: Node): Promise<Listener> {
    return this.open(await this.session(key, node?.url), node);
  }

  /** Opens the socket of a session, through the proxy unless a node is named; it may be closed at once. */
  async open(url: string, node?: { readonly port: number }): Promise<Listener> {
    const address = new URL(url);
    if (node) address.port = String(node.port);
    const listener = new Listener(address.href);
    this.listeners.push(listener);
    await Promise.race([listener.conversation.opened(), listener.conversation.closed()]);
    return listener;
  }

  /** Opens sockets that talk, and waits until each has been heard. */
  async talkers(count: number, key: string, node?: Node): Promise<Listener[]> {
    const talkers = await Promise.all(Array.from({ length: count }, () => this.listen(key, node)));
    for (const talker of talkers) talker.talk();
    await Promise.all(talkers.map((talker) => talker.heard()));
    return talkers;
  }

  /** Ends a node as if its machine had lost power. */
  async kill(node: Node): Promise<void> {
    node.program.child.kill('SIGKILL');
    await node.program.exit();
    node.killedAt = performance.now();
  }

  /** What each socket cost so far, in milliseconds, and which node had it. */
  async bills(): Promise<Map<string, { readonly ms: number; readonly node: string }>> {
    const rows = await this.database.query<{ session_id: string; ms: number; node: string }>(
      `select session_id, -amount_ms as ms, node from ledger where kind = 'usage'`,
    );
    return new Map(rows.map(({ session_id, ...bill }) => [session_id, bill]));
  }

  /** Number of slots of an account that are taken. */
  async slots(accountId: string): Promise<number> {
    const [row] = await this.database.query<{ count: number }>(
      'select count(*)::integer as count from lease where account_id = $1 and holds_slot and expires_at > svc_now()',
      [accountId],
    );
    return row!.count;
  }

  /** Closes every socket, waits until all are paid, and asserts that what they cost is right. */
  async assertPaid(): Promise<void> {
    await Promise.all(this.listeners.filter(({ isOpen }) => isOpen).map((listener) => listener.close()));
    const dead = new Map(this.nodes.filter(({ killedAt }) => killedAt !== null).map((node) => [node.name, node]));
    await eventually('the leases of all sockets are gone', PAID_WITHIN_MS, async () => {
      const left = await this.database.query(
        'select session_id from lease where expires_at > svc_now() or not node = any($1::text[])',
        [[...dead.keys()]],
      );
      return left.length === 0;
    });
    const paidAt = performance.now();
    const bills = await this.bills();
    // A session has one socket; others with its address were refused.
    const sessions = new Map(this.listeners.toReversed().map((listener) => [listener.sessionId, listener]));
    for (const { sessionId, startedAt, heardAt, endedAt } of sessions.values()) {
      const { ms, node } = bills.get(sessionId) ?? { ms: 0, node: '' };
      const killedAt = dead.get(node)?.killedAt;
      const most = (killedAt ?? paidAt) - startedAt + READING_MS;
      const least = heardAt === null || killedAt !== undefined ? 0 : endedAt! - heardAt - READING_MS;
      assert.ok(ms >= least && ms <= most, `${sessionId} on ${node}: ${ms} ms, open for ${least} to ${most}`);
    }
    await this.assertMoneyAddsUp();
  }

  /** Asserts that every account's balance is the sum of its ledger: credits taken are credits billed. */
  async assertMoneyAddsUp(): Promise<void> {
    const wrong = await this.database.query(
      `select id, balance_ms, (select sum(amount_ms)::bigint from ledger where account_id = account.id) as ledger
         from account where balance_ms is distinct from
           (select coalesce(sum(amount_ms), 0) from ledger where account_id = account.id)`,
    );
    assert.deepEqual(wrong, []);
  }

  async close(): Promise<void> {
    for (const { conversation } of this.listeners) conversation.socket.terminate();
    await this.#nginx?.close();
    for (const { program } of this.nodes) program.child.kill('SIGKILL');
    await Promise.all(this.nodes.map(({ program }) => program.exit()));
    await (this.database as Database | undefined)?.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

function findObstacle(): string | false {
  const obstacle =
    process.platform !== 'linux'
      ? 'Several nodes are tested on Linux only, where clients can have addresses of their own (127.0.0.0/8).'
      : cluster === null
        ? 'There is no PostgreSQL here: apt-get install postgresql, or set SVC_POSTGRES_BIN to its programs.'
        : nginxProgram === null &&
          'There is no nginx here: apt-get install nginx-light, or set SVC_NGINX to its program.';
  if (obstacle) console.error(`!!! SKIPPED: several nodes. ${obstacle}`);
  return obstacle;
}
