import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test as base, type Page } from '@playwright/test';
import type * as Axe from 'axe-core';
import { WebSocket } from 'ws';
import { ADMIN_TOKEN, startService, type DashboardService, type UsageEntry } from './dashboard-service.js';
import { docsPicture, PICTURE_SCALE, reportPicture, takesPictures } from './picture.js';
import { long } from './long.js';

const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** A valid avatar bundle. */
const BUNDLE = {
  version: 1,
  avatar: { name: 'A line' },
  svg: '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path id="avatar-mouth" stroke="var(--avatar-ink)" d="M0 5 L9 5"/></svg>',
  colors: { light: { '--avatar-ink': '#14262e' }, dark: { '--avatar-ink': '#d5dedc' } },
  mouth: {
    silentDb: -40,
    loudDb: -12,
    attackMs: 30,
    releaseMs: 80,
    shapes: [
      { open: 0, paths: { 'avatar-mouth': 'M0 5 L9 5' } },
      { open: 1, paths: { 'avatar-mouth': 'M0 1 L9 9' } },
    ],
  },
};

const TITLES = ['Users', 'Keys', 'Usage', 'Sockets', 'Voices', 'Avatars', 'Ledger', 'Audit log'];

/**
 * Gives the tests of a worker a service with usage of ten users; each test adds users of its own. Fails if the page logs
 * an error or requests another origin.
 */
const test = base.extend<{ service: DashboardService }, { sharedService: DashboardService }>({
  sharedService: [
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const service = await startService(usageOfDays(takesPictures ? 30 : 3));
      await use(service);
      await service.stop();
    },
    { scope: 'worker' },
  ],
  service: async ({ page, sharedService: service }, use) => {
    const problems: string[] = [];
    page.on('pageerror', (error) => problems.push(String(error)));
    page.on('console', (message) => {
      // The response is 401 before login, and with a wrong token.
      const isRefusal = message.text().includes('401');
      if (message.type() === 'error' && !isRefusal) problems.push(message.text());
    });
    page.on('request', (request) => {
      if (!request.url().startsWith(service.url)) problems.push(`a request to ${request.url()}`);
    });
    await use(service);
    expect(problems).toEqual([]);
  },
});

// In one worker, so that all tests share one service.
test.describe.configure({ mode: 'default' });

