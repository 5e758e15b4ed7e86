import { record } from '../../src/testing/index.js';
import { expect, test } from './demo-test.js';
import { long } from './long.js';

/** Exact, except for the rounding to float32. */
const EXACT = { snr: 80 };

const WORDS = 'One component, two frameworks.';

for (const framework of ['react', 'vue']) {
  test(
    `the page of ${framework} speaks, lists what has been said, and stops`,
    long,
    async ({ page, demo, service }) => {
      const complaints: string[] = [];
      page.on('pageerror', ({ message }) => complaints.push(message));
      page.on('console', (message) => {
        if (['warning', 'error'].includes(message.type())) complaints.push(message.text());
      });
      await page.goto(`${demo.url}demo/${framework}/`);
      await page.locator('svc-speaker').evaluate((speaker) => {
        speaker.setAttribute('jitter-buffer', 'fixed');
        speaker.setAttribute('jitter-buffer-target', '4000');
      });
      const recording = await record(page, service);
      const state = page.locator('p[role=status]');
      const text = page.getByLabel('Text to speak');
      const speak = page.getByRole('button', { name: 'Speak', exact: true });
      await text.fill(WORDS);
      await speak.click();
      await expect(state).toHaveAttribute('data-state', 'ended');
      await expect(state).toHaveText('Ready');

      await expect(page.getByRole('listitem')).toHaveText([WORDS]);
      expect(service.sockets, 'sockets').toHaveLength(1);
      await expect(recording).toMatchAudio(service.sent(), EXACT);

      await text.fill('This one, which goes on for quite some time, is not heard to its end. '.repeat(5));
      await speak.click();
      await expect(state).toHaveText('Speaking');
      await page.getByRole('button', { name: 'Stop' }).click();
      await expect(state).toHaveText('Ready');
      await expect(page.getByRole('listitem')).toHaveText([WORDS]);

      await page.route('**/speech/session', (route) => route.fulfill({ status: 402, json: { detail: 'No credits.' } }));
      expect(complaints).toEqual([]);
      await speak.click();
      await expect(state).toContainText('No credits.');
      await expect(state).toHaveAttribute('data-state', 'error');
    },
  );
}
