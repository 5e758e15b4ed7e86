import { audibleRange, compareAudio, peak } from './audio-comparison.js';
import { expect, letPass, openDemo, speak, stateLine, test, untilMidWord, untilSaid } from './demo-test.js';
import { readTap, tapDestination } from './destination-tap.js';

const SAMPLE_RATE = 48000;

const LONG = 'First the high land, seen from far away. Then the lights. Then the shoals, the depths, and the bottom.';

for (const transport of ['shared', 'message'] as const) {
  test(`Stop makes silence, and what comes later is not heard: ${transport}`, async ({ page, demo, recording }) => {
    await tapDestination(page, SAMPLE_RATE);
    await openDemo(page, demo, { transport });
    const stop = page.getByRole('button', { name: 'Stop' });
    // When it was pressed, by the clock of the context that speaks; read before the page's own listener runs.
    await stop.evaluate((button) => {
      const note = () => (button.dataset.frame = String(window.destinationTap.nowFrame()));
      button.addEventListener('click', note, { capture: true });
    });

    await speak(page, LONG);
    await untilMidWord(page);
    await stop.click();
    const stoppedAt = Number(await stop.getAttribute('data-frame'));
    // A second, in which nothing may be heard.
    await letPass(page, SAMPLE_RATE);

    const [heard] = await readTap(page);
    expect(peak(heard!.samples), 'it was speaking').toBeGreaterThan(0.05);
    const lastAudible = heard!.firstFrame + audibleRange(heard!.samples)[1];
    // A quantum and a ramp of 5 ms, and the blocks that the browser has rendered ahead of its clock: 50 ms hold them all.
    expect(lastAudible - stoppedAt).toBeLessThan(0.05 * SAMPLE_RATE);
    expect(peak(heard!.samples, lastAudible + 1 - heard!.firstFrame)).toBeLessThan(1e-4);
    await expect(stop).toBeDisabled();
    await expect.poll(() => recording.sockets[0]?.closeCode).toBe(1000);
  });
}

test('Speak after Stop plays the new text and nothing of the old one', async ({ page, demo, recording }) => {
  await tapDestination(page, SAMPLE_RATE);
  await openDemo(page, demo);
  await speak(page, LONG);
  await untilMidWord(page);
  await page.getByRole('button', { name: 'Stop' }).click();
  await expect.poll(() => recording.sockets[0]?.closeCode).toBe(1000);
  await letPass(page, SAMPLE_RATE / 4);
  const [before] = await readTap(page);

  await speak(page, 'All is heard.');
  await untilSaid(page);

  const [heard] = await readTap(page);
  const since = { ...heard!, samples: heard!.samples.subarray(before!.samples.length) };
  const result = compareAudio(since, recording.sentAudio(recording.sockets[1]), recording.sockets[1]!.sampleRate);
  expect(result.correlation).toBeGreaterThanOrEqual(0.999);
});

test('Pause holds the sound and Resume goes on from the same sample', async ({ page, demo, recording }) => {
  await tapDestination(page, SAMPLE_RATE);
  await openDemo(page, demo);
  await speak(page, LONG);
  await untilMidWord(page);
  // The element has a button of this name as well; this is the page's.
  const pause = page.locator('#pause');
  await pause.click();
  await expect(stateLine(page)).toHaveAttribute('data-state', 'paused');
  await letPass(page, SAMPLE_RATE);
  const [held] = await readTap(page);
  await expect(pause).toHaveText('Resume');
  await pause.click();
  await untilSaid(page);

  const [heard] = await readTap(page);
  const sent = recording.sentAudio();
  const { sampleRate } = recording.sockets[0]!;
  const pausedAt = audibleRange(held!.samples)[1] + 1;
  const head = { ...heard!, samples: heard!.samples.subarray(0, pausedAt) };
  const tail = { ...heard!, samples: heard!.samples.subarray(pausedAt) };
  const headLength = audibleRange(head.samples)[1] - audibleRange(head.samples)[0] + 1;
  const tailLength = audibleRange(tail.samples)[1] - audibleRange(tail.samples)[0] + 1;
  const whole = compareAudio(heard!, sent, sampleRate);
  // Both parts together are as long as what was sent: nothing lost, nothing twice. Each of the four ends has a ramp.
  expect(Math.abs(headLength + tailLength - whole.sentLength)).toBeLessThanOrEqual(128 + 4 * 0.005 * SAMPLE_RATE);
});
