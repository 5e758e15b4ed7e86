import { test, expect, tone } from 'svc-speaker/testing.js';

test('says what is on the page, and is silent when it is paused', async ({ page, gateway }) => {
  gateway.reply({ audio: tone(440, 5) });
  await page.goto('/');
  const speaker = page.locator('svc-speaker');
  const recording = await gateway.record(speaker);
  await page.getByRole('button', { name: 'Play' }).click();
  await expect.poll(() => speaker.evaluate(({ currentTime }: HTMLMediaElement) => currentTime)).toBeGreaterThan(0.5);
  await page.getByRole('button', { name: 'Pause' }).click();
  await expect(recording).toBeSilentWithin(50);
  const sent = gateway.connections.flatMap(({ messages }) => messages.map(({ message }) => message));
  expect(sent).toContainEqual(expect.objectContaining({ text: 'Hello.' }));
});
