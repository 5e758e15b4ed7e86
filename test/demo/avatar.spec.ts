import { expect, openDemo, speak, stateLine, test, untilSaid } from './demo-test.js';
import { long } from './long.js';

test('the avatar is shown with its name, in the colours of the page, light or dark', async ({ page, demo }) => {
  const lineColor = () => page.locator('#avatar-mouth').evaluate((mouth) => getComputedStyle(mouth).stroke);
  await page.emulateMedia({ colorScheme: 'light' });
  await openDemo(page, demo);

  const avatar = page.getByRole('img', { name: 'Skerry' });
  await expect(avatar).toBeVisible();
  const box = (await avatar.locator('svg').boundingBox())!;
  expect(box.width, 'large enough for a face').toBeGreaterThanOrEqual(120);
  expect(box.height).toBe(box.width);

  await expect.poll(lineColor).toBe('rgb(20, 38, 46)');
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect.poll(lineColor).toBe('rgb(11, 22, 28)');
});

test('without an avatar, the page reports it and speaks', long, async ({ page, demo }) => {
  await page.route('**/speech/avatar', (route) =>
    route.fulfill({ status: 404, json: { detail: 'There is no such avatar.' } }),
  );
  await openDemo(page, demo);

  await expect(page.getByText('The avatar cannot be shown: There is no such avatar.')).toBeVisible();
  await expect(page.getByRole('img', { name: 'The avatar' })).toBeHidden();
  const title = (await page.locator('h1').boundingBox())!;
  const subtitle = (await page.locator('h1 + p').boundingBox())!;
  expect(subtitle.y, 'the subtitle is below the title').toBeGreaterThanOrEqual(title.y + title.height);
  await speak(page, 'Ready.');
  await untilSaid(page);
});

test('with an invalid avatar, the page shows the reason', long, async ({ page, demo }) => {
  await page.route('**/speech/avatar', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<h1>Welcome</h1>' }),
  );
  await openDemo(page, demo);
  await expect(
    page.getByText("The avatar cannot be shown: The backend's response is not a JSON object."),
  ).toBeVisible();
});

const mask = (id: number, content: string) => `<mask id="avatar-m${id}">${content}</mask>`;
const through = (id: number) => `<g mask="url(#avatar-m${id})"><rect width="240" height="120"/></g>`;
/** Content, by description, that makes a drawing take too long to render. */
const COSTLY: Record<string, string> = {
  // Rendering it would draw 2^26 rectangles.
  'masks of masks': through(0) + Array.from({ length: 26 }, (_, id) => mask(id, through(id + 1).repeat(2))).join(''),
  'a mask that many use': mask(0, '<rect/>') + through(0).repeat(33),
  'a mask with much in it': mask(0, '<rect/>'.repeat(101)),
  'many shapes with dashes': '<path d="M0 0L240 240" stroke-dasharray="0.001"/>'.repeat(17),
  'dashes for all shapes': `<g stroke-dasharray="0.001">${'<rect/>'.repeat(17)}</g>`,
  'too many shapes': '<rect/>'.repeat(5000),
};

test('an avatar that would take too long to draw is not drawn', long, async ({ page, demo }) => {
  const [first, ...others] = Object.entries(COSTLY);
  let plain = '';
  const withContent = (content: string) => plain.replace('</svg>', `${content}</svg>`);
  await page.route('**/speech/avatar', async (route) => {
    const avatar = (await (await route.fetch()).json()) as { svg: string };
    plain = avatar.svg;
    await route.fulfill({ json: { ...avatar, svg: withContent(first![1]) } });
  });
  await page.goto(demo.url);
  await expect(
    page.getByText('The avatar cannot be shown: The drawing of the avatar would take too long'),
    first![0],
  ).toBeVisible();

  const reading = (svg: string) =>
    page.evaluate(
      async ({ url, text }) => {
        const { readDrawing } = (await import(url)) as { readDrawing(svg: string): SVGSVGElement };
        try {
          return readDrawing(text).localName;
        } catch (error) {
          return (error as Error).message;
        }
      },
      { url: `${demo.url}demo/drawing.ts`, text: svg },
    );
  expect(await reading(plain)).toBe('svg');
  for (const [what, content] of others) {
    expect(await reading(withContent(content)), what).toContain('would take too long to draw');
  }
});

test('the page fits into a narrow window', long, async ({ page, demo }) => {
  await page.setViewportSize({ width: 280, height: 800 });
  await openDemo(page, demo);
  await expect(page.getByRole('img', { name: 'Skerry' })).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(280);
  const right = await page.locator('h1').evaluate((title) => {
    const words = document.createRange();
    words.selectNodeContents(title);
    return words.getBoundingClientRect().right;
  });
  expect(right, 'the title ends before the face').toBeLessThanOrEqual(
    (await page.locator('.portrait').boundingBox())!.x,
  );
});

