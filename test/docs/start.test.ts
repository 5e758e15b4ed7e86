import assert from 'node:assert/strict';
import { exec, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, describe, it, type TestContext } from 'node:test';
import { promisify } from 'node:util';
import { FIRST_LOAD_LIMIT, firstLoadBytes } from '../consumers/first-load.js';
import { example, ROOT } from './example.js';
import { startHost } from './host.js';
import { long } from '../long.js';

const run = promisify(execFile);

/** Packages that the apps install, and their folders here. */
const PACKAGES = { 'svc-speaker': ROOT, express: join(ROOT, 'docs/node_modules/express') };

/** Files of the app that the page creates by hand, and where its reader saves them. */
const FILES = { 'start/server.js': 'server.js', 'start/main.js': 'main.js', 'start/index.html': 'public/index.html' };

describe('The apps of docs/start.md', () => {
  let folder: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'svc-speaker-start-'));
    await mkdir(join(folder, 'node_modules'));
    for (const [name, path] of Object.entries(PACKAGES)) {
      await symlink(path, join(folder, 'node_modules', name), 'junction');
    }
  });

  after(() => rm(folder, { recursive: true, force: true }));

  /** Occupies a port until the end of a test. */
  async function takePort(t: TestContext): Promise<string> {
    const server = createServer().listen(0);
    t.after(() => server.close());
    await once(server, 'listening');
    return String((server.address() as AddressInfo).port);
  }

  /** Creates an app from a template, or the app that the page creates by hand. Returns its folder. */
  async function createApp(name: string): Promise<string> {
    const app = join(folder, name);
    if (name === 'start') {
      for (const [file, path] of Object.entries(FILES)) await cp(example(file), join(app, path));
      await writeFile(join(app, 'package.json'), '{ "type": "module" }');
    } else {
      await run(process.execPath, [join(ROOT, 'create/create.js'), app, '--template', name]);
    }
    return app;
  }

  it('is built with the command on the page, loads little at first, and speaks', async (t) => {
    const app = await createApp('start');
    const PATH = [join(ROOT, 'node_modules/.bin'), process.env.PATH].join(delimiter);
    await promisify(exec)(await documentedCommand(), { cwd: app, env: { ...process.env, PATH } });
    // More than 33 kB if esbuild runs without `--minify`, 109 kB without `--splitting`, and less than 1 kB without `--bundle`.
    const bytes = await firstLoadBytes(join(app, 'public'), 'index.html');
    assert.ok(bytes > FIRST_LOAD_LIMIT / 2 && bytes <= FIRST_LOAD_LIMIT, `${bytes} bytes after gzip`);

    const host = await startHost();
    t.after(() => host.close());
    const { url: SVC_BASE_URL, apiKey: SVC_API_KEY } = host.service;
    const env = { ...process.env, PORT: '0', SVC_BASE_URL, SVC_API_KEY };
    const server = spawn(process.execPath, ['server.js'], { cwd: app, env, stdio: ['ignore', 'pipe', 'inherit'] });
    t.after(() => server.kill());
    // The iterator ends if the server does.
    const { value: line } = await createInterface(server.stdout)[Symbol.asyncIterator]().next();
    const { page, log } = await host.visit(t, /^Open (http:\S+)$/.exec(String(line))![1]!);
    await page.getByRole('button', { name: 'Greet' }).click();
    await page.getByText('The last sample has been heard.').waitFor();
    assert.deepEqual(
      log.filter((entry) => !/favicon|404/.test(entry)),
      [],
    );
  });

  it('has the same command in its template with Express', long, async () => {
    const { scripts } = JSON.parse(await readFile(join(ROOT, 'create/templates/express/package.json'), 'utf8')) as {
      scripts: { build: string };
    };
    assert.equal(scripts.build, `${await documentedCommand()}/dist`);
  });

  for (const name of ['start', 'html', 'express', 'vue']) {
    it(`names the variable to set if the port is in use: ${name}`, long, async (t) => {
      const PORT = await takePort(t);
      const env = { ...process.env, PORT, SVC_BASE_URL: 'http://127.0.0.1:8787', SVC_API_KEY: 'svc_key' };
      const starting = run(process.execPath, ['server.js'], { cwd: await createApp(name), env });
      await assert.rejects(starting, ({ stderr }: { stderr: string }) => {
        assert.match(
          stderr,
          new RegExp(`^Error: The server cannot start: .*:${PORT}. Set PORT to another port.$`, 'm'),
        );
        return true;
      });
    });
  }
});

/** Returns the command that builds the page's app, without `npx`. */
async function documentedCommand(): Promise<string> {
  return /^npx (esbuild main\.js .*)$/m.exec(await readFile(join(ROOT, 'docs/start.md'), 'utf8'))![1]!;
}
