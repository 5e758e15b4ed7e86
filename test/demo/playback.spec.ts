import { record } from '../../src/testing/index.js';
import { expect, openDemo, speak, test, untilSaid } from './demo-test.js';

// All combinations of backend, transport and rate are in `test/page/fidelity.test.ts`.
const transport = 'message';
const backend = 'standardized';
const sampleRate = 44100;

test.use({ contextSampleRate: sampleRate });

test('the demo plays what the service sent', async ({ page, demo, service }) => {
  await openDemo(page, demo, { transport, backend });
  const recording = await record(page, service);

  await speak(page, 'All is heard.');
  await untilSaid(page);

  const stats = await page.evaluate(() => document.querySelector('svc-speaker')!.getStats());
  expect(stats).toMatchObject({ transport, audioBackend: backend, contextSampleRate: sampleRate, underruns: 0 });
  expect(service.sockets, 'sockets').toHaveLength(1);
  await expect.poll(() => service.sockets[0]!.closeCode, 'the page closes the socket itself').toBe(1000);
  // Nothing plays before or after it, there is no gap and no jump, and it is as loud as sent.
  await expect(recording).toMatchAudio(service.sent(), { snr: 80, gain: 1 });
});
