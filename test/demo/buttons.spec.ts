import { type Heard, record, silencesOf, soundOf } from '../../src/testing/index.js';
import { expect, openDemo, speak, stateLine, test, untilMidWord, untilSaid, untilSilentFor } from './demo-test.js';
import { long } from './long.js';

const SAMPLE_RATE = 48000;
test.use({ contextSampleRate: SAMPLE_RATE });

const LONG = 'First the high land, seen from far away. Then the lights. Then the shoals, the depths, and the bottom.';

test('Speak after Stop plays the new text and nothing of the old one', async ({ page, demo, service }) => {
  await openDemo(page, demo);
  await speak(page, LONG.repeat(5)); // Longer than a slow machine takes to click.
  await untilMidWord(page);
  await page.getByRole('button', { name: 'Stop' }).click();
  await expect.poll(() => service.sockets[0]?.closeCode).toBe(1000);
  // The worker has acted. The audio thread has rendered the end of the ramp soon after.
  await page.evaluate(async () => {
    const { context } = document.querySelector('svc-speaker')!.outputNode!;
    const from = context.currentTime;
    while (context.state === 'running' && context.currentTime < from + 0.25) {
      await new Promise(requestAnimationFrame);
    }
  });
  const recording = await record(page, service);

  await speak(page, 'All is heard.');
  await untilSaid(page);

  await expect(recording).toMatchAudio(service.sent(service.sockets[1]), { snr: 80 });
});

test('Pause holds the sound and Resume goes on from the same sample', long, async ({ page, demo, service }) => {
  await openDemo(page, demo);
  const recording = await record(page, service);
  await speak(page, LONG);
  await untilMidWord(page);
  // The element has a button of the same name; this is the page's.
  const pause = page.locator('#pause');
  await pause.click();
  await expect(stateLine(page)).toHaveAttribute('data-state', 'paused');
  await untilSilentFor(recording, 1);
  await expect(pause).toHaveText('Resume');
  await pause.click();
  await untilSaid(page);

  const heard = await recording.read();
  const [held, ...others] = silencesOf(heard, 0.9);
  expect(others, 'held once').toEqual([]);
  const lengthOf = (from: number, to: number): number => {
    const sound = soundOf({ samples: heard.samples.subarray(from, to), sampleRate: SAMPLE_RATE });
    return sound.to - sound.from;
  };
  const sent = service.sent();
  const sentAsHeard: Heard = { ...sent, samples: Float32Array.from(sent.samples, (sample) => sample / 32768) };
  const whole = soundOf(sentAsHeard);
  const wanted = ((whole.to - whole.from) / sent.sampleRate) * SAMPLE_RATE;
  // Both parts together are as long as the sent audio: nothing is lost or repeated. Each of the four ends has a ramp.
  const both = lengthOf(0, held!.from) + lengthOf(held!.to, heard.samples.length);
  expect(Math.abs(both - wanted)).toBeLessThanOrEqual(128 + 4 * 0.005 * SAMPLE_RATE);
});
