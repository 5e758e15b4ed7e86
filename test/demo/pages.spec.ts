import { readdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Locator } from '@playwright/test';
import { record, recorderSource } from '../../src/testing/index.js';
import { expect, test } from './demo-test.js';
import { long } from './long.js';

declare global {
  interface Window {
    writtenAtStart: string[];
  }
}

/** Path of the recorder's worklet on the demo's development server. A page with a strict policy refuses blob: URLs. */
const RECORDER_FILE = '.cache/recorder.worklet.js';

test.beforeAll(() => writeFileSync(fileURLToPath(new URL(`../../${RECORDER_FILE}`, import.meta.url)), recorderSource));

/**
 * Demo pages. Those that speak the text typed into them have the transport of its samples to the audio thread; the
 * others have tests of their own.
 */
const PAGES = {
  livekit: 'shared',
  'llm-stream': null,
  'media-chrome': 'shared',
  plain: 'message',
  react: null,
  reader: null,
  'strict-csp': 'shared',
  'talk-back': null,
  themes: null,
  tone: 'shared',
  vue: null,
} as const;

/** Names of the buttons with which pages start, if not "Speak". */
const BUTTONS: Readonly<Record<string, string>> = { 'llm-stream': 'Ask', reader: 'Play' };

/** The pages that `npm test` opens: the strictest, and the simplest. */
const USUAL = ['strict-csp', 'plain'];

for (const [name, transport] of Object.entries(PAGES)) {
  test.describe(`demo/${name}/`, () => {
    test.use({ recorderUrl: name === 'strict-csp' ? `/${RECORDER_FILE}` : null });

    const speaks = transport === null ? '' : `speaks by ${transport}, `;
    const details = USUAL.includes(name) ? {} : long;
    test(`${speaks}shows its source, and errors in the colour of errors`, details, async ({ page, demo }) => {
      const complaints: string[] = [];
      page.on('pageerror', (error) => complaints.push(String(error)));
      page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
      await page.setViewportSize({ width: 1280, height: 800 });
      await page.goto(`${demo.url}demo/${name}/`);
      // Only the themes leave starting and errors to the controls of the element. One speaker shows each theme.
      const usesControls = name === 'themes';
      const speak = usesControls
        ? page.locator('svc-speaker [part=toggle]')
        : page.getByRole('button', { name: BUTTONS[name] ?? 'Speak', exact: true });
      await expect(speak).toHaveCount(usesControls ? 4 : 1);
      if (transport !== null) {
        const recording = await record(page);
        await page.getByLabel('Text to speak').fill('Ahoy.');
        await speak.click();
        // waitForFunction() evaluates a string in the page, which a strict policy forbids.
        await expect.poll(() => page.evaluate(() => document.querySelector('svc-speaker')!.ended)).toBe(true);
        const { samples } = await recording.read();
        const loudest = samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
        expect(loudest).toBeGreaterThan(0.05);
        const stats = await page.evaluate(() => document.querySelector('svc-speaker')!.getStats());
        expect(stats.transport).toBe(transport);
      }
      expect(complaints).toEqual([]);

      await page.getByRole('link', { name: 'the source of this page' }).click();
      await expect(page.locator('#source pre').first()).toContainText('import');
      await page.evaluate(() => scrollTo(0, 0));
      const isEmpty = await page.evaluate(() => document.elementFromPoint(900, 600)!.matches('html, body, main'));
      expect(isEmpty, 'the right half').toBe(false);

      await page.route('**/speech/session', (route) => route.fulfill({ status: 402, json: { detail: 'no credits' } }));
      const stop = page.getByRole('button', { name: 'Stop' });
      if (await stop.count()) await expect(stop, 'it is silent').toBeDisabled();
      const count = await speak.count(); // A button may have another name after the error.
      for (const button of await speak.all()) await button.click();
      // The reader's bar shows errors, too.
      const messages =
        usesControls || name === 'reader'
          ? page.getByRole('alert')
          : page.locator('p[role=status]', { hasText: 'answered 402' });
      await expect(messages).toHaveCount(count);
      for (const message of await messages.all()) await expectRed(message);
    });
  });
}

