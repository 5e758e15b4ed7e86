import { record } from '../../../src/testing/index.js';
import { expect, openDemo, speak, test, untilSaid } from '../demo-test.js';

const WORDS = 'By the sea shore. All is heard.';

/**
 * Each backend with each transport, and both of them at both rates. `test/page/fidelity.test.ts` has all combinations.
 */
const WAYS = [
  { backend: 'native', transport: 'shared', sampleRate: 44100 },
  { backend: 'native', transport: 'message', sampleRate: 48000 },
  { backend: 'standardized', transport: 'shared', sampleRate: 48000 },
  { backend: 'standardized', transport: 'message', sampleRate: 44100 },
] as const;

for (const { backend, transport, sampleRate } of WAYS) {
  test.describe(`a page of ${sampleRate} Hz`, () => {
    test.use({ contextSampleRate: sampleRate });

    test(`plays what the service sent: ${transport}, ${backend}`, async ({ page, demo, service }) => {
      await openDemo(page, demo, { transport, backend });
      const recording = await record(page, service);

      await speak(page, WORDS);
      await untilSaid(page);

      const stats = await page.evaluate(() => document.querySelector('svc-speaker')!.getStats());
      expect(stats).toMatchObject({ transport, audioBackend: backend, contextSampleRate: sampleRate, underruns: 0 });
      expect(service.sockets, 'sockets').toHaveLength(1);
      expect(service.sockets[0]!.closeCode, 'the page closes the socket itself').toBe(1000);
      // Nothing plays before or after it, there is no gap and no jump, and it is as loud as sent.
      await expect(recording).toMatchAudio(service.sent(), { snr: 80, gain: 1 });
    });
  });
}