test('an avatar cannot run scripts, load files or change the page', async ({ page, demo }) => {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.route('**/speech/avatar', async (route) => {
    const avatar = (await (await route.fetch()).json()) as { svg: string; colors: { light: object } };
    const hostile = `<script>window.caught = 'script'</script>
      <image href="/trap" onerror="window.caught = 'handler'"/>
      <g fill="url(/trap#a)" style="fill: url(/trap#b)"><rect id="speaker" width="9" height="9"/></g>
      <foreignObject><img xmlns="http://www.w3.org/1999/xhtml" src="/trap" onerror="window.caught = 'HTML'"/></foreignObject>`;
    const svg = avatar.svg.replace('</svg>', `${hostile}</svg>`);
    const light = { ...avatar.colors.light, '--avatar-fur': 'url(/trap#c)', '--ink': '#ff0000' };
    await route.fulfill({ json: { ...avatar, svg, colors: { ...avatar.colors, light } } });
  });
  await openDemo(page, demo);
  await expect(page.getByRole('img', { name: 'Skerry' })).toBeVisible();
  await speak(page, 'Ready.');
  await untilSaid(page);

  expect(await page.evaluate(() => (window as { caught?: string }).caught)).toBe(undefined);
  expect(asked.filter((url) => url.includes('trap'))).toEqual([]);
  await expect(page.locator('.portrait :is(script, image, foreignObject, [style], #speaker)')).toHaveCount(0);
  const ink = await page.locator('.portrait').evaluate((frame) => getComputedStyle(frame).getPropertyValue('--ink'));
  expect(ink).not.toBe('#ff0000');
});

for (const [whose, headers] of [
  ['another site', { 'Sec-Fetch-Site': 'cross-site' }],
  ['another site, in a browser that does not tell', { Origin: 'https://elsewhere.example' }],
  ['another site without TLS, by an image', { Referer: 'http://elsewhere.example/page' }],
] as const) {
  test(`the avatar is not served to a page of ${whose}`, async ({ request, demo }) => {
    for (const path of ['speech/avatar', 'speech/rooms/token?avatar_id=demo']) {
      const answer = await request.get(demo.url + path, { headers });
      expect(answer.status(), path).toBe(403);
    }
  });
}

test('the avatar is served to GET requests only', async ({ request, demo }) => {
  for (const method of ['POST', 'PUT', 'DELETE']) {
    expect((await request.fetch(`${demo.url}speech/avatar`, { method })).status(), method).toBe(405);
  }
});

test('a room token is requested, and its claims are shown', long, async ({ page, demo }) => {
  await openDemo(page, demo);
  const claims = page.locator('#room-claims');
  const claim = (term: string) => claims.locator('div', { has: page.locator(`dt:text-is("${term}")`) }).locator('dd');
  await page.getByRole('button', { name: 'Get a room token' }).click();
  await expect(claim('identity')).toHaveText(/.:my name .+$/);
  await expect(claim('room')).toHaveText(/^room-/);
  await expect(claim('good until')).toHaveText(/for 15 minutes$/);
  const first = await claim('room').textContent();

  await page.getByLabel('Your name').fill('Jürgen 😀');
  await page.getByLabel('Your name').press('Enter');

  await expect(claim('identity')).toHaveText(/.:Jürgen 😀$/);
  expect(await claim('room').textContent(), 'another room each time').not.toBe(first);
});

test('without a room token, the page shows the reason', long, async ({ page, demo }) => {
  await openDemo(page, demo);
  let requests = 0;
  await page.route('**/speech/rooms/token*', (route) => {
    requests += 1;
    return route.fulfill({ status: 403, json: { detail: 'The avatar is not available: its status is disabled.' } });
  });
  const get = page.getByRole('button', { name: 'Get a room token' });
  await page.getByLabel('Your name').fill('A\tB');
  await get.click();
  await expect(page.getByText('No token: A name must not hold tabs')).toBeVisible();
  expect(requests, 'an invalid name').toBe(0);

  await page.getByLabel('Your name').fill('Ann');
  await get.click();
  const remark = page.getByRole('status').filter({ hasText: 'No token' });
  await expect(remark).toHaveText('No token: The avatar is not available: its status is disabled.');
  await expect(page.locator('#room-claims')).toBeHidden();
  await expect(get).toBeEnabled();
  await expect(stateLine(page)).toHaveAttribute('data-state', 'idle');
});