/** Expects a message that is visible, and red with sufficient contrast, on light and dark pages. */
async function expectRed(message: Locator): Promise<void> {
  await expect(message).toBeVisible();
  for (const colorScheme of ['light', 'dark'] as const) {
    await message.page().emulateMedia({ colorScheme });
    const { text, backgrounds } = await message.evaluate((element) => {
      const layers: string[] = [];
      for (let at: Element | null = element; at;) {
        layers.push(getComputedStyle(at).backgroundColor);
        const root = at.getRootNode();
        at = at.parentElement ?? (root instanceof ShadowRoot ? root.host : null);
      }
      return { text: getComputedStyle(element).color, backgrounds: layers };
    });
    const background = backgrounds.find((color) => !color.endsWith(', 0)'))!;
    const [red, green, blue] = channelsOf(text);
    // The hue is within 15 degrees of red, so green and blue differ by at most a quarter of the range.
    const range = red - Math.min(green, blue);
    expect(range, `${colorScheme}: ${text}`).toBeGreaterThan(80);
    expect(Math.abs(green - blue), `${colorScheme}: ${text}`).toBeLessThanOrEqual(range / 4);
    expect(contrastOf(text, background), `${colorScheme}: ${text} on ${background}`).toBeGreaterThanOrEqual(4.5);
  }
}

function channelsOf(color: string): [red: number, green: number, blue: number] {
  return color
    .match(/[\d.]+/g)!
    .slice(0, 3)
    .map(Number) as [number, number, number];
}

/** Contrast ratio of WCAG 2, from 1 to 21, of two opaque colours. */
function contrastOf(one: string, other: string): number {
  const luminances = [one, other].map((color) => {
    const [red, green, blue] = channelsOf(color).map((value) => {
      const part = value / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
  });
  const [darker, lighter] = luminances.toSorted((first, second) => first - second);
  return (lighter! + 0.05) / (darker! + 0.05);
}

test('demo/llm-stream/ speaks while it writes, stops both, and answers again at once', long, async ({ page, demo }) => {
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
  // Answers of all passages take ten seconds to write, longer than a voice takes to begin on a busy machine.
  await ask('How do tides, locks, lights and fog work?');
  await expect(latest.getByRole('status')).toContainText('before the last word was written');
  const [whileWriting] = await page.evaluate(() => window.writtenAtStart);
  const written = await latest.locator('.answer').textContent();
  expect(written!.length, 'written after the voice began').toBeGreaterThan(whileWriting!.length + 50);
  expect(written!.startsWith(whileWriting!)).toBe(true);
  await expect(latest.locator('mark')).not.toBeEmpty();

  await ask('And how do tides, locks, lights and fog work?');
  await expect(latest.getByRole('status')).toHaveText('Speaking while it writes.');
  await page.getByRole('button', { name: 'Stop' }).click();
  await expect(latest.getByRole('status')).toHaveText('Stopped.');
  const stopped = await latest.locator('.answer').textContent();
  expect(stopped, 'the last words').not.toContain('I am here');

  await ask('What do tides, locks, lights and horns do in fog?');
  await expect(latest.getByRole('status')).toContainText('before the last word was written');
  const answers = page.locator('.answer');
  await expect(answers, 'the first was said to no end, the second written to none').toHaveCount(3);
  expect(await answers.nth(1).textContent()).toBe(stopped);
  expect(await page.evaluate(() => document.querySelector('svc-speaker')!.error)).toBe(null);
});

test('demo/livekit/ shows why it is not in a room', long, async ({ page, demo }) => {
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
test('demo/livekit/ publishes its speech into a room', long, async ({ page, demo }) => {
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
  const folders = readdirSync(new URL('../../demo', import.meta.url), { recursive: true, encoding: 'utf8' });
  const pages = folders.filter((file) => /^[^/]+\/index\.html$/.test(file)).map((file) => `/demo/${dirname(file)}/`);
  expect(hrefs.toSorted()).toEqual(pages.toSorted());
});

test(
  'demo/reader/ reads the article, goes to a word that is clicked, and reads on after a reload',
  long,
  async ({ page, demo }) => {
    await page.goto(`${demo.url}demo/reader/`);
    /** Resolves with the text of an utterance that has a word with these letters, once one is heard. */
    const heard = (letters: RegExp): Promise<string> =>
      page.evaluate(
        (source) =>
          new Promise((resolve) =>
            document.querySelector('svc-speaker')!.addEventListener('word', ({ utterance, word }) => {
              if (new RegExp(source).test(word.text)) resolve(utterance.text);
            }),
          ),
        letters.source,
      );
    const title = heard(/tables/);
    await page.getByRole('button', { name: 'Play' }).click();
    expect(await title).toMatch(/^The tide tables/);
    const clicked = heard(/early/);
    await page
      .locator('#article li')
      .last()
      .click({ position: { x: 4, y: 8 } });
    expect(await clicked).toBe('A long calm lets it go early.');
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.reload();
    const again = heard(/wind|early/);
    await page.getByRole('button', { name: 'Play' }).click();
    // It was paused at the last word, or in the pause after it.
    expect(await again).toMatch(/^(?:early\.|No table knows the wind)/);
  },
);
