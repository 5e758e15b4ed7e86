import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findServers } from '../../../scripts/servers.mjs';
import { eventually } from '../support/eventually.js';

/** The configuration that operations.md recommends. */
const CONFIGURATION = new URL('../../../docs/compose/nginx.conf', import.meta.url);

/** Shell script that runs nginx until its stdin is closed, either by `close()` or because this process has ended. */
const GUARD = '"$@" & server=$!; read word; kill -TERM $server; wait $server';

/** Path of the nginx program; `null` if there is none. */
const program = (findServers as () => { nginx: string | null })().nginx;

/**
 * Reason why tests with nginx are skipped, or `false`; for the option `skip` of a test or suite. The clients have
 * addresses of their own in 127.0.0.0/8, which only Linux allows.
 */
export const NO_NGINX: string | false =
  process.platform !== 'linux'
    ? 'Clients with addresses of their own need Linux.'
    : program === null && 'There is no nginx here. Install nginx-light, or set SVC_NGINX to its program.';
if (NO_NGINX) console.error(`!!! SKIPPED: ${NO_NGINX}`);

/** A running nginx. */
export interface Nginx {
  close(): Promise<void>;
}

/**
 * Starts an nginx with the configuration of docs/compose, but in front of other nodes and on another port.
 *
 * @param port - Port of 127.0.0.1 on which it listens.
 * @param nodes - Ports of the nodes.
 * @throws {Error} If it does not start. The message contains its stderr.
 */
export async function startNginx(port: number, nodes: readonly number[]): Promise<Nginx> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-nginx-'));
  chmodSync(folder, 0o755); // its workers may run as another user
  writeFileSync(join(folder, 'nginx.conf'), configure(folder, port, nodes));
  const child = spawn(
    '/bin/sh',
    ['-c', GUARD, 'sh', program!, '-p', folder, '-c', 'nginx.conf', '-e', 'stderr', '-g', 'daemon off; pid pid;'],
    { stdio: ['pipe', 'ignore', 'pipe'] },
  );
  let printed = '';
  child.stderr.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  const close = async (): Promise<void> => {
    child.stdin.end();
    if (child.exitCode === null) await once(child, 'exit');
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await eventually('nginx listens', () => child.exitCode !== null || answers(port));
    if (child.exitCode !== null) throw new Error('It has ended.');
  } catch {
    await close();
    throw new Error(`nginx did not start:\n${printed}`);
  }
  return { close };
}

function configure(folder: string, port: number, nodes: readonly number[]): string {
  const [, ...others] = ['body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  const places = [`client_body_temp_path ${folder}/body;`, ...others].join('\n    ');
  const upstreams = nodes.map((node) => `server 127.0.0.1:${node} max_fails=1 fail_timeout=2s;`);
  const given = readFileSync(CONFIGURATION, 'utf8');
  return [
    [/^http \{$/m, `http {\n    ${places}`],
    [/(?:^ +server node-\d:8787 .*\n)+/m, `        ${upstreams.join('\n        ')}\n`],
    [/^ +listen 80;$/m, `        listen 127.0.0.1:${port};`],
    [/^ +access_log .*$/m, '    access_log off;'],
  ].reduce((text, [from, to]) => {
    if (!(from as RegExp).test(text)) throw new Error(`docs/compose/nginx.conf has no ${String(from)}.`);
    return text.replace(from as RegExp, to as string);
  }, given);
}

async function answers(port: number): Promise<boolean> {
  const probe = connect(port, '127.0.0.1');
  try {
    await once(probe, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    probe.destroy();
  }
}
