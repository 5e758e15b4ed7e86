import type { Page } from '@playwright/test';
import {
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
} from '../../src/testing/index.js';
import { stepsOf } from '../../src/testing/reply.js';
import type { FAULTS } from './faults.js';
import { closePlayers, complaintOf, openPlayer, secondsIn } from './player-page.js';
import { long } from './long.js';

const RATE = 48_000;
test.use({ contextSampleRate: RATE });
test.afterAll(closePlayers);

test('finds no fault in the player', async ({ page, gateway }) => {
  const audio = joined(noise(1, 0.4), silence(0.3), tone(440, 0.6));
  gateway.reply({ audio });
  // The other tests use the shared transport and the native backend.
  await openPlayer(page, 'none', 'audio-backend="standardized"', {});
  const recording = await gateway.record(page.locator('svc-speaker'));
  await page.getByRole('button', { name: 'Play' }).click();
  await expect(page.locator('p')).toHaveText('ended');
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
  await openPlayer(page, fault);
  const recording = await gateway.record(page.locator('svc-speaker'));
  await page.getByRole('button', { name: 'Play' }).click();
  await expect(page.locator('p')).toHaveText('ended');
  const { samples } = await recording.read();
  return { recording, begin: samples.findIndex((sample) => sample !== 0) / RATE };
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
  // The edges of the gap may count as clicks, too.
  const others = clicks.filter((at) => at < 0.295 || at > 0.345);
  expect(others, click).toHaveLength(1);
  expect(others[0]).toBeCloseTo(0.6, 2);

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

test('lets a connection die after a word, and the next reply speak the rest', async ({ page, gateway }) => {
  const audio = joined(tone(500, 0.3), tone(700, 0.3), tone(900, 0.3));
  const words = [0, 4, 8].map((from, index) => ({ from, to: from + 3, start: index * 0.3, end: (index + 1) * 0.3 }));
  gateway.reply({ audio, words, dies: { afterWord: 2 } }, { audio: tone(900, 0.3) });
  await openPlayer(page, 'none', `session-request='{"timings":"words"}'`);
  const recording = await gateway.record(page.locator('svc-speaker'));
  const resumed = page.evaluate(() => {
    const speaker = document.querySelector('svc-speaker')!;
    speaker.text = 'One two six';
    return new Promise<number>((resolve) => speaker.addEventListener('resume', (event) => resolve(event.from)));
  });
  await page.getByRole('button', { name: 'Play' }).click();
  expect(await resumed).toBe(8);
  await expect(page.locator('p')).toHaveText('ended');
  await expect(recording).toHavePlayed({ seconds: 0.9 });
  expect(() => stepsOf({ audio, words, dies: { afterWord: 4 } })).toThrow(/after word 4 needs audio and/);
});

test('finds a socket that is left open', async ({ page, gateway }) => {
  await playWith('socket', page, gateway);
  const complaint = await complaintOf(expect(gateway).toHaveClosedSockets({ withinMs: 500 }));
  expect(complaint).toMatch(/^Socket 1, opened at \S+, is still open \d+ ms after its last frame\.\nExpected 500 ms/);
});

test('can be read several times at once', long, async ({ page, gateway }) => {
  gateway.reply({ audio: tone(440, 1) });
  await openPlayer(page);
  const recording = await gateway.record(page.locator('svc-speaker'));
  await page.getByRole('button', { name: 'Play' }).click();
  await page.waitForFunction(() => document.querySelector('svc-speaker')!.currentTime > 0.3);
  await Promise.all([recording.read(), recording.read(), recording.read()]);
  await expect(recording).toHavePlayed({ seconds: 1 });
  await expect(recording).toMatchAudio(gateway.sent(), { snr: 80 });
});

test('counts contexts and workers, and their end', long, async ({ page, gateway }) => {
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

test('the gateway reports when words are spoken', async ({ page, gateway }) => {
  const words = [
    { from: 0, to: 3, start: 0.1, end: 0.4 },
    { from: 4, to: 7, start: 0.5, end: 0.9 },
  ];
  gateway.reply({ audio: noise(3, 1), words });
  await openPlayer(page);
  const recording = await gateway.record(page.locator('svc-speaker'));
  await page.getByRole('button', { name: 'Stop' }).click();
  const heard = await page.evaluate(async () => {
    const speaker = document.querySelector('svc-speaker')!;
    const found: string[] = [];
    speaker.addEventListener('word', ({ word }) => found.push(word.text));
    // Loads the words. Else, a slow machine may have played both before they are there.
    await speaker.toVTT().catch(() => {});
    await speaker.speak('One two').finished;
    return found;
  });
  expect(heard).toEqual(['One', 'two']);
  // A page on a busy machine is late by any time.
  await expect(recording).toHaveSpokenWords(['One', 'two'], { withinMs: Infinity });
  const complaint = await complaintOf(expect(recording).toHaveSpokenWords(['One', 'two'], { withinMs: 0 }));
  expect(complaint).toMatch(/"One" begins at [\d.]+ s, and its event came -?\d+ ms later\./);
  const { samples } = await recording.read();
  const begin = samples.findIndex((sample) => sample !== 0) / RATE;
  expect(secondsIn(complaint, '"One" begins at ')).toBeCloseTo(begin + 0.1, 2);
});

test('the gateway responds late, with an error, with a close or with a refusal', async ({ page, gateway }) => {
  gateway.reply({ refuse: 503 }, { delayMs: 300, doneDelayMs: 200 }, { error: 'No voice.' }, { close: 4402 }, {});
  await openPlayer(page);
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
