import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Conversation } from './support/conversation.js';
import { Program } from './support/program.js';
import { rowsOf } from './support/run-main.js';
import { COMPILED_ONCE } from './support/webassembly.js';

const SERVICE = fileURLToPath(new URL('..', import.meta.url));
const MODULES = fileURLToPath(new URL('../../node_modules/', import.meta.url));

const run = promisify(execFile);

/** Runs npm: the same one, if npm runs the tests. */
async function npm(args: string[], cwd: string): Promise<void> {
  const script = process.env.npm_execpath;
  const isNpm = script !== undefined && basename(script) === 'npm-cli.js';
  const [program, first] = isNpm ? [process.execPath, [script]] : ['npm', []];
  await run(program, [...first, ...args], { cwd });
}

/** Unpacks a package, and links its declared dependencies and nothing else. */
async function unpack(tarball: string, folder: string): Promise<void> {
  await run('tar', ['-xzf', tarball], { cwd: folder });
  const target = join(folder, 'node_modules', 'svc-service');
  await mkdir(dirname(target), { recursive: true });
  await rename(join(folder, 'package'), target);
  const { dependencies } = JSON.parse(await readFile(join(target, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  for (const name of Object.keys(dependencies)) {
    const link = join(folder, 'node_modules', name);
    await mkdir(dirname(link), { recursive: true });
    await symlink(join(MODULES, name), link, 'junction');
  }
}

/**
 * Installs a package and the dependencies that npm finds for it today, as its users do. Fails if one of them does not
 * support the running version of Node: light-my-request, of Fastify, is pinned because version 6.8 needs Node 22.
 */
async function install(tarball: string, folder: string): Promise<void> {
  await npm(['install', '--no-audit', '--no-fund', '--engine-strict', `./${tarball}`], folder);
}

describe('svc-service, packed and installed in an empty folder', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'svc-packed-'));
    await npm(['pack', '--ignore-scripts', '--pack-destination', folder], SERVICE);
    const tarball = (await readdir(folder)).find((file) => file.endsWith('.tgz'))!;
    await writeFile(join(folder, 'package.json'), '{"private": true}');
    if (process.env.SVC_LONG) await install(tarball, folder);
    else await unpack(tarball, folder);
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it('has types, for a strict project', async () => {
    await writeFile(
      join(folder, 'use.ts'),
      `import { createService, type Service, type ServiceOptions } from 'svc-service';
       const options: ServiceOptions = { port: 0, maxSockets: 10 };
       const service: Service = await createService(options);
       console.log(service.url.length);
       // @ts-expect-error: not an option
       await createService({ prot: 0 });`,
    );
    const strict = { strict: true, noEmit: true, module: 'nodenext', target: 'es2023', skipLibCheck: true, types: [] };
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: strict, files: ['use.ts'] }));
    await writeFile(join(folder, 'package.json'), '{"private": true, "type": "module"}');
    const compiler = join(MODULES, 'typescript', 'bin', 'tsc');
    const { stdout } = await run(process.execPath, [compiler, '-p', folder]).catch(
      (error: { stdout: string }) => error,
    );
    assert.equal(stdout, '');
  });

  it('starts, shows the dashboard, makes a key while it runs, and speaks', async () => {
    const cli = join(folder, 'node_modules/svc-service/bin/svc-service.js');
    const environment = { SVC_ADMIN_TOKEN: 'an-admin-token-that-nobody-guesses' };
    const program = new Program(['start', '--port', '0'], { cwd: folder, cli, environment, flags: COMPILED_ONCE });
    const base = await program.ready();
    for (const file of ['', 'dashboard.js', 'dashboard.css']) {
      assert.equal((await fetch(`${base}admin/${file}`)).status, 200, `the dashboard: ${file}`);
    }
    const created = new Program(['keys', 'create', '--user', 'ann', '--credits', '60'], {
      cwd: folder,
      cli,
      flags: COMPILED_ONCE,
    });
    const [made] = rowsOf(await created.result());
    const response = await fetch(`${base}api/v1/realtime/stream/session`, {
      method: 'POST',
      headers: { 'X-SVC-Api-Key': made!.key as string },
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
