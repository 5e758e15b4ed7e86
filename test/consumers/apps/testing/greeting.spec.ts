import { expect, test, tone } from 'svc-speaker/testing.js';

test('greets without a gap', async ({ page, gateway }) => {
  gateway.reply({ audio: tone(440, 2), network: 'stalls' });
  await page.goto('/');
  const recording = await gateway.record(page.locator('svc-speaker'));
  await page.getByRole('button', { name: 'Play' }).click();
  await expect(recording).toHavePlayed({ seconds: 2 });
  await expect(recording).toHaveNoGaps();
  await expect(recording).toHaveNoClicks();
  await expect(gateway).toHaveClosedSockets({ withinMs: 5000 });
});

test('is silent after it is paused', async ({ page, gateway }) => {
  gateway.reply({ audio: tone(440, 10) });
  await page.goto('/');
  const recording = await gateway.record(page.locator('svc-speaker'));
  await page.getByRole('button', { name: 'Play' }).click();
  await page.getByRole('button', { name: 'Pause' }).click();
  await expect(recording).toBeSilentWithin(2000);
});
