import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { helpFor } from '../../src/admin/command-help.js';
import { LIMITS } from '../../src/limits.js';
import { createMetrics } from '../../src/operations/metrics.js';

const ROOT = new URL('../../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, ROOT), 'utf8');

const DOCKERFILE = read('service/Dockerfile');
const VALUES = read('service/chart/values.yaml');
const CHART = read('service/chart/Chart.yaml');
const TEMPLATES = readdirSync(new URL('service/chart/templates/', ROOT))
  .map((name) => read(`service/chart/templates/${name}`))
  .join('\n');
const { version, engines } = JSON.parse(read('service/package.json')) as {
  version: string;
  engines: { node: string };
};

/** Returns the first group of a match, and asserts that there is a match. */
function find(pattern: RegExp, text: string): string {
  const match = pattern.exec(text);
  assert.ok(match, String(pattern));
  return match[1]!;
}

describe('the image and the chart', () => {
  it('have the version of the package', () => {
    assert.equal(find(/^ARG VERSION=(.+)$/m, DOCKERFILE), version);
    assert.equal(find(/^version: (.+)$/m, CHART), version);
    assert.equal(find(/^appVersion: (.+)$/m, CHART), version);
  });

  it('have a Node version that the package supports', () => {
    const least = Number(find(/>=(\d+)/, engines.node));
    const major = Number(find(/^ARG NODE=(\d+)-/m, DOCKERFILE));
    assert.ok(major >= least && major % 2 === 0, `Node ${major}`);
  });

  it('name existing settings', () => {
    const named = new Set(`${DOCKERFILE}${VALUES}${TEMPLATES}`.match(/\bSVC_[A-Z_]+\b/g));
    assert.ok(named.size > 8);
    const help = helpFor(['start']);
    for (const name of named) assert.ok(help.includes(name), name);
  });

  it('copy existing files that are not ignored', () => {
    const ignored = read('.dockerignore').split('\n');
    const copies = [...DOCKERFILE.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, paths]) => paths!.split(' '));
    assert.ok(copies.length > 5);
    for (const path of copies) {
      assert.ok(existsSync(new URL(path, ROOT)), path);
      assert.ok(ignored.includes(`!${path}`) || ignored.includes(`!${path.split('/')[0]}`), path);
    }
  });

  it('probe the port and the paths that the service has', () => {
    const port = find(/SVC_PORT=(\d+)/, DOCKERFILE);
    assert.equal(find(/^EXPOSE (\d+)$/m, DOCKERFILE), port);
    assert.equal(find(/containerPort: (\d+)/, TEMPLATES), port);
    const routes = read('service/src/operations/health.ts') + read('service/src/operations/http-metrics.ts');
    const paths = new Set(`${DOCKERFILE}${TEMPLATES}`.match(/(?<=[}\s])\/(healthz|readyz|metrics)\b/g));
    assert.deepEqual([...paths].sort(), ['/healthz', '/metrics', '/readyz']);
    for (const path of paths) assert.ok(routes.includes(`'${path}'`), path);
  });

  it('wait longer than a node drains', () => {
    const grace = Number(find(/^terminationGracePeriodSeconds: (\d+)$/m, VALUES));
    const preStop = Number(find(/^preStopSeconds: (\d+)$/m, VALUES));
    assert.ok(grace * 1000 > preStop * 1000 + LIMITS.drainMs + 2 * LIMITS.closeMs);
  });

  it('scale by an existing metric', async () => {
    const metrics = await createMetrics({ engine: { available: true } }).text();
    assert.ok(metrics.includes(`# TYPE ${find(/^ {2}metric: (\S+)$/m, VALUES)} histogram`));
  });

  it('read existing values', () => {
    const names = new Set([...TEMPLATES.matchAll(/\.Values\.([\w.]+)/g)].map(([, name]) => name!));
    assert.ok(names.size > 15);
    for (const name of names) {
      const [first, second] = name.split('.');
      assert.match(VALUES, new RegExp(`^${first}:`, 'm'), name);
      if (second) assert.match(VALUES, new RegExp(`^${first}:\\n(?: .*\\n)*? {2}${second}:`, 'm'), name);
    }
  });

  it('run as a user without rights that can write only to volumes', () => {
    assert.equal(find(/^USER (.+)$/m, DOCKERFILE), '1000:1000');
    for (const line of ['runAsNonRoot: true', 'runAsUser: 1000', 'readOnlyRootFilesystem: true', 'drop: [ALL]']) {
      assert.ok(TEMPLATES.includes(line), line);
    }
  });
});
