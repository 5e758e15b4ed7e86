import { blockMainThread, expect, test, tone } from '../../../src/testing/index.js';
import { closePlayers, complaintOf, openPlayer, secondsIn } from '../player-page.js';
import { long } from '../long.js';

const RATE = 48_000;
test.use({ contextSampleRate: RATE });
test.afterAll(closePlayers);

test('finds a late stop', async ({ page, gateway }) => {
  gateway.reply({ audio: tone(440, 10) });
  for (const fault of ['none', 'stop'] as const) {
    await openPlayer(page, fault);
    const recording = await gateway.record(page.locator('svc-speaker'));
    await page.getByRole('button', { name: 'Play' }).click();
    await page.waitForFunction(() => document.querySelector('svc-speaker')!.currentTime > 0.3);
    await page.getByRole('button', { name: 'Stop' }).click();
    const complaint = await complaintOf(expect(recording).toBeSilentWithin(50));
    if (fault === 'none') {
      expect(complaint).toBe('It did not fail.');
    } else {
      expect(complaint).toMatch(/Sound goes on for \d+ ms after cancel at [\d.]+ s, until [\d.]+ s; expected 50 ms/);
      const { samples } = await recording.read();
      const end = samples.findLastIndex((sample) => sample !== 0) / RATE;
      expect(secondsIn(complaint, 'until ')).toBeCloseTo(end, 2);
      // The fault lasts 300 ms of the page's time. A busy machine may render less audio in that time.
      expect(end - secondsIn(complaint, 'cancel at ')).toBeGreaterThan(0.15);
    }
  }
});

test('treats a stop before the first sound as silence', long, async ({ page, gateway }) => {
  gateway.reply({ audio: tone(440, 2), delayMs: 300 });
  await openPlayer(page);
  const recording = await gateway.record(page.locator('svc-speaker'));
  /** Makes the speaker pause at its next event of a type. Resolves with a function that waits for the pause. */
  const stopAt = async (event: string): Promise<() => Promise<unknown>> => {
    const stopped = await page.locator('svc-speaker').evaluateHandle((speaker: HTMLMediaElement, type) => {
      speaker.addEventListener(type, () => speaker.pause(), { once: true });
      const pause = new Promise((resolve) => speaker.addEventListener('pause', resolve, { once: true }));
      return { pause };
    }, event);
    return () => stopped.evaluate(({ pause }) => pause.then(() => {}));
  };
  const beforeContext = await stopAt('play');
  await page.getByRole('button', { name: 'Play' }).click();
  await beforeContext();
  await expect(recording).toBeSilentWithin(50);
  const beforeAudio = await stopAt('loadedmetadata');
  await page.locator('svc-speaker').evaluate((speaker: HTMLMediaElement) => void speaker.play().catch(() => {}));
  await beforeAudio();
  await expect(recording).toBeSilentWithin(50);
});

test('plays without gaps while the network stalls and the page is busy', long, async ({ page, gateway }) => {
  gateway.reply({ audio: tone(440, 2), network: 'stalls', seed: 3 });
  await openPlayer(page);
  // The network stalls for at most 90 ms, and so may the machine while other tests run.
  await page.locator('svc-speaker').evaluate((speaker) => speaker.setAttribute('jitter-buffer-target', '1000'));
  const recording = await gateway.record(page.locator('svc-speaker'));
  await page.getByRole('button', { name: 'Play' }).click();
  await page.waitForFunction(() => document.querySelector('svc-speaker')!.currentTime > 0.3);
  await blockMainThread(page, 500);
  await expect(page.locator('p')).toHaveText('ended');
  await expect(recording).toHavePlayed({ seconds: 2 });
  await expect(recording).toHaveNoGaps();
  await expect(recording).toHaveNoClicks();
});
