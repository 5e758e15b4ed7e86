import { expect, test } from '../demo-test.js';
import { long } from '../long.js';

// It declares the test that docs/testing.md shows, and its microphone: testing/stop.wav says "Stop!" every 4.6 s.
// The example declares a test of its own, without a tag.
if (process.env.SVC_LONG)
  await import(new URL('../../../docs/examples/testing/interruption.spec.ts', import.meta.url).href);

test.use({
  launchOptions: [
    ({ launchOptions }, use, { project }) => {
      const ours = project.use.launchOptions!;
      return use({ ...ours, ...launchOptions, args: [...ours.args!, ...launchOptions.args!] });
    },
    { scope: 'worker' },
  ],
  // oxlint-disable-next-line no-empty-pattern
  baseURL: ({}, use) => use(`${process.env.SVC_DEMO_URL!}demo/talk-back/`),
});

test(
  'demo/talk-back/ ducks and stops when someone speaks, shows what was heard, and goes on from there',
  long,
  async ({ page }) => {
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    const foreign: string[] = [];
    page.on('request', (request) => {
      const { protocol, hostname } = new URL(request.url());
      if (/^(http|ws)/.test(protocol) && hostname !== 'localhost') foreign.push(request.url());
    });
    await page.goto('./');
    const text = await page.getByLabel('Story').inputValue();
    await page.getByLabel('Echo cancellation').selectOption('off');
    await page.getByRole('button', { name: 'Speak', exact: true }).click();
    await expect(page.locator('#listening')).toHaveText('Listening to the microphone.');
    const events = page.getByRole('list', { name: 'Events' }).locator('.what');
    await expect(events.first()).toHaveText(/^stopped after \d/);
    expect(await events.allTextContents(), 'before it stopped').toContain('ducked');
    expect(await page.evaluate(() => document.querySelector('svc-speaker')!.state)).toBe('idle');

    const heard = (await page.locator('#story mark').textContent())!;
    const story = (await page.locator('#story').textContent())!;
    expect(heard).not.toBe('');
    expect(story.startsWith(heard)).toBe(true);
    expect(story).toBe(text.trim());
    await page.getByRole('button', { name: 'Go on' }).click();
    await expect(page.locator('#story')).toHaveText(story.slice(heard.length).trim());
    expect(complaints).toEqual([]);
    expect(foreign, 'nothing is loaded from elsewhere').toEqual([]);
  },
);
