import { API_KEY } from './api-key.js';
import { expect, openDemo, speak, test, untilSaid } from './demo-test.js';

/** Paths at which a development server might expose more than the page. */
const TEMPTING = [
  '.env',
  'package.json',
  'vite.config.ts',
  'scripts/start.mjs',
  'demo/server/speech-backend.ts',
  'src/backend/svc-client.ts',
  '@vite/client',
  '@vite/env',
  '@fs/proc/self/environ',
  'speech/session',
  'speech/avatar',
  'speech/rooms/token?avatar_id=demo',
  'speech/nothing',
];

test('the API key is not in anything that is served', async ({ page, demo }) => {
  const needles = [API_KEY, Buffer.from(API_KEY).toString('base64'), encodeURIComponent(API_KEY)];
  const bodies: Promise<[url: string, body: string]>[] = [];
  page.on('response', (response) => {
    // A redirect has no body.
    if (response.status() >= 300 && response.status() < 400) return;
    bodies.push(response.body().then((body) => [response.url(), body.toString('latin1')]));
  });
  await openDemo(page, demo);
  await speak(page, 'Ready.');
  await untilSaid(page);
  await page.getByRole('button', { name: 'Get a room token' }).click();
  await expect(page.locator('#room-claims')).toBeVisible();
  for (const path of TEMPTING) {
    bodies.push(page.request.get(demo.url + path).then(async (answer) => [answer.url(), await answer.text()]));
  }
  const refused = page.request.post(`${demo.url}speech/session`, {
    data: { voice_id: 'no such voice', sampling: { x: 1 } },
  });
  bodies.push(refused.then(async (answer) => [answer.url(), await answer.text()]));

  const served = await Promise.all(bodies);

  expect(served.map(([url]) => url)).toContain(`${demo.url}speech/session`);
  for (const [url, body] of served) {
    for (const needle of needles) expect(body.includes(needle), `the key in ${url}`).toBe(false);
  }
});

test('a page of another origin gets no session', async ({ request, demo }) => {
  const answer = await request.post(`${demo.url}speech/session`, {
    data: {},
    headers: { Origin: 'http://elsewhere.example' },
  });

  expect(answer.status()).toBe(403);
});

test('everything is served with the headers of a cross-origin isolated page', async ({ page, demo }) => {
  for (const path of ['', 'demo/main.ts', 'speech/session', 'nothing-here']) {
    const headers = (await page.request.get(demo.url + path)).headers();
    expect(headers['cross-origin-opener-policy'], path).toBe('same-origin');
    expect(headers['cross-origin-embedder-policy'], path).toBe('require-corp');
  }
  await openDemo(page, demo);
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
});
