import { expect, test } from './demo-test.js';
import { readTap, tapDestination } from './destination-tap.js';

/** Each demo page that speaks what is written into it, and how samples get to the audio thread there. */
const PAGES = [
  ['demo/media-chrome/', 'shared'],
  ['demo/plain/', 'message'],
  ['demo/strict-csp/', 'shared'],
] as const;

for (const [path, transport] of PAGES) {
  test(`${path} speaks, by ${transport}`, async ({ page, demo }) => {
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    // A file of the page's own server: one with a strict policy takes no other.
    await tapDestination(page, 48000, '/test/e2e/destination-tap.worklet.js');
    await page.goto(demo.url + path);

    await page.getByLabel('Text to speak').fill('Ahoy.');
    await page.getByRole('button', { name: 'Speak', exact: true }).click();
    // waitForFunction() evaluates text in the page, which a strict policy forbids.
    await expect
      .poll(() => page.evaluate(() => document.querySelector('svc-speaker')!.ended), { timeout: 20_000 })
      .toBe(true);

    const heard = await readTap(page);
    expect(heard, 'contexts that played').toHaveLength(1);
    const loudest = heard[0]!.samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
    expect(loudest).toBeGreaterThan(0.05);
    const stats = await page.evaluate(() => document.querySelector('svc-speaker')!.getStats());
    expect(stats.transport).toBe(transport);
    expect(complaints).toEqual([]);
  });
}
