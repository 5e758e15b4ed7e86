import type { Page } from '@playwright/test';
import { expect, openDemo, speak, stateLine, test, untilSaid } from './demo-test.js';

test.describe.configure({ mode: 'parallel' });

/** Height of the mouth, in units of the drawing, of which there are 240. */
const mouthHeight = (page: Page) =>
  page.locator('#avatar-mouth').evaluate((mouth: SVGPathElement) => mouth.getBBox().height);

/** Notes every height the mouth takes from now on; what it returns tells them. */
async function watchMouth(page: Page): Promise<() => Promise<number[]>> {
  await page.locator('#avatar-mouth').evaluate((mouth: SVGPathElement) => {
    const heights: number[] = [];
    new MutationObserver(() => heights.push(mouth.getBBox().height)).observe(mouth, { attributeFilter: ['d'] });
    Object.assign(window, { mouthHeights: heights });
  });
  return () => page.evaluate(() => (window as unknown as { mouthHeights: number[] }).mouthHeights);
}

test('the avatar is shown, by its name', async ({ page, demo }) => {
  await openDemo(page, demo);

  const avatar = page.getByRole('img', { name: 'Skerry' });
  await expect(avatar).toBeVisible();
  const box = (await avatar.locator('svg').boundingBox())!;
  expect(box.width, 'large enough for a face').toBeGreaterThanOrEqual(120);
  expect(box.height).toBe(box.width);
});

test('its mouth moves with the level of the speech, and is closed in silence', async ({ page, demo }) => {
  await openDemo(page, demo);
  const closed = await mouthHeight(page);
  const heights = await watchMouth(page);

  await speak(page, 'Open water, all day long, and all night too.');
  await untilSaid(page);

  await expect.poll(() => mouthHeight(page), 'closed when all is said').toBe(closed);
  const seen = await heights();
  const widest = Math.max(...seen);
  expect(widest, 'wide open at a vowel').toBeGreaterThan(2.5 * closed);
  // The text has two commas, at which the voice rests.
  const opened = seen.filter((height, index) => height > 2 * closed && (seen[index - 1] ?? 0) <= 2 * closed);
  expect(opened.length, 'it opens again after each rest').toBeGreaterThanOrEqual(3);
});

test('its lips are round in some words and spread in others', async ({ page, demo }) => {
  await openDemo(page, demo);
  const widthsOf = async (words: string): Promise<number[]> => {
    await page.locator('#avatar-mouth').evaluate((mouth: SVGPathElement) => {
      const widths: number[] = [];
      new MutationObserver(() => widths.push(mouth.getBBox().width)).observe(mouth, { attributeFilter: ['d'] });
      Object.assign(window, { mouthWidths: widths });
    });
    await speak(page, words);
    await untilSaid(page);
    const widths = await page.evaluate(() => (window as unknown as { mouthWidths: number[] }).mouthWidths);
    return widths.toSorted((a, b) => a - b);
  };
  // Of 50 units when it is closed, 32 with round lips, and 58 with spread ones.
  const round = await widthsOf('Who knew you two?');
  const spread = await widthsOf('We see these three.');
  expect(round[0], 'narrowest').toBeLessThan(42);
  expect(spread.at(-1), 'widest').toBeGreaterThan(52);
  const median = (widths: readonly number[]): number => widths[widths.length >> 1]!;
  expect(median(spread) - median(round)).toBeGreaterThan(3);
});

test('its mouth closes when the speech is held or stopped', async ({ page, demo }) => {
  await openDemo(page, demo);
  const closed = await mouthHeight(page);
  const open = () =>
    page.waitForFunction((height) => {
      return document.querySelector<SVGPathElement>('#avatar-mouth')!.getBBox().height > 2 * height;
    }, closed);
  await speak(page, 'Along the shore, and over the shoals, and around the head, and out to the open sea we go.');
  await open();

  await page.locator('#pause').click();
  await expect.poll(() => mouthHeight(page)).toBe(closed);

  await page.locator('#pause').click();
  await open();
  await page.locator('#stop').click();
  await expect.poll(() => mouthHeight(page)).toBe(closed);
});

