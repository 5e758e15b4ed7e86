import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { after, before, describe, it } from 'node:test';
import { Conversation } from './support/conversation.js';
import { Program } from './support/program.js';

const SERVICE = fileURLToPath(new URL('..', import.meta.url));

/** Runs npm, this one if it is npm that runs the tests. */
async function npm(args: string[], cwd: string): Promise<string> {
  const script = process.env.npm_execpath;
  const ours = script !== undefined && basename(script) === 'npm-cli.js';
  const [program, first] = ours ? [process.execPath, [script]] : ['npm', []];
  return (await promisify(execFile)(program, [...first, ...args], { cwd, encoding: 'utf8' })).stdout;
}

describe('svc-service, packed and installed in an empty folder', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'svc-packed-'));
    await npm(['pack', '--ignore-scripts', '--pack-destination', folder], SERVICE);
    const tarball = (await readdir(folder)).find((file) => file.endsWith('.tgz'))!;
    await writeFile(join(folder, 'package.json'), '{"private": true}');
    // What it depends on was installed here before, so npm has it in its cache.
    await npm(['install', '--prefer-offline', '--no-audit', '--no-fund', `./${tarball}`], folder);
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it('starts, makes a key while it runs, and speaks', async () => {
    const cli = join(folder, 'node_modules/svc-service/bin/svc-service.js');
    const program = new Program(['start', '--port', '0'], { cwd: folder, cli });
    const base = await program.ready();
    const created = new Program(['keys', 'create', '--user', 'ann', '--credits', '60'], { cwd: folder, cli });
    assert.equal(await created.exit(), 0, created.errors);
    const { key } = JSON.parse(created.lines[0]!) as { key: string };
    const response = await fetch(`${base}api/v1/realtime/stream/session`, {
      method: 'POST',
      headers: { 'X-SVC-Api-Key': key },
    });
    assert.equal(response.status, 200);
    const conversation = await new Conversation(((await response.json()) as { url: string }).url).opened();
    conversation.say('Hello.');
    await conversation.message('context_done');
    assert.ok(conversation.samples().length > 5000); // a fifth of a second
    program.child.kill('SIGTERM');
    assert.equal(await program.exit(), 0);
  });
});
