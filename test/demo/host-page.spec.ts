import type { Page } from '@playwright/test';
import { expect, test } from '../../src/testing/index.js';
import { scriptUrl, speaking } from '../../src/testing/script.js';
import { setHost } from './host.js';

/**
 * A host name that leads to this machine, but that a browser does not consider local: its pages are not secure
 * contexts.
 */
const ELSEWHERE = 'speech.test';

test.use({
  launchOptions: async ({ launchOptions }, use) => {
    await use({ ...launchOptions, args: [...launchOptions.args!, `--host-resolver-rules=MAP ${ELSEWHERE} 127.0.0.1`] });
  },
});

/** A page whose button makes the element speak. The title changes once the speech has ended. */
const html = `<!doctype html>
  <title>Nothing yet</title>
  <svc-speaker></svc-speaker>
  <button>Speak</button>
  <script type="module" src="/page.js"></script>`;

const script = (src: string): string => `
  import '/element.js';
  const speaker = document.querySelector('svc-speaker');
  speaker.src = ${JSON.stringify(src)};
  document.querySelector('button').onclick = async () => {
    const end = await speaker.speak('Hello.').finished.then(() => null, (error) => error);
    window.end = end && { reason: end.reason, code: end.code, retryable: end.retryable, message: end.message };
    document.title = 'It is over';
  };`;

const host = setHost();

/** Speaks on a page with a policy. Resolves with the utterance's error, or null if it was spoken to its end. */
async function speakOn(page: Page, policy?: string, name = '127.0.0.1'): Promise<unknown> {
  const src = scriptUrl(host.gateway.url, speaking({ tone: 440, seconds: 0.1 }));
  const headers = policy === undefined ? {} : { 'Content-Security-Policy': policy };
  host.server.page = { html, script: script(src), headers };
  await page.goto(`http://${name}:${host.server.port}/`);
  await page.getByRole('button', { name: 'Speak' }).click();
  await expect(page).toHaveTitle('It is over');
  return page.evaluate(() => (window as unknown as { end: unknown }).end);
}

const policies: { what: string; policy: string; error: { reason: string; message: RegExp } | null }[] = [
  {
    what: 'worker and worklet are blocked',
    policy: "script-src 'self'",
    error: {
      reason: 'output-failed',
      message: /blob: in script-src and worker-src.*worker-url.*svc-speaker\/assets\.js/,
    },
  },
  {
    what: 'the worklet is blocked',
    policy: "script-src 'self'; worker-src 'self' blob:",
    error: {
      reason: 'output-failed',
      message: /blob: in script-src and worker-src.*worklet-url.*svc-speaker\/assets\.js/,
    },
  },
  {
    what: 'the socket is blocked',
    policy: "script-src 'self' blob:; connect-src 'self'",
    error: { reason: 'socket-failed', message: /connect-src/ },
  },
  {
    what: 'what is needed is allowed, and nothing else',
    policy: "default-src 'none'; script-src 'self' blob:; worker-src blob:; connect-src ws://127.0.0.1:*",
    error: null,
  },
];

for (const { what, policy, error } of policies) {
  test(`a policy by which ${what}: ${error ? 'the error names the remedy' : 'it speaks'}`, async ({ page }) => {
    const end = await speakOn(page, policy);
    if (error === null) expect(end).toBeNull();
    else expect(end).toMatchObject({ reason: error.reason, message: expect.stringMatching(error.message) });
  });
}

test('an insecure page: the error says how to serve it', async ({ page }) => {
  const end = await speakOn(page, undefined, ELSEWHERE);
  expect(await page.evaluate(() => isSecureContext)).toBe(false);
  const message: unknown = expect.stringMatching(/serve the page over https, or from localhost/);
  expect(end).toMatchObject({ reason: 'output-failed', code: 3, retryable: false, message });
  expect(host.gateway.sockets()).toBe(0);
});
