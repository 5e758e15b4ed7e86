import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Accounts, Database } from '../../src/index.js';
import { createAccounts } from '../../src/index.js';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/free-port.js';
import { openPatiently } from '../support/open-database.js';
import { createDatabase } from '../support/postgres.js';
import { NO_POSTGRES } from '../support/postgres-server.js';
import { Program } from '../support/program.js';
import { callFrom } from './call-from.js';
import { Listener } from './listener.js';
import { NO_NGINX, startNginx, type Nginx } from './nginx.js';

/** Error of reading two clocks, each in whole milliseconds. */
const READING_MS = 2;

/** Reason why tests with a site are skipped, or `false`; for the option `skip` of a test or suite. */
export const NO_SITE: string | false = NO_POSTGRES || NO_NGINX;

/** A node of a site. */
export interface Node {
  /** Name of the node in the ledger. */
  readonly name: string;
  readonly url: string;
  readonly port: number;
  readonly program: Program;
  /** Time at which it was killed, from `performance.now()`; null while it runs. */
  killedAt: number | null;
}

/**
 * Creates a test with a site of its own: two nodes behind nginx, on an empty database. After the test, the bills must
 * be correct: no socket has a lease or an open bill, each costs the time that it was open, and balances match the
 * ledger.
 *
 * @param environment - Environment variables of the nodes.
 */
export function atSite(
  environment: Readonly<Record<string, string>>,
  work: (site: Site) => Promise<void>,
): () => Promise<void> {
  return async () => {
    const site = await Site.open(environment);
    try {
      await work(site);
      await site.assertPaid();
    } finally {
      await site.close();
    }
  };
}

/** Two nodes behind a proxy, each in a process of its own. */
export class Site {
  readonly nodes: Node[] = [];
  /** URL of the proxy, without a trailing slash. */
  readonly url: string;
  readonly databaseUrl: string;
  readonly database: Database;
  readonly accounts: Accounts;
  readonly listeners: Listener[] = [];
  readonly #folder = mkdtempSync(join(tmpdir(), 'svc-nodes-'));
  #nginx: Nginx | null = null;
  #callers = 0;

  static async open(environment: Readonly<Record<string, string>>): Promise<Site> {
    const databaseUrl = await createDatabase();
    const port = await freePort();
    const site = new Site(port, databaseUrl, await openPatiently(databaseUrl));
    try {
      site.nodes.push(...(await Promise.all(['node-1', 'node-2'].map((name) => site.#start(name, environment)))));
      site.#nginx = await startNginx(
        port,
        site.nodes.map((node) => node.port),
      );
      return site;
    } catch (error) {
      await site.close();
      throw error;
    }
  }

  private constructor(port: number, databaseUrl: string, database: Database) {
    this.url = `http://127.0.0.1:${port}`;
    this.databaseUrl = databaseUrl;
    this.database = database;
    this.accounts = createAccounts(database);
  }

  async #start(name: string, environment: Readonly<Record<string, string>>): Promise<Node> {
    const program = new Program(['start', '--port', '0', '--database-url', this.databaseUrl], {
      cwd: this.#folder,
      environment: {
        SVC_API_KEY: 'the-key-of-the-owner-of-all-nodes',
        SVC_NODE_NAME: name,
        SVC_PUBLIC_URL: this.url,
        SVC_TRUST_PROXY: '127.0.0.1',
        SVC_LOG_LEVEL: 'fatal',
        // One second of noise for each piece of text: these tests are not about speech.
        SVC_SPEECH: 'command',
        SVC_SPEECH_COMMAND: 'head -c 48000 /dev/urandom',
        SVC_TOKEN_SECONDS: '600', // on a busy machine, a socket may be opened late
        ...environment,
      },
    });
    const url = (await program.ready()).replace(/\/$/, '');
    return { name, url, port: Number(new URL(url).port), program, killedAt: null };
  }

  /** Returns a client address that has not been used. */
  newAddress(): string {
    const number = ++this.#callers;
    return `127.1.${number >> 8}.${number & 255}`;
  }

  /** Makes a session from a new client address, and returns the URL of its socket. */
  async session(key: string, base = this.url): Promise<string> {
    const { status, body } = await callFrom(this.newAddress(), base, { 'X-SVC-Api-Key': key });
    assert.equal(status, 200, JSON.stringify(body));
    return body.url as string;
  }

  /** Opens a socket, through the proxy unless `node` is given. */
  async listen(key: string, node?: Node): Promise<Listener> {
    return this.open(await this.session(key, node?.url), node);
  }

  /** Opens the socket of a session, through the proxy unless `node` is given. It may be closed at once. */
  async open(url: string, node?: Node): Promise<Listener> {
    const address = new URL(url);
    if (node) address.port = String(node.port);
    const listener = new Listener(address.href);
    this.listeners.push(listener);
    await Promise.race([listener.conversation.opened(), listener.conversation.closed()]);
    return listener;
  }

  /** Opens sockets that talk, and waits until each has received a frame. */
  async talkers(count: number, key: string, node?: Node): Promise<Listener[]> {
    const talkers = await Promise.all(Array.from({ length: count }, () => this.listen(key, node)));
    for (const talker of talkers) talker.talk();
    await Promise.all(talkers.map((talker) => talker.heard()));
    return talkers;
  }

  /** Kills a node, as if its machine had lost power. */
  async kill(node: Node): Promise<void> {
    node.program.child.kill('SIGKILL');
    await node.program.exit();
    node.killedAt = performance.now();
  }

  /** Cost of each socket so far, in milliseconds, with its node, by session id. */
  async bills(): Promise<Map<string, { readonly ms: number; readonly node: string }>> {
    const rows = await this.database.query<{ session_id: string; ms: number; node: string }>(
      `select session_id, -amount_ms as ms, node from ledger where kind = 'usage'`,
    );
    return new Map(rows.map(({ session_id, ...bill }) => [session_id, bill]));
  }

  /** Number of slots of an account that are in use. */
  async slots(accountId: string): Promise<number> {
    const [row] = await this.database.query<{ count: number }>(
      'select count(*)::integer as count from lease where account_id = $1 and holds_slot and expires_at > svc_now()',
      [accountId],
    );
    return row!.count;
  }

  /** Closes every socket, waits until all are billed, and asserts that their costs are correct. */
  async assertPaid(): Promise<void> {
    await Promise.all(this.listeners.filter(({ isOpen }) => isOpen).map((listener) => listener.close()));
    const dead = new Map(this.nodes.filter(({ killedAt }) => killedAt !== null).map((node) => [node.name, node]));
    await eventually('the leases of all sockets are gone', async () => {
      const left = await this.database.query(
        'select session_id from lease where expires_at > svc_now() or not node = any($1::text[])',
        [[...dead.keys()]],
      );
      return left.length === 0;
    });
    const paidAt = performance.now();
    const bills = await this.bills();
    // A session has one socket. Further sockets with its URL were refused.
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

  /** Asserts that every account's balance is the sum of its ledger. */
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
    await this.database.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
