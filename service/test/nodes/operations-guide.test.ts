import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { createMetrics } from '../../src/telemetry/metrics.js';
import { helpFor } from '../../src/admin/command-help.js';
import { LIMITS } from '../../src/limits.js';

const read = (path: string): string => readFileSync(new URL(`../../../docs/${path}`, import.meta.url), 'utf8');

const GUIDE = read('operations.md');
const COMPOSE = read('compose/compose.yaml');
const NGINX = read('compose/nginx.conf');

/** Suffixes that Prometheus adds to the name of a histogram. */
const SUFFIX = /_(bucket|count|sum)$/;

describe('operations.md and its compose file', () => {
  it('name existing settings', () => {
    const named = new Set(`${GUIDE}${COMPOSE}`.match(/\bSVC_[A-Z_]+\b/g));
    assert.ok(named.size > 8);
    const help = helpFor(['start']);
    for (const name of named) assert.ok(help.includes(name), name);
  });

  it('name existing metrics', async () => {
    const metrics = await createMetrics({ engine: { available: true } }).text();
    const named = new Set(GUIDE.match(/\b(svc|nodejs)_[a-z0-9_]+\b/g));
    assert.ok(named.size > 8);
    for (const name of named) assert.match(metrics, new RegExp(`^# TYPE ${name.replace(SUFFIX, '')} `, 'm'));
  });

  it('wait longer than the service does', () => {
    const [, grace] = /stop_grace_period: (\d+)s/.exec(COMPOSE)!;
    assert.ok(Number(grace) * 1000 > LIMITS.drainMs + 2 * LIMITS.closeMs);
    for (const timeout of ['proxy_read_timeout', 'proxy_send_timeout']) {
      const [, seconds] = new RegExp(`${timeout} (\\d+)s`).exec(NGINX)!;
      assert.ok(Number(seconds) * 1000 > LIMITS.idleMs, timeout);
    }
    const [, kilobytes] = /client_max_body_size (\d+)k/.exec(NGINX)!;
    assert.ok(Number(kilobytes) * 1024 > LIMITS.bodyBytes);
  });

  it('let PostgreSQL accept the connections of 20 nodes', async () => {
    const [, most] = /max_connections=(\d+)/.exec(COMPOSE)!;
    const [, eachByDefault] = /SVC_DATABASE_CONNECTIONS.*?\((\d+)\)/.exec(helpFor(['start']))!;
    assert.ok(Number(most) >= 20 * Number(eachByDefault));
  });

  it('make the nodes trust the proxy only', () => {
    const [, trusted] = /SVC_TRUST_PROXY: (\S+)/.exec(COMPOSE)!;
    const [, proxy] = /\n {2}proxy:\n(?: {4}.*\n)*? {6}inside: \{ ipv4_address: (\S+) \}/.exec(COMPOSE)!;
    assert.equal(trusted, proxy);
  });

  it('have a line in nginx.conf for each node', () => {
    const nodes = COMPOSE.match(/^ {2}node-\d+:$/gm)!.map((line) => line.trim().slice(0, -1));
    const upstreams = NGINX.match(/server (node-\d+):8787/g)!.map((line) =>
      line.slice('server '.length, -':8787'.length),
    );
    assert.deepEqual(upstreams, nodes);
  });
});
