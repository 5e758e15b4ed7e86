import type { Page } from '@playwright/test';
import {
  blockMainThread,
  countLeft,
  expect,
  joined,
  noise,
  record,
  silence,
  test,
  type TestGateway,
  tone,
  wav,
} from '../../../src/testing/index.js';
import { type ElementServer, startElementServer } from '../element-server.js';
import { FAULTS } from '../faults.js';

const RATE = 48_000;
test.use({ contextSampleRate: RATE });

const ISOLATED = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
};

const servers = new Map<keyof typeof FAULTS | 'none', Promise<ElementServer>>();
test.afterAll(async () => {
  const started = [...servers.values()];
  // Playwright may return to this file.
  servers.clear();
  for (const server of started) (await server).close();
});

/** Opens a page with a player, with a fault or without. */
async function open(
  page: Page,
  fault: keyof typeof FAULTS | 'none' = 'none',
  attributes = '',
  headers: Readonly<Record<string, string>> = ISOLATED,
): Promise<void> {
  const started = servers.get(fault) ?? startElementServer(fault === 'none' ? undefined : FAULTS[fault]);
  servers.set(fault, started);
  const server = await started;
  const files = fault === 'none' ? '' : 'worker-url="/worker.js" worklet-url="/worklet.js"';
  server.page = {
    html: `<!doctype html>
      <title>Speaks</title>
      <svc-speaker session-endpoint="/speech/session" text="Hello." jitter-buffer="fixed" jitter-buffer-target="4000" ${files} ${attributes}></svc-speaker>
      <button id="play">Play</button><button id="halt">Stop</button><p></p>
      <script type="module">
        import '/element.js';
        const speaker = document.querySelector('svc-speaker');
        play.onclick = () => speaker.play();
        halt.onclick = () => speaker.cancel();
        speaker.addEventListener('ended', () => document.querySelector('p').append('ended'));
      </script>`,
    headers,
  };
  await page.goto(`http://127.0.0.1:${server.port}/`);
}

/** Message of a matcher's failure. */
async function complaintOf(matcher: Promise<unknown>): Promise<string> {
  return matcher.then(
    () => 'It did not fail.',
    (error: Error) => error.message,
  );
}

test('finds no fault in the player', async ({ page, gateway }) => {
  const audio = joined(noise(1, 0.4), silence(0.3), tone(440, 0.6));
  gateway.reply({ audio });
  // The other tests use the shared transport and the native backend.
  await open(page, 'none', 'audio-backend="standardized"', {});
  const recording = await gateway.record(page.locator('svc-speaker'));
  await page.getByRole('button', { name: 'Play' }).click();
  await expect(recording).toHavePlayed({ seconds: 1.3 });
  await expect(recording).toHaveNoGaps();
  await expect(recording).toHaveNoClicks();
  await expect(recording).toMatchAudio(audio, { snr: 80 });
  await expect(gateway).toHaveClosedSockets({ withinMs: 5000 });
  const stats = await page.evaluate(() => document.querySelector('svc-speaker')!.getStats());
  expect(stats).toMatchObject({ transport: 'message', audioBackend: 'standardized' });
});

/**
 * Plays the default reply with a player that may have a fault. `begin` is the start of the sound in the recording, in
 * seconds.
 */
async function playWith(fault: keyof typeof FAULTS | 'none', page: Page, gateway: TestGateway) {
  await open(page, fault);
  const recording = await gateway.record(page.locator('svc-speaker'));
  await page.getByRole('button', { name: 'Play' }).click();
  await expect(page.locator('p')).toHaveText('ended');
  const { samples } = await recording.read();
  return { recording, begin: samples.findIndex((sample) => sample !== 0) / RATE };
}

/** Number of seconds in a message, after the text `before`. */
function secondsIn(complaint: string, before: string): number {
  return Number(new RegExp(`${before}([\\d.]+) s`).exec(complaint)?.[1]);
}

