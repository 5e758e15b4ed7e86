import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { WebSocket } from 'ws';
import { ensureBrowser } from '../../scripts/browser.mjs';

/**
 * A Chromium that is left alone while it plays. Test tools watch every page, and every frame of its sockets with it, which
 * costs processor time in the page's own process; here a page is opened, and reports by itself.
 */
export interface Chromium {
  /** As it names itself. */
  readonly version: string;
  /** Opens a page in a profile of its own; the function that comes back does away with both. */
  open(url: string): Promise<() => Promise<void>>;
  /** Seconds of processor time used so far, by process. */
  processorSeconds(): Promise<Map<number, number>>;
  close(): Promise<void>;
}

/** As a visible browser that its user is looking at, with sound that needs no gesture. */
const FLAGS = [
  '--headless=new',
  '--no-sandbox',
  '--autoplay-policy=no-user-gesture-required',
  '--no-first-run',
  '--no-default-browser-check',
  '--disable-background-networking',
  '--disable-background-timer-throttling',
  '--disable-backgrounding-occluded-windows',
  '--disable-component-update',
  '--disable-default-apps',
  '--disable-extensions',
  '--disable-renderer-backgrounding',
  '--disable-sync',
  '--remote-debugging-port=0',
];

/**
 * Starts the browser of the tests.
 *
 * @param env - Environment of the browser; says where its sound goes.
 * @throws {Error} If there is none, or it does not start.
 */
export async function openChromium(env: Record<string, string>): Promise<Chromium> {
  const profile = await mkdtemp(join(tmpdir(), 'svc-bench-profile-'));
  const flags = [...FLAGS, `--user-data-dir=${profile}`, 'about:blank'];
  const child = spawn(await ensureBrowser(), flags, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  // Also when we end by an error: it would go on for ever.
  const kill = (): void => void child.kill('SIGKILL');
  process.once('exit', kill);
  const gone = once(child, 'exit');
  const address = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stderr }).on('line', (line) => {
      const listening = /^DevTools listening on (ws:\S+)$/.exec(line);
      if (listening) resolve(listening[1]!);
    });
    void gone.then(() => reject(new Error('Chromium ended before it was there.')));
  });
  const call = await connect(address);
  const { product } = (await call('Browser.getVersion')) as { product: string };

  return {
    version: product,
    async open(url) {
      const { browserContextId } = (await call('Target.createBrowserContext')) as { browserContextId: string };
      await call('Target.createTarget', { url, browserContextId });
      return async () => void (await call('Target.disposeBrowserContext', { browserContextId }));
    },
    async processorSeconds() {
      const { processInfo } = (await call('SystemInfo.getProcessInfo')) as {
        processInfo: { id: number; cpuTime: number }[];
      };
      return new Map(processInfo.map(({ id, cpuTime }) => [id, cpuTime]));
    },
    async close() {
      process.off('exit', kill);
      await call('Browser.close');
      await gone;
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

type Call = (method: string, params?: object) => Promise<unknown>;

/** A function that asks the browser for something by the DevTools protocol. */
async function connect(address: string): Promise<Call> {
  const socket = new WebSocket(address);
  await once(socket, 'open');
  const waiting = new Map<number, { resolve: (result: unknown) => void; reject: (error: Error) => void }>();
  socket.on('message', (data: Buffer) => {
    const { id, result, error } = JSON.parse(data.toString()) as {
      id?: number;
      result?: unknown;
      error?: { message: string };
    };
    const answer = id === undefined ? undefined : waiting.get(id);
    if (error) answer?.reject(new Error(error.message));
    else answer?.resolve(result);
  });
  let calls = 0;
  return (method, params = {}) =>
    new Promise((resolve, reject) => {
      const id = ++calls;
      waiting.set(id, { resolve, reject });
      socket.send(JSON.stringify({ id, method, params }));
    });
}
