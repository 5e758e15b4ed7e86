import { test, expect, fakeMicrophone, joined, silence, tone, wav } from 'svc-speaker/testing.js';

const stop = wav(new URL('./stop.wav', import.meta.url));
const microphone = joined(silence(3, stop), stop, silence(1, stop));
test.use({ launchOptions: { ignoreDefaultArgs: ['--mute-audio'], args: fakeMicrophone(microphone) } });

test('falls silent when someone speaks', async ({ page, gateway }) => {
  gateway.reply({ audio: tone(440, 60) });
  await page.goto('./');
  // This microphone hears no echo.
  await page.getByLabel('Echo cancellation').selectOption('off');
  const recording = await gateway.record(page.locator('svc-speaker').first());
  await page.getByRole('button', { name: 'Speak', exact: true }).click();
  await expect(page.getByText('Listening to the microphone.')).toBeVisible();
  await expect(page.getByText('stopped after')).toBeVisible();
  await expect(recording).toBeSilentWithin(100);
});