test('finds a gap, a click and a lost tail, and attaches the recording to the report', async ({
  page,
  gateway,
}, testInfo) => {
  const { recording, begin } = await playWith('damaged', page, gateway);
  const gap = await complaintOf(expect(recording).toHaveNoGaps());
  expect(gap).toMatch(/^expect\(recording\)\.toHaveNoGaps: A gap of (39\.9|40\.0) ms at /);
  expect(secondsIn(gap, 'at ')).toBeCloseTo(begin + 0.3, 2);

  const click = await complaintOf(expect(recording).toHaveNoClicks());
  expect(click).toMatch(/A click at [\d.]+ s, \d+ dB above what was sent\./);
  const clicks = [...click.matchAll(/A click at ([\d.]+) s/g)].map(([, at]) => Number(at) - begin);
  expect(
    clicks.some((at) => Math.abs(at - 0.6) < 0.005),
    click,
  ).toBe(true);

  const tail = await complaintOf(expect(recording).toHavePlayed({ seconds: 1, timeout: 1000 }));
  expect(tail).toMatch(/0\.(899|900) s were heard, .*; expected 1 s: 0\.(100|101) s are missing\.$/);
  expect(secondsIn(tail, ' to ')).toBeCloseTo(begin + 0.9, 2);

  const [sound, picture] = testInfo.attachments;
  expect([sound!.name, picture!.name]).toEqual(['heard: toHaveNoGaps.wav', 'heard: toHaveNoGaps.png']);
  const attached = wav(sound!.body!);
  expect(attached.sampleRate).toBe(RATE);
  expect(attached.samples.length).toBeGreaterThan(RATE);
  expect(picture!.body!.subarray(1, 4).toString()).toBe('PNG');
});

test('finds a late stop', async ({ page, gateway }) => {
  gateway.reply({ audio: tone(440, 10) });
  for (const fault of ['none', 'stop'] as const) {
    await open(page, fault);
    const recording = await gateway.record(page.locator('svc-speaker'));
    await page.getByRole('button', { name: 'Play' }).click();
    await page.waitForFunction(() => document.querySelector('svc-speaker')!.currentTime > 0.3);
    await page.getByRole('button', { name: 'Stop' }).click();
    const complaint = await complaintOf(expect(recording).toBeSilentWithin(50));
    if (fault === 'none') {
      expect(complaint).toBe('It did not fail.');
    } else {
      expect(complaint).toMatch(/Sound goes on for \d+ ms after cancel at [\d.]+ s, until [\d.]+ s; expected 50 ms/);
      const { samples } = await recording.read();
      const end = samples.findLastIndex((sample) => sample !== 0) / RATE;
      expect(secondsIn(complaint, 'until ')).toBeCloseTo(end, 2);
      // The fault lasts 300 ms of the page's time. A busy machine may render less audio in that time.
      expect(end - secondsIn(complaint, 'cancel at ')).toBeGreaterThan(0.15);
    }
  }
});

test('finds a socket that is left open', async ({ page, gateway }) => {
  await playWith('socket', page, gateway);
  const complaint = await complaintOf(expect(gateway).toHaveClosedSockets({ withinMs: 500 }));
  expect(complaint).toMatch(/^Socket 1, opened at \S+, is still open \d+ ms after its last frame\.\nExpected 500 ms/);
});

test('treats a stop before the first sound as silence', async ({ page, gateway }) => {
  gateway.reply({ audio: tone(440, 2), delayMs: 300 });
  await open(page);
  const recording = await gateway.record(page.locator('svc-speaker'));
  /** Makes the speaker pause at its next event of a type. Resolves with a function that waits for the pause. */
  const stopAt = async (event: string): Promise<() => Promise<unknown>> => {
    const stopped = await page.locator('svc-speaker').evaluateHandle((speaker: HTMLMediaElement, type) => {
      speaker.addEventListener(type, () => speaker.pause(), { once: true });
      const pause = new Promise((resolve) => speaker.addEventListener('pause', resolve, { once: true }));
      return { pause };
    }, event);
    return () => stopped.evaluate(({ pause }) => pause.then(() => {}));
  };
  const beforeContext = await stopAt('play');
  await page.getByRole('button', { name: 'Play' }).click();
  await beforeContext();
  await expect(recording).toBeSilentWithin(50);
  const beforeAudio = await stopAt('loadedmetadata');
  await page.locator('svc-speaker').evaluate((speaker: HTMLMediaElement) => void speaker.play().catch(() => {}));
  await beforeAudio();
  await expect(recording).toBeSilentWithin(50);
});

