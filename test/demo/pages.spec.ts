import { readdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { record, recorderSource } from '../../../src/testing/index.js';
import { expect, test } from '../demo-test.js';

declare global {
  interface Window {
    writtenAtStart: string[];
  }
}

/** Path of the recorder's worklet on the demo's development server. A page with a strict policy refuses blob: URLs. */
const RECORDER_FILE = '.cache/recorder.worklet.js';

test.beforeAll(() =>
  writeFileSync(fileURLToPath(new URL(`../../../${RECORDER_FILE}`, import.meta.url)), recorderSource),
);

/** Demo pages that speak the text typed into them, each with the transport of its samples to the audio thread. */
const PAGES = [
  ['demo/livekit/', 'shared'],
  ['demo/media-chrome/', 'shared'],
  ['demo/plain/', 'message'],
  ['demo/strict-csp/', 'shared'],
  ['demo/tone/', 'shared'],
] as const;

for (const [path, transport] of PAGES) {
  test.describe(path, () => {
    test.use({ recorderUrl: path === 'demo/strict-csp/' ? `/${RECORDER_FILE}` : null });

    test(`speaks, by ${transport}`, async ({ page, demo }) => {
      const complaints: string[] = [];
      page.on('pageerror', (error) => complaints.push(String(error)));
      page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
      await page.goto(demo.url + path);
      const recording = await record(page);

      await page.getByLabel('Text to speak').fill('Ahoy.');
      await page.getByRole('button', { name: 'Speak', exact: true }).click();
      // waitForFunction() evaluates a string in the page, which a strict policy forbids.
      await expect
        .poll(() => page.evaluate(() => document.querySelector('svc-speaker')!.ended), { timeout: 20_000 })
        .toBe(true);

      const { samples } = await recording.read();
      const loudest = samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
      expect(loudest).toBeGreaterThan(0.05);
      const stats = await page.evaluate(() => document.querySelector('svc-speaker')!.getStats());
      expect(stats.transport).toBe(transport);
      expect(complaints).toEqual([]);
    });
  });
}

test('demo/tone/ speaks in the context of Tone.js, and lowers its music meanwhile', async ({ page, demo }) => {
  await page.goto(`${demo.url}demo/tone/`);
  await page.getByRole('button', { name: 'Music' }).click();
  await page.waitForFunction(isMusicUp);
  await page.getByRole('button', { name: 'Speak', exact: true }).click();
  const music = page.locator('#music-state');
  await expect(music).toHaveText('The music makes way for the voice.');

  const loudest = await page.evaluate(async () => {
    const speaker = document.querySelector('svc-speaker')!;
    const levels = { voice: 0, music: 0 };
    // Measures from 1 s, when the music is down, until shortly before the last word.
    while (speaker.currentTime < 2.5) {
      await new Promise(requestAnimationFrame);
      for (const what of speaker.currentTime < 1 ? [] : (['voice', 'music'] as const)) {
        const level = Number(document.getElementById(`${what}-level`)!.style.getPropertyValue('--level'));
        levels[what] = Math.max(levels[what], level);
      }
    }
    return levels;
  });
  expect(loudest.voice).toBeGreaterThan(0.6);
  expect(loudest.music).toBeGreaterThan(0);
  expect(loudest.music).toBeLessThan(0.4);
  await expect(music).toHaveText('The music is up.');
  await page.waitForFunction(isMusicUp);
  const stats = await page.evaluate(() => document.querySelector('svc-speaker')!.getStats());
  expect(stats.audioBackend).toBe('standardized');
});

test('demo/llm-stream/ speaks while it writes, stops both, and answers again at once', async ({ page, demo }) => {
  await page.goto(`${demo.url}demo/llm-stream/`);
  // Records how much of an answer is written when its speech starts, newest first.
  await page.evaluate(() => {
    window.writtenAtStart = [];
    document.querySelector('svc-speaker')!.addEventListener('utterancestart', () => {
      window.writtenAtStart.unshift(document.querySelector('.answer')!.textContent);
    });
  });
  const ask = async (question: string): Promise<void> => {
    await page.getByLabel('Your question').fill(question);
    await page.getByRole('button', { name: 'Ask', exact: true }).click();
  };
  const latest = page.getByRole('listitem').first();
  await ask('How does a lock work?');
  await expect(latest.getByRole('status')).toContainText('before the last word was written');
  const [whileWriting] = await page.evaluate(() => window.writtenAtStart);
  const written = await latest.locator('.answer').textContent();
  expect(written!.length, 'written after the voice began').toBeGreaterThan(whileWriting!.length + 50);
  expect(written!.startsWith(whileWriting!)).toBe(true);
  await expect(latest.locator('mark')).not.toBeEmpty();

  await ask('What makes the tide?');
  await expect(latest.getByRole('status')).toHaveText('Speaking while it writes.');
  await page.getByRole('button', { name: 'Stop' }).click();
  await expect(latest.getByRole('status')).toHaveText('Stopped.');
  const stopped = await latest.locator('.answer').textContent();
  expect(stopped, 'the last words').not.toContain('spring tide');

  await ask('What do horns say in fog?');
  await expect(latest.getByRole('status')).toContainText('before the last word was written');
  const answers = page.locator('.answer');
  await expect(answers, 'the first was said to no end, the second written to none').toHaveCount(3);
  expect(await answers.nth(1).textContent()).toBe(stopped);
  expect(await page.evaluate(() => document.querySelector('svc-speaker')!.error)).toBe(null);
});

test('demo/livekit/ shows why it is not in a room', async ({ page, demo }) => {
  await page.goto(`${demo.url}demo/livekit/`);
  await page.getByLabel('LiveKit server').fill('ws://127.0.0.1:9');
  await page.getByRole('button', { name: 'Join' }).click();
  await expect(page.locator('#room-remark')).toContainText('Not in the room: ');
  await page.route('**/speech/rooms/token*', (route) =>
    route.fulfill({ status: 404, json: { detail: 'No such avatar.' } }),
  );
  await page.getByRole('button', { name: 'Join' }).click();
  await expect(page.locator('#room-remark')).toHaveText('Not in the room: No such avatar.');
});

const { LIVEKIT_URL } = process.env;
test('demo/livekit/ publishes its speech into a room', async ({ page, demo }) => {
  test.skip(LIVEKIT_URL === undefined, 'LIVEKIT_URL names no LiveKit server');
  await page.goto(`${demo.url}demo/livekit/`);
  await page.getByLabel('LiveKit server').fill(LIVEKIT_URL!);
  await page.getByRole('button', { name: 'Join' }).click();
  await expect(page.locator('#room-remark')).toContainText('what is spoken here is heard there');
  await page.getByRole('button', { name: 'Leave' }).click();
  await expect(page.locator('#room-remark')).toHaveText('Left.');
});

test('the demo links to every page', async ({ page, demo }) => {
  await page.goto(demo.url);
  const links = page.getByRole('navigation', { name: 'More pages' }).getByRole('link');
  const hrefs = await links.evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).pathname));
  const folders = readdirSync(new URL('../../../demo', import.meta.url), { recursive: true, encoding: 'utf8' });
  const pages = folders.filter((file) => file.endsWith('/index.html')).map((file) => `/demo/${dirname(file)}/`);
  expect(hrefs.toSorted()).toEqual(pages.toSorted());
});

/** Runs in the page. True if the bar is longer than the music under a voice ever makes it. */
function isMusicUp(): boolean {
  return Number(document.getElementById('music-level')!.style.getPropertyValue('--level')) > 0.45;
}