test('its mouth goes on with what is still heard after an error', async ({ page, demo }) => {
  await openDemo(page, demo);
  const closed = await mouthHeight(page);
  await speak(page, 'Along the shore, and over the shoals, and around the head, and out to the open sea we go.');
  await page.waitForFunction(() => document.querySelector('svc-speaker')!.currentTime > 0.5);
  const speaker = page.locator('svc-speaker');
  const at = await speaker.evaluate((element: HTMLElement & { currentTime: number }) => {
    element.dispatchEvent(new Event('error'));
    return element.currentTime;
  });
  // Far longer than an open mouth takes to close.
  await page.waitForFunction((from) => document.querySelector('svc-speaker')!.currentTime > from + 0.5, at);
  const heights = await watchMouth(page);
  await untilSaid(page);

  expect(Math.max(...(await heights()))).toBeGreaterThan(2.5 * closed);
  await expect.poll(() => mouthHeight(page)).toBe(closed);
});

test('its mouth opens as far at a low volume, and stays closed when muted', async ({ page, demo }) => {
  await openDemo(page, demo);
  const closed = await mouthHeight(page);
  const heights = await watchMouth(page);
  const speaker = page.locator('svc-speaker');
  await speaker.evaluate((element) => Object.assign(element, { muted: true }));
  await speak(page, 'Nobody hears this.');
  await untilSaid(page);
  expect(await heights()).toEqual([]);

  await speaker.evaluate((element) => Object.assign(element, { muted: false, volume: 0.1 }));
  await speak(page, 'Open water, all day long.');
  await untilSaid(page);
  expect(Math.max(...(await heights()))).toBeGreaterThan(2.5 * closed);
});

test('for less motion, its mouth is open while it speaks, and does not move', async ({ page, demo }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await openDemo(page, demo);
  const closed = await mouthHeight(page);
  const heights = await watchMouth(page);

  await speak(page, 'Open water.');
  await untilSaid(page);

  await expect.poll(() => mouthHeight(page)).toBe(closed);
  const [open, ...others] = new Set(await heights());
  expect(open).toBeGreaterThan(closed);
  expect(others).toEqual([closed]);
});

test('the avatar has the colours of the page, light or dark', async ({ page, demo }) => {
  const lineColor = () => page.locator('#avatar-mouth').evaluate((mouth) => getComputedStyle(mouth).stroke);
  await page.emulateMedia({ colorScheme: 'light' });
  await openDemo(page, demo);
  await expect.poll(lineColor).toBe('rgb(20, 38, 46)');

  await page.emulateMedia({ colorScheme: 'dark' });
  await expect.poll(lineColor).toBe('rgb(11, 22, 28)');
});

test('without an avatar, the page says so and speaks', async ({ page, demo }) => {
  await page.route('**/speech/avatar', (route) =>
    route.fulfill({ status: 404, json: { detail: 'There is no such avatar.' } }),
  );
  await openDemo(page, demo);

  await expect(page.getByText('No face to it: There is no such avatar.')).toBeVisible();
  await expect(page.getByRole('img', { name: 'The avatar' })).toBeHidden();
  const title = (await page.locator('h1').boundingBox())!;
  const subtitle = (await page.locator('h1 + p').boundingBox())!;
  expect(subtitle.y, 'the subtitle is below the title').toBeGreaterThanOrEqual(title.y + title.height);
  await speak(page, 'Ready.');
  await untilSaid(page);
});

test('without an avatar that can be read, the page says so in words', async ({ page, demo }) => {
  await page.route('**/speech/avatar', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<h1>Welcome</h1>' }),
  );
  await openDemo(page, demo);
  await expect(page.getByText('No face to it: The backend answers something else than JSON.')).toBeVisible();
});

