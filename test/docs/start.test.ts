import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it, type TestContext } from 'node:test';
import { promisify } from 'node:util';
import { example, ROOT } from './example.js';

const run = promisify(execFile);

/** Packages that the apps install, and their folders here. */
const PACKAGES = { 'svc-speaker': ROOT, express: join(ROOT, 'docs/node_modules/express') };

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
      await cp(example('start'), app, { recursive: true });
      await writeFile(join(app, 'package.json'), '{ "type": "module" }');
    } else {
      await run(process.execPath, [join(ROOT, 'create/create.js'), app, '--template', name]);
    }
    return app;
  }

  for (const name of ['start', 'html', 'express', 'vue']) {
    it(`names the variable to set if the port is in use: ${name}`, async (t) => {
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
