import { makeShortNoise } from '../../../demo/talk-back/short-noise.js';
import { fakeMicrophone, joined, silence, tone } from '../../../src/testing/index.js';
import { expect, test } from '../demo-test.js';
import { long } from '../long.js';

const RATE = 16_000;
const noise = { samples: makeShortNoise(RATE), sampleRate: RATE };
const microphone = joined(silence(4, noise), noise, silence(2, noise));

test.use({
  launchOptions: [
    ({ launchOptions }, use) =>
      use({ ...launchOptions, args: [...launchOptions.args!, ...fakeMicrophone(microphone)] }),
    { scope: 'worker' },
  ],
});

test('demo/talk-back/ ducks at a short noise, and goes on without a loss', long, async ({ page, demo, gateway }) => {
  gateway.reply({ audio: tone(440, 60) });
  await page.goto(`${demo.url}demo/talk-back/`);
  // Its own echo canceller would take some of the noise for an echo. A busy computer may play the noise with gaps.
  await page.getByLabel('Echo cancellation').selectOption('off');
  await page.getByLabel('Stop after voice of').fill('480');
  const recording = await gateway.record(page.locator('svc-speaker').first());
  await page.getByRole('button', { name: 'Speak', exact: true }).click();
  const events = page.getByRole('list', { name: 'Events' }).locator('.what');
  await expect(page.locator('#listening')).toHaveText('Listening to the microphone.');
  await expect(events.filter({ hasText: 'restored it was a noise' })).not.toHaveCount(0);
  await page.waitForFunction(
    (from) => document.querySelector('svc-speaker')!.currentTime > from + 1,
    await page.evaluate(() => document.querySelector('svc-speaker')!.currentTime),
  );
  expect((await events.allTextContents()).join()).not.toContain('stopped');
  const { marks, sampleRate } = await recording.read();
  const [from, to] = ['duck', 'unduck'].map((name) => marks.find((mark) => mark.name === name)!.at / sampleRate);
  await expect(recording).toBeDucked({ from: from!, to: to! });
  await expect(recording).toHaveNoGaps();
});
