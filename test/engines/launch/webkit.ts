import type { KeyInput } from 'puppeteer-core';
import { type Browser, type BrowserOptions, type BrowserPage, VIEWPORT } from './engine.js';
import { freePort } from './free-port.js';
import { namedProgram, type Program, prints, startProgram } from './program.js';

/**
 * Opens WebKitGTK's MiniBrowser (`SVC_WEBKIT`) through its driver (`SVC_WEBKIT_DRIVER`), on a virtual screen. It has
 * one page, which `openPage` returns each time.
 *
 * @throws {Error} If the browser, its driver or the screen does not start.
 */
export async function openWebKit({ autoplay, sharedMemory, env }: BrowserOptions): Promise<Browser> {
  const programs: Program[] = [];
  try {
    const screen = startProgram('Xvfb', ['-displayfd', '1', '-nolisten', 'tcp'], env);
    programs.push(screen);
    const display = `:${(await prints(screen, screen.stdout, /\d+\n/)).trim()}`;
    const port = await freePort();
    const driver = startProgram(namedProgram('SVC_WEBKIT_DRIVER'), [`--port=${port}`], {
      ...env,
      DISPLAY: display,
      // Debian's build disables it by default.
      JSC_useSharedArrayBuffer: sharedMemory ? '1' : '0',
    });
    programs.push(driver);
    const session = await openSession(`http://127.0.0.1:${port}`, driver, autoplay);
    let open: Promise<void> | undefined;
    return {
      version: session.version,
      async openPage() {
        const page = pageOf(session);
        await page.setViewport(VIEWPORT);
        return page;
      },
      close: () => (open ??= closeAll(session, programs)),
    };
  } catch (error) {
    await Promise.all(programs.map((program) => program.stop()));
    throw error;
  }
}

interface Session {
  readonly version: string;
  /** Sends a W3C WebDriver command for this session. */
  command(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<unknown>;
}

async function openSession(driverUrl: string, driver: Program, autoplay: boolean): Promise<Session> {
  await listening(driverUrl, driver);
  const { sessionId, capabilities } = (await request(`${driverUrl}/session`, 'POST', {
    capabilities: {
      alwaysMatch: {
        'webkitgtk:browserOptions': {
          binary: namedProgram('SVC_WEBKIT'),
          args: ['--automation', `--autoplay-policy=${autoplay ? 'allow' : 'deny'}`],
        },
      },
    },
  })) as { sessionId: string; capabilities: { browserName: string; browserVersion: string } };
  return {
    version: `${capabilities.browserName} ${capabilities.browserVersion}`,
    command: (method, path, body) => request(`${driverUrl}/session/${sessionId}${path}`, method, body),
  };
}

/** WebDriver's values of the keys that do not type their own name. */
const KEYS: Partial<Record<KeyInput, string>> = {
  Tab: '\uE004',
  Enter: '\uE007',
  Escape: '\uE00C',
  Space: ' ',
  PageUp: '\uE00E',
  PageDown: '\uE00F',
  End: '\uE010',
  Home: '\uE011',
  ArrowLeft: '\uE012',
  ArrowUp: '\uE013',
  ArrowRight: '\uE014',
  ArrowDown: '\uE015',
};

function pageOf({ command }: Session): BrowserPage {
  const act = async (type: 'key' | 'pointer', actions: readonly object[]): Promise<void> => {
    await command('POST', '/actions', { actions: [{ type, id: type, actions }] });
  };
  const moveTo = (x: number, y: number): object => ({ type: 'pointerMove', x, y, duration: 0 });
  const down = { type: 'pointerDown', button: 0 };
  const up = { type: 'pointerUp', button: 0 };
  return {
    keyboard: {
      press(key) {
        const value = KEYS[key] ?? key;
        return act('key', [
          { type: 'keyDown', value },
          { type: 'keyUp', value },
        ]);
      },
    },
    mouse: {
      move: (x, y) => act('pointer', [moveTo(x, y)]),
      click: (x, y) => act('pointer', [moveTo(x, y), down, up]),
      down: () => act('pointer', [down]),
      up: () => act('pointer', [up]),
      async reset() {
        await command('DELETE', '/actions');
        await act('pointer', [moveTo(0, 0)]);
      },
    },
    goto: (url) => command('POST', '/url', { url }),
    url: async () => String(await command('GET', '/url')),
    async setViewport({ width, height }) {
      const script = 'return [outerWidth - innerWidth, outerHeight - innerHeight]';
      const [left, above] = (await command('POST', '/execute/sync', { script, args: [] })) as [number, number];
      await command('POST', '/window/rect', { width: width + left, height: height + above });
    },
    close: async () => void (await command('POST', '/url', { url: 'about:blank' })),
  };
}

async function closeAll({ command }: Session, programs: readonly Program[]): Promise<void> {
  // If the driver has died, its session is gone too.
  await command('DELETE', '').catch(() => {});
  await Promise.all(programs.map((program) => program.stop()));
}

async function request(url: string, method: string, body?: object): Promise<unknown> {
  const response = await fetch(url, { method, ...(body && { body: JSON.stringify(body) }) });
  const { value } = (await response.json()) as { value: unknown };
  if (!response.ok) throw new Error(`${method} ${url}: ${JSON.stringify(value)}`);
  return value;
}

/** Polls the driver until it responds, because it does not report when it is ready. */
async function listening(url: string, driver: Program): Promise<void> {
  let ended = false;
  void driver.gone.then(() => (ended = true));
  for (;;) {
    try {
      await request(`${url}/status`, 'GET');
      return;
    } catch (error) {
      if (ended) throw new Error(`The driver of WebKitGTK has ended.`, { cause: error });
    }
  }
}
