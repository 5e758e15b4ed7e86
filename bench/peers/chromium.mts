import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { WebSocket } from 'ws';
import { ensureBrowser } from '../../scripts/browser.mjs';

/**
 * A Chromium that is left undisturbed while it plays. Test tools observe every page and every frame of its sockets,
 * which costs CPU time in the page's own process. Here a page is only opened; it reports by itself.
 */
export interface Chromium {
  /** Product name and version. */
  readonly version: string;
  /** Opens a page in a new profile. Resolves with a function that removes both. */
  open(url: string): Promise<() => Promise<void>>;
  /** CPU time used so far, in seconds, by process id. */
  processorSeconds(): Promise<Map<number, number>>;
  close(): Promise<void>;
}

/** Behave like a visible browser in use, with sound that needs no gesture. */
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
 * Starts the browser that the tests use.
 *
 * @param env - Environment of the browser, which determines its sound device.
 * @throws {Error} If there is no browser, or it does not start.
 */
export async function openChromium(env: Record<string, string>): Promise<Chromium> {
  const profile = await mkdtemp(join(tmpdir(), 'svc-bench-profile-'));
  const flags = [...FLAGS, `--user-data-dir=${profile}`, 'about:blank'];
  const child = spawn(await ensureBrowser(), flags, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  // Also after an error of this process: otherwise the browser would run forever.
  const kill = (): void => void child.kill('SIGKILL');
  process.once('exit', kill);
  const gone = once(child, 'exit');
  const address = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stderr }).on('line', (line) => {
      const listening = /^DevTools listening on (ws:\S+)$/.exec(line);
      if (listening) resolve(listening[1]!);
    });
    void gone.then(() => reject(new Error('Chromium ended before it opened its DevTools port.')));
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

/** Returns a function that calls methods of the DevTools protocol. */
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