async function logIn(page: Page, { url }: DashboardService): Promise<void> {
  await page.goto(`${url}admin`);
  await page.getByLabel('Admin token').fill(ADMIN_TOKEN);
  await page.getByLabel('Your name').fill('Ann');
  await page.getByRole('button', { name: 'Log in' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Users');
}

async function show(page: Page, title: string): Promise<void> {
  await page.getByRole('link', { name: title, exact: true }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(title);
}

/** Creates a key for a user in the page, and returns it. */
async function createKey(page: Page, user: string, credits: string): Promise<string> {
  await show(page, 'Keys');
  await page.getByLabel('User', { exact: true }).fill(user);
  await page.getByLabel('Plan').selectOption('pro');
  await page.getByLabel('Credits').fill(credits);
  await page.getByRole('button', { name: 'Create key' }).click();
  const made = page.getByRole('region', { name: 'New key' });
  await expect(made).toContainText(`New key of ${user}`);
  return made.locator('.secret').innerText();
}

function sessionCall({ url }: DashboardService, key: string): Promise<Response> {
  return fetch(`${url}api/v1/realtime/stream/session`, { method: 'POST', headers: { 'X-SVC-Api-Key': key } });
}

/** Opens a socket with a key. */
async function openSocket(service: DashboardService, key: string): Promise<WebSocket> {
  const { url } = (await (await sessionCall(service, key)).json()) as { url: string };
  const socket = new WebSocket(url);
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  return socket;
}

const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });

test('refuses a wrong token, and logs in and out', long, async ({ page, service }) => {
  await page.goto(`${service.url}admin/`);
  await page.getByLabel('Admin token').fill('wrong');
  await page.getByRole('button', { name: 'Log in' }).click();
  await expect(page.getByRole('alert')).toHaveText('The admin token is wrong. It is the value of SVC_ADMIN_TOKEN.');
  await logIn(page, service);
  expect(await page.evaluate(() => document.cookie)).toBe('');
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Users');
  await page.getByRole('button', { name: 'Log out' }).click();
  await expect(page.getByLabel('Admin token')).toBeVisible();
  await page.reload();
  await expect(page.getByLabel('Admin token')).toBeVisible();
});

test('makes a key that works, shows it once, and revokes it', async ({ page, service }) => {
  await logIn(page, service);
  const key = await createKey(page, 'kim', '100');
  expect((await sessionCall(service, key)).status).toBe(200);
  await page.reload();
  await expect(row(page, 'kim')).toHaveCount(1);
  await expect(page.locator('body')).not.toContainText(key);

  page.once('dialog', (dialog) => dialog.accept());
  await row(page, 'kim')
    .getByRole('button', { name: /^Revoke key_/ })
    .click();
  await expect(row(page, 'kim')).toContainText('revoked 20');
  expect((await sessionCall(service, key)).status).toBe(401);
});

test('changes a plan and gives credits, and records both', async ({ page, service }) => {
  await logIn(page, service);
  await createKey(page, 'lea', '100');
  await show(page, 'Users');
  await page.getByLabel('Plan of lea').selectOption('starter');
  await expect(page.getByRole('status')).toHaveText('lea has plan starter now.');
  await page.getByLabel('Credits for lea').fill('20.5');
  await page.getByRole('button', { name: 'Give credits to lea' }).click();
  await expect(page.getByRole('status')).toHaveText('lea has 120.5 credits now.');
  await expect(row(page, 'lea')).toContainText('120.5');
  await page.getByLabel('Id contains').fill('nobody-like-this');
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await expect(page.getByText('No user matches.')).toBeVisible();

  await show(page, 'Audit log');
  for (const action of ['users plan', 'credits add', 'keys create', 'login']) {
    await expect(row(page, action).first(), 'the newest').toContainText('Ann');
  }
});

test(
  'shows sockets while they are open, then usage and the ledger, and exports it',
  long,
  async ({ page, service }) => {
    await logIn(page, service);
    const key = await createKey(page, 'mia', '100');
    await show(page, 'Sockets');
    await expect(page.getByText('No socket is open.')).toBeVisible();
    const socket = await openSocket(service, key);
    await expect(page.getByText('1 open')).toBeVisible();
    await expect(row(page, 'mia')).toContainText('holds one');
    socket.close(1000);
    await expect(page.getByText('No socket is open.')).toBeVisible();

    await show(page, 'Usage');
    await page.getByLabel('Only of user').fill('mia');
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await expect(page.getByRole('img', { name: /^Credits used by day/ }).locator('rect.series-0')).toHaveCount(1);
    const cells = row(page, 'mia').getByRole('cell');
    await expect(cells).toHaveText([/^\d{4}-\d\d-\d\d$/, 'mia', /^\d+(\.\d+)?$/, '1']);

    await show(page, 'Ledger');
    await page.getByLabel('Only of user').fill('mia');
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await expect(row(page, 'grant')).toHaveCount(1); // and no grants of other users
    await expect(row(page, 'grant')).toContainText('100');
    const downloading = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download CSV of mia' }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toBe('ledger-mia.csv');
    const lines = (await readFile(await download.path(), 'utf8')).trimEnd().split('\r\n');
    expect(lines.length).toBe(3);
    expect(lines[1]).toMatch(/^\d+,mia,grant,100,100000,/);
    expect(lines[2]).toMatch(/^\d+,mia,usage,-/);
  },
);

test('uploads an avatar, draws it and changes its status', long, async ({ page, service }) => {
  await logIn(page, service);
  await createKey(page, 'noa', '100');
  await show(page, 'Avatars');
  const file = (text: string) => ({ name: 'line.json', mimeType: 'application/json', buffer: Buffer.from(text) });
  await page.getByLabel('Bundle (JSON)').setInputFiles(file('{'));
  await page.getByLabel('Owner').fill('noa');
  await page.getByLabel('Id').fill('line');
  await page.getByRole('button', { name: 'Upload' }).click();
  await expect(page.getByRole('alert')).toContainText('The file is not JSON');
  await page.getByLabel('Bundle (JSON)').setInputFiles(file(JSON.stringify(BUNDLE)));
  await page.getByRole('button', { name: 'Upload' }).click();
  await expect(page.getByRole('status')).toHaveText('The avatar line is uploaded.');
  const drawing = page.getByRole('img', { name: 'Avatar A line' });
  await expect.poll(() => drawing.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  await page.getByLabel('Status of line').selectOption('disabled');
  await expect(page.getByRole('status')).toHaveText('The avatar line is disabled now.');
  await page.reload();
  await expect(page.getByLabel('Status of line')).toHaveValue('disabled');
});

test.describe('with usage', () => {
  test.use({ deviceScaleFactor: PICTURE_SCALE });

  test('is accessible, light and dark, and fits a page of 320 pixels', long, async ({ page, service }, info) => {
    await page.goto(`${service.url}admin/`);
    await expect(page.getByLabel('Admin token')).toBeVisible();
    expect(await accessibilityProblems(page)).toEqual([]);
    await logIn(page, service);
    await createKey(page, 'a-user-with-a-rather-long-id@example.org', '100');
    expect(await accessibilityProblems(page)).toEqual([]);
    for (const title of TITLES) {
      await page.setViewportSize({ width: 1100, height: 800 });
      await show(page, title);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        // Only the contrast depends on the scheme.
        const rules = colorScheme === 'dark' ? ['color-contrast'] : undefined;
        expect(await accessibilityProblems(page, rules), `${title}, ${colorScheme}`).toEqual([]);
        await reportPicture(page, info, `${title}, ${colorScheme}`);
      }
      await page.setViewportSize({ width: 320, height: 800 });
      expect(await page.evaluate(() => document.documentElement.scrollWidth), title).toBe(320);
      await reportPicture(page, info, `${title}, 320 pixels`);
    }
    await page.setViewportSize({ width: 1100, height: 640 });
    await page.emulateMedia({ colorScheme: 'light' });
    await show(page, 'Usage');
    await expect(page.locator('.legend li')).toHaveCount(9);
    await expect(page.locator('rect.series-8').first()).toBeVisible();
    await docsPicture(page, 'dashboard.png');
    for (const title of ['Keys', 'Avatars', 'Audit log']) {
      await show(page, title);
      await docsPicture(page, `dashboard-${title.toLowerCase().replace(' ', '-')}.png`);
    }
  });
});

/** Usage of ten users in the last days. It varies with a period of half a week; later users tend to use less. */
function usageOfDays(days: number): UsageEntry[] {
  const users = ['ann', 'ben', 'cleo', 'dora', 'emil', 'fay', 'gus', 'hana', 'ivo', 'jo'];
  return Array.from({ length: days }, (_, daysAgo) =>
    users.map((user, rank) => {
      const credits = Math.round(900 / (rank + 1.5) + 250 * Math.abs(Math.sin(daysAgo * 0.9 + rank)));
      return { user, daysAgo, credits };
    }),
  ).flat();
}

/** Problems that axe finds in a page: one line for each. By default with all of its rules. */
async function accessibilityProblems(page: Page, rules?: string[]): Promise<string[]> {
  await page.evaluate(AXE);
  return page.evaluate(async (only) => {
    const { axe } = window as unknown as { axe: typeof Axe };
    const { violations } = await axe.run(only ? { runOnly: only } : {});
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
  }, rules);
}