test('plays without gaps while the network stalls and the page is busy', async ({ page, gateway }) => {
  gateway.reply({ audio: tone(440, 2), network: 'stalls', seed: 3 });
  await open(page);
  // The network stalls for at most 90 ms, and so may the machine while other tests run.
  await page.locator('svc-speaker').evaluate((speaker) => speaker.setAttribute('jitter-buffer-target', '1000'));
  const recording = await gateway.record(page.locator('svc-speaker'));
  await page.getByRole('button', { name: 'Play' }).click();
  await page.waitForFunction(() => document.querySelector('svc-speaker')!.currentTime > 0.3);
  await blockMainThread(page, 500);
  await expect(page.locator('p')).toHaveText('ended');
  await expect(recording).toHavePlayed({ seconds: 2 });
  await expect(recording).toHaveNoGaps();
  await expect(recording).toHaveNoClicks();
});

test('can be read several times at once', async ({ page, gateway }) => {
  gateway.reply({ audio: tone(440, 1) });
  await open(page);
  const recording = await gateway.record(page.locator('svc-speaker'));
  await page.getByRole('button', { name: 'Play' }).click();
  await page.waitForFunction(() => document.querySelector('svc-speaker')!.currentTime > 0.3);
  await Promise.all([recording.read(), recording.read(), recording.read()]);
  await expect(recording).toHavePlayed({ seconds: 1 });
  await expect(recording).toMatchAudio(gateway.sent(), { snr: 80 });
});

test('counts contexts and workers, and their end', async ({ page, gateway }) => {
  await playWith('none', page, gateway);
  expect(await countLeft(page)).toEqual({ contexts: 1, workers: 1 });
  // Both are kept for the next speaker until the user leaves the page.
  await page.evaluate(async () => {
    document.querySelector('svc-speaker')!.remove();
    await Promise.resolve();
    dispatchEvent(new Event('pagehide'));
  });
  await expect.poll(() => countLeft(page)).toEqual({ contexts: 0, workers: 0 });
});

test('reports a page that was opened without the recorder', async ({ browser }) => {
  const page = await browser.newPage();
  await expect(record(page)).rejects.toThrow(/no recorder: take test from svc-speaker\/testing\.js/);
  await page.close();
});

test('the gateway responds late, with an error, with a close or with a refusal', async ({ page, gateway }) => {
  gateway.reply({ refuse: 503 }, { delayMs: 300, doneDelayMs: 200 }, { error: 'No voice.' }, { close: 4402 }, {});
  await open(page);
  const speak = (text: string) =>
    page.evaluate(async (words) => {
      const speaker = document.querySelector('svc-speaker')!;
      return speaker.speak(words).finished.then(
        () => 'heard',
        ({ reason, closeCode }: { reason: string; closeCode?: number }) => `${reason} ${closeCode ?? ''}`,
      );
    }, text);
  await page.getByRole('button', { name: 'Stop' }).click();
  expect(await speak('One.')).toBe('heard');
  const [connection] = gateway.connections;
  expect(connection!.lastFrameAt - connection!.messages.at(-1)!.at).toBeGreaterThan(250);
  expect(await speak('Two.')).toBe('service-error ');
  expect(await speak('Three.')).toBe('socket-closed 4402');
  expect(await speak('Four.')).toBe('heard');
});