const mask = (id: number, content: string) => `<mask id="avatar-m${id}">${content}</mask>`;
const through = (id: number) => `<g mask="url(#avatar-m${id})"><rect width="240" height="120"/></g>`;
/** What makes a drawing take too long. */
const COSTLY: Record<string, string> = {
  // Drawn, it would be 2^26 rectangles.
  'masks of masks': through(0) + Array.from({ length: 26 }, (_, id) => mask(id, through(id + 1).repeat(2))).join(''),
  'a mask that many use': mask(0, '<rect/>') + through(0).repeat(33),
  'a mask with much in it': mask(0, '<rect/>'.repeat(101)),
  'many shapes with dashes': '<path d="M0 0L240 240" stroke-dasharray="0.001"/>'.repeat(17),
  'dashes for all shapes': `<g stroke-dasharray="0.001">${'<rect/>'.repeat(17)}</g>`,
  'too many shapes': '<rect/>'.repeat(5000),
};

test('an avatar that would take too long to draw is not drawn', async ({ page, demo }) => {
  let content = '';
  await page.route('**/speech/avatar', async (route) => {
    const avatar = (await (await route.fetch()).json()) as { svg: string };
    await route.fulfill({ json: { ...avatar, svg: avatar.svg.replace('</svg>', `${content}</svg>`) } });
  });
  for (const what of Object.keys(COSTLY)) {
    content = COSTLY[what]!;
    await page.goto(demo.url);
    await expect(page.getByText('No face to it: The drawing of the avatar would take too long'), what).toBeVisible();
  }
});

test('the page fits into a narrow window', async ({ page, demo }) => {
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

test('an avatar that does more than be drawn, does nothing more on the page', async ({ page, demo }) => {
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
  test(`the avatar is not given to a page of ${whose}`, async ({ page, demo }) => {
    for (const path of ['speech/avatar', 'speech/rooms/token?avatar_id=demo']) {
      const answer = await page.request.get(demo.url + path, { headers });
      expect(answer.status(), path).toBe(403);
    }
  });
}

test('the avatar is only given to who gets it', async ({ page, demo }) => {
  for (const method of ['POST', 'PUT', 'DELETE']) {
    expect((await page.request.fetch(`${demo.url}speech/avatar`, { method })).status(), method).toBe(405);
  }
});

test('a room token is got, and what it says is shown', async ({ page, demo }) => {
  await openDemo(page, demo);
  const claims = page.locator('#room-claims');
  const claim = (term: string) => claims.locator('div', { has: page.locator(`dt:text-is("${term}")`) }).locator('dd');
  await page.getByRole('button', { name: 'Get a room token' }).click();
  await expect(claim('identity')).toHaveText(/.:my name$/);
  await expect(claim('room')).toHaveText(/^room-/);
  await expect(claim('good until')).toHaveText(/for 15 minutes$/);
  const first = await claim('room').textContent();

  await page.getByLabel('Your name').fill('Jürgen 😀');
  await page.getByLabel('Your name').press('Enter');

  await expect(claim('identity')).toHaveText(/.:Jürgen 😀$/);
  expect(await claim('room').textContent(), 'another room each time').not.toBe(first);
});

test('without a name that can be read, the page says what is wrong, and asks for nothing', async ({ page, demo }) => {
  await openDemo(page, demo);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.getByLabel('Your name').fill('A\tB');
  await page.getByRole('button', { name: 'Get a room token' }).click();
  await expect(page.getByText('No token: A name must not hold tabs')).toBeVisible();
  expect(asked).toEqual([]);
});

test('without a room token, the page says why', async ({ page, demo }) => {
  await openDemo(page, demo);
  await page.route('**/speech/rooms/token*', (route) =>
    route.fulfill({ status: 403, json: { detail: 'The avatar is not available: its status is disabled.' } }),
  );
  await page.getByRole('button', { name: 'Get a room token' }).click();

  const remark = page.getByRole('status').filter({ hasText: 'No token' });
  await expect(remark).toHaveText('No token: The avatar is not available: its status is disabled.');
  await expect(page.locator('#room-claims')).toBeHidden();
  await expect(page.getByRole('button', { name: 'Get a room token' })).toBeEnabled();
  await expect(stateLine(page)).toHaveAttribute('data-state', 'idle');
});
