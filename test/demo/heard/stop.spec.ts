import { record } from '../../../src/testing/index.js';
import { expect, openDemo, speak, test, untilMidWord } from '../demo-test.js';

const LONG = 'First the high land, seen from far away. Then the lights. Then the shoals, the depths, and the bottom.';

test('Stop silences the page, and later audio does not play', async ({ page, demo, service }) => {
  // test/page/interrupt.test.ts cancels by both transports.
  await openDemo(page, demo, { transport: 'message' });
  const recording = await record(page, service);
  const stop = page.getByRole('button', { name: 'Stop' });
  await speak(page, LONG.repeat(5)); // Longer than a slow machine takes to click.
  await untilMidWord(page);
  await stop.click();

  // One render quantum, a ramp of 5 ms, and the blocks that the browser has rendered ahead of its clock. The matcher
  // waits for 1.5 s, in which nothing may be audible.
  await expect(recording).toBeSilentWithin(50, { after: 'click' });
  const { samples } = await recording.read();
  expect(
    samples.some((sample) => sample > 0.05),
    'it was speaking',
  ).toBe(true);
  await expect(stop).toBeDisabled();
  await expect.poll(() => service.sockets[0]?.closeCode).toBe(1000);
});
