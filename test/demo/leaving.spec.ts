import type { Page } from '@playwright/test';
import { ensureBrowser } from '../../scripts/browser.mjs';
import { expect, test } from '../../src/testing/index.js';
import { scriptUrl, speaking, type GatewayConnection } from '../../src/testing/script.js';
import { setHost } from './host.js';
import { long } from './long.js';

/** Much longer than the page plays before the user leaves it. */
const LONG = { tone: 440, seconds: 30, pace: 'realtime' } as const;

const host = setHost();

test.use({
  launchOptions: async ({ launchOptions }, use) => {
    await use({
      ...launchOptions,
      executablePath: await ensureBrowser({ whole: true }),
      args: [...launchOptions.args!, '--autoplay-policy=no-user-gesture-required'],
      // Playwright disables the back/forward cache by default.
      ignoreDefaultArgs: [...(launchOptions.ignoreDefaultArgs as string[]), '--disable-back-forward-cache'],
    });
  },
});

/** Opens a page that speaks, and waits until it plays. */
async function open(page: Page, attributes = '', seconds: number = LONG.seconds): Promise<GatewayConnection> {
  const url = scriptUrl(host.gateway.url, speaking({ ...LONG, seconds }));
  const before = host.gateway.connections.length;
  host.server.page = {
    html: `<!doctype html><title>Speaks</title><svc-speaker ${attributes}></svc-speaker><p></p>
      <script type="module">
        import '/element.js';
        const speaker = document.querySelector('svc-speaker');
        speaker.sessionProvider = async () => ${JSON.stringify(url)};
        window.say = () => speaker.speak('Hello.').finished.then(() => 'finished', ({ name }) => name);
        window.outcome = say();
        speaker.addEventListener('playing', () => document.querySelector('p').append('playing'));
        speaker.addEventListener('ended', () => document.querySelector('p').append('ended'));
      </script>`,
  };
  await page.goto(`http://127.0.0.1:${host.server.port}/`);
  await expect(page.locator('p')).toContainText('playing');
  return host.gateway.connections[before]!;
}

/** Waits until every socket of the service has closed. */
async function noneLeft(): Promise<void> {
  await expect.poll(() => host.gateway.sockets()).toBe(0);
}

/** Makes the page report that it is hidden. Headless Chromium shows all its pages at once. */
async function hide(page: Page): Promise<void> {
  await page.evaluate(() => {
    Object.defineProperty(document, 'hidden', { get: () => true, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  });
}

declare global {
  interface Window {
    say(): Promise<string>;
    outcome: Promise<string>;
  }
}

test('a page that is reloaded leaves no socket open', long, async ({ page }) => {
  const first = await open(page);
  await page.reload();
  await expect(page.locator('p')).toContainText('playing');
  await expect.poll(() => first.closed !== null).toBe(true);
  expect(host.gateway.sockets()).toBe(1);
});

test('a page in the back/forward cache has no socket open, and speaks again when it is restored', async ({ page }) => {
  await open(page, '', 0.5);
  await expect(page.locator('p')).toContainText('ended');
  const socket = await open(page);
  host.server.page = { html: '<!doctype html><title>Elsewhere</title>' };
  await page.evaluate(() => {
    addEventListener('pageshow', ({ persisted }) =>
      document.querySelector('p')!.append(persisted ? 'persisted' : 'anew'),
    );
  });
  await page.goto(`http://127.0.0.1:${host.server.port}/elsewhere`);
  await noneLeft();
  expect(socket.closed).not.toBe(null);
  await page.evaluate(() => setTimeout(() => history.back()));
  await expect(page.locator('p')).toContainText('persisted');
  expect(await page.evaluate(() => window.outcome)).toBe('AbortError');
  await page.evaluate(() => {
    document.querySelector('p')!.textContent = '';
    void window.say();
  });
  await expect(page.locator('p')).toContainText('playing');
});

test('a hidden page speaks to the end, and then closes its socket', async ({ page }) => {
  const socket = await open(page, 'keep-open', 1.5);
  await hide(page);
  expect(await page.evaluate(() => window.outcome)).toBe('finished');
  await noneLeft();
  expect(socket.closed!.code).toBe(1000);
});

test('a hidden page closes its socket, too, if keep-open is set later', long, async ({ page }) => {
  const socket = await open(page, '', 1.5);
  await hide(page);
  await page.evaluate(() => document.querySelector('svc-speaker')!.setAttribute('keep-open', ''));
  expect(await page.evaluate(() => window.outcome)).toBe('finished');
  await noneLeft();
  expect(socket.closed!.code).toBe(1000);
});

test('a visible page keeps its socket open with keep-open', long, async ({ page }) => {
  const socket = await open(page, 'keep-open', 0.5);
  await expect(page.locator('p')).toContainText('ended');
  expect(socket.closed).toBe(null);
  await page.evaluate(() => document.querySelector('svc-speaker')!.remove());
  await noneLeft();
  expect(socket.closed!.code).toBe(1000);
});
