import { compareAudio } from './audio-comparison.js';
import { expect, openDemo, speak, test, untilSaid } from './demo-test.js';
import { readTap, tapDestination } from './destination-tap.js';

/** One render quantum, by which start and end may lie differently, and a ramp of at most 5 ms at each. */
const lengthTolerance = (sampleRate: number) => 128 + 2 * Math.ceil(0.005 * sampleRate);

const WORDS = 'She sells sea shells by the sea shore. All is heard.';

/** Each backend with each transport, and each of them at both rates. All of them: `test/browser/timed/fidelity.test.ts`. */
const WAYS = [
  { backend: 'native', transport: 'shared', sampleRate: 44100 },
  { backend: 'native', transport: 'message', sampleRate: 48000 },
  { backend: 'standardized', transport: 'shared', sampleRate: 48000 },
  { backend: 'standardized', transport: 'message', sampleRate: 44100 },
] as const;

for (const { backend, transport, sampleRate } of WAYS) {
  test(`plays what the service sent: ${transport}, ${backend}, ${sampleRate} Hz`, async ({ page, demo, recording }) => {
    await tapDestination(page, sampleRate);
    await openDemo(page, demo, { transport, backend });

    await speak(page, WORDS);
    await untilSaid(page);

    const stats = await page.evaluate(() => document.querySelector('svc-speaker')!.getStats());
    expect(stats).toMatchObject({ transport, audioBackend: backend, contextSampleRate: sampleRate, underruns: 0 });

    const heard = await readTap(page);
    expect(heard, 'contexts that played').toHaveLength(1);
    expect(recording.sockets, 'sockets').toHaveLength(1);
    expect(recording.sockets[0]!.closeCode, 'the page closes the socket itself').toBe(1000);
    const result = compareAudio(heard[0]!, recording.sentAudio(), recording.sockets[0]!.sampleRate);
    expect(Math.abs(result.heardLength - result.sentLength)).toBeLessThanOrEqual(lengthTolerance(sampleRate));
    expect(result.correlation).toBeGreaterThanOrEqual(0.999);
    // A quarter of a millisecond of nothing takes more than this off a window of 50 ms.
    expect(result.worstWindow, 'a gap or a jump').toBeGreaterThanOrEqual(0.998);
    // Volume is 1: as loud as it was sent.
    expect(result.gain).toBeCloseTo(1, 2);
    expect(result.afterwards, 'silence after the last sample').toBeLessThan(1e-4);
  });
}
