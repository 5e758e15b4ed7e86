import type { Page } from '@playwright/test';
import { expect, openDemo, speak, test, untilSaid } from '../demo-test.js';
import { long } from '../long.js';

/** Height of the mouth, in units of the drawing, which is 240 units high. */
const mouthHeight = (page: Page) =>
  page.locator('#avatar-mouth').evaluate((mouth: SVGPathElement) => mouth.getBBox().height);

/** Records the heights of the mouth from now on. Resolves with a function that returns them. */
async function watchMouth(page: Page): Promise<() => Promise<number[]>> {
  await page.locator('#avatar-mouth').evaluate((mouth: SVGPathElement) => {
    const heights: number[] = [];
    new MutationObserver(() => heights.push(mouth.getBBox().height)).observe(mouth, { attributeFilter: ['d'] });
    Object.assign(window, { mouthHeights: heights });
  });
  return () => page.evaluate(() => (window as unknown as { mouthHeights: number[] }).mouthHeights);
}

test(
  'the mouth of the avatar moves with the level of the speech at any volume, but not when muted',
  long,
  async ({ page, demo }) => {
    await openDemo(page, demo);
    const closed = await mouthHeight(page);
    const heights = await watchMouth(page);
    const speaker = page.locator('svc-speaker');
    await speaker.evaluate((element) => Object.assign(element, { muted: true }));
    await speak(page, 'Nobody.');
    await untilSaid(page);
    expect(await heights()).toEqual([]);

    await speaker.evaluate((element) => Object.assign(element, { muted: false, volume: 0.1 }));
    await speak(page, 'Open water, all day long, and all night too, and on, and on.');
    await untilSaid(page);

    await expect.poll(() => mouthHeight(page), 'closed when all is said').toBe(closed);
    const seen = await heights();
    const widest = Math.max(...seen);
    expect(widest, 'wide open at a vowel').toBeGreaterThan(2.5 * closed);
    // The voice rests at the four commas. A busy page may draw no frame in some of the rests.
    const opened = seen.filter((height, index) => height > 2 * closed && (seen[index - 1] ?? 0) <= 2 * closed);
    expect(opened.length, 'it closes in a rest, and opens again').toBeGreaterThanOrEqual(2);
  },
);

test('the lips of the avatar are round in some words and spread in others', long, async ({ page, demo }) => {
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
    return widths;
  };
  // Width in units: 50 when the mouth is closed, 32 with round lips, and 58 with spread lips.
  const round = await widthsOf('Who knew you two?');
  const spread = await widthsOf('We see these three.');
  expect(Math.min(...round), 'narrowest').toBeLessThan(42);
  expect(Math.max(...spread), 'widest').toBeGreaterThan(52);
});

test(
  'the mouth of the avatar closes when the speech is paused or stopped, and moves after an error',
  long,
  async ({ page, demo }) => {
    await openDemo(page, demo);
    const closed = await mouthHeight(page);
    const open = (times: number) =>
      page.waitForFunction((height) => {
        return document.querySelector<SVGPathElement>('#avatar-mouth')!.getBBox().height > height;
      }, times * closed);
    await speak(page, 'Along the shore, and over the shoals, and around the head, and out to the open sea we go.');
    await open(2);

    await page.locator('#pause').click();
    await expect.poll(() => mouthHeight(page)).toBe(closed);

    await page.locator('#pause').click();
    await open(2);
    const at = await page.locator('svc-speaker').evaluate((element: HTMLElement & { currentTime: number }) => {
      element.dispatchEvent(new Event('error'));
      return element.currentTime;
    });
    // Much longer than an open mouth takes to close.
    await page.waitForFunction((from) => document.querySelector('svc-speaker')!.currentTime > from + 0.5, at);
    await open(2.5);
    await page.locator('#stop').click();
    await expect.poll(() => mouthHeight(page)).toBe(closed);
  },
);

test(
  'with reduced motion, the mouth of the avatar is open while it speaks, and does not move',
  long,
  async ({ page, demo }) => {
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
  },
);
