import { ensureBrowser } from '../../../scripts/browser.mjs';
import { expect, test } from '../demo-test.js';
import { long } from '../long.js';

// A microphone that a page may use if a test grants it. The headless shell knows no permissions.
test.use({
  launchOptions: async ({ launchOptions }, use) => {
    await use({
      ...launchOptions,
      executablePath: await ensureBrowser({ whole: true }),
      args: [...launchOptions.args!, '--use-fake-device-for-media-stream'],
    });
  },
});

test(
  'demo/talk-back/ explains that the microphone is denied, and plays a recording in its place',
  long,
  async ({ page, demo, context }) => {
    await context.clearPermissions();
    await page.goto(`${demo.url}demo/talk-back/`);
    await page.getByRole('button', { name: 'Speak', exact: true }).click();
    const listening = page.locator('#listening');
    await expect(listening).toHaveText(/^The microphone is denied\. .* Or play a recording in its place, below\.$/);
    const events = page.getByRole('list', { name: 'Events' }).locator('.what');
    await expect(events.first()).toHaveText('speaks');

    // A busy computer may play the recording with gaps.
    await page.getByLabel('Stop after voice of').fill('480');
    await page.getByRole('button', { name: 'Make a short noise' }).click();
    await expect(listening).toHaveText('Listening to the recording.');
    await expect(events.first()).toHaveText('restored it was a noise');
    await page.getByLabel('Stop after voice of').fill('96');
    await page.getByRole('button', { name: 'Say “Stop, please.”' }).click();
    await expect(events.first()).toHaveText(/^stopped after \d/);
    await expect(page.locator('#story mark')).not.toBeEmpty();
  },
);

test('demo/talk-back/ explains that its microphone is gone', long, async ({ page, demo, context }) => {
  await context.grantPermissions(['microphone']);
  await page.goto(`${demo.url}demo/talk-back/`);
  await page.getByRole('button', { name: 'Listen' }).click();
  const listening = page.locator('#listening');
  await expect(listening).toHaveText('Listening to the microphone.');
  // The browser ends the track, as it does when the microphone is unplugged.
  await context.clearPermissions();
  await expect(listening).toHaveText('The microphone is gone. Or play a recording in its place, below.');
  await expect(page.getByRole('button', { name: 'Listen' })).toHaveAttribute('aria-pressed', 'false');
});
