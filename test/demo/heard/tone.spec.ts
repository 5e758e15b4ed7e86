import { expect, test } from '../demo-test.js';
import { long } from '../long.js';

test('demo/tone/ speaks in the context of Tone.js, and lowers its music meanwhile', long, async ({ page, demo }) => {
  await page.goto(`${demo.url}demo/tone/`);
  await page.getByRole('button', { name: 'Music' }).click();
  await page.waitForFunction(isMusicUp);
  await page.getByRole('button', { name: 'Speak', exact: true }).click();
  const music = page.locator('#music-state');
  await expect(music).toHaveText('The music is lowered.');

  const loudest = await page.evaluate(async () => {
    const speaker = document.querySelector('svc-speaker')!;
    const levels = { voice: 0, music: 0 };
    // Measures from 1 s, when the music is down, until shortly before the last word.
    while (speaker.currentTime < 2.5) {
      await new Promise(requestAnimationFrame);
      for (const what of speaker.currentTime < 1 ? [] : (['voice', 'music'] as const)) {
        const level = Number(document.getElementById(`${what}-level`)!.style.getPropertyValue('--level'));
        levels[what] = Math.max(levels[what], level);
      }
    }
    return levels;
  });
  expect(loudest.voice).toBeGreaterThan(0.6);
  expect(loudest.music).toBeGreaterThan(0);
  expect(loudest.music).toBeLessThan(0.4);
  await expect(music).toHaveText('The music has its full level.');
  await page.waitForFunction(isMusicUp);
  const stats = await page.evaluate(() => document.querySelector('svc-speaker')!.getStats());
  expect(stats.audioBackend).toBe('standardized');
});

/** Runs in the page. True if the bar is longer than the music under a voice ever makes it. */
function isMusicUp(): boolean {
  return Number(document.getElementById('music-level')!.style.getPropertyValue('--level')) > 0.45;
}
