import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { helpFor } from '../../src/admin/command-help.js';

const ROOT = new URL('../../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, ROOT), 'utf8');

const DOCKERFILE = read('service/Dockerfile');
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

describe('the image', () => {
  it('has the version of the package', () => {
    assert.equal(find(/^ARG VERSION=(.+)$/m, DOCKERFILE), version);
  });

  it('has a Node version that the package supports', () => {
    const least = Number(find(/>=(\d+)/, engines.node));
    const major = Number(find(/^ARG NODE=(\d+)-/m, DOCKERFILE));
    assert.ok(major >= least && major % 2 === 0, `Node ${major}`);
  });

  it('names existing settings', () => {
    const named = new Set(DOCKERFILE.match(/\bSVC_[A-Z_]+\b/g));
    assert.ok(named.size > 1);
    const help = helpFor(['start']);
    for (const name of named) assert.ok(help.includes(name), name);
  });

  it('copies existing files that are not ignored', () => {
    const ignored = read('.dockerignore').split('\n');
    const copies = [...DOCKERFILE.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, paths]) => paths!.split(' '));
    assert.ok(copies.length > 5);
    for (const path of copies) {
      assert.ok(existsSync(new URL(path, ROOT)), path);
      assert.ok(ignored.includes(`!${path}`) || ignored.includes(`!${path.split('/')[0]}`), path);
    }
  });

  it('checks the port and a path that the service has', () => {
    const port = find(/SVC_PORT=(\d+)/, DOCKERFILE);
    assert.equal(find(/^EXPOSE (\d+)$/m, DOCKERFILE), port);
    assert.ok(read('service/src/telemetry/health.ts').includes(`'${find(/(\/healthz)\b/, DOCKERFILE)}'`));
  });

  it('runs as a user without rights', () => {
    assert.equal(find(/^USER (.+)$/m, DOCKERFILE), '1000:1000');
  });
});
