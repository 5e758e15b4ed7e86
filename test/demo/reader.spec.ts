import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import type * as Axe from 'axe-core';
import type { SvcReaderElement } from '../../src/reader/index.js';
import { type Demo, expect, test } from './demo-test.js';
import { long } from './long.js';
import { DocsAnimation, docsPicture, PICTURE_SCALE, reportPicture } from './picture.js';

const THEMES = ['card', 'paper', 'pill'] as const;

/** Time between two looks at the highlight. The shortest word of the article takes 60 ms. */
const STEP_MS = 50;
/** More than the heading and the first two sentences of the article take. */
const READ_SECONDS = 12;
/** Speech that must have arrived before the clock goes on. */
const AHEAD_SECONDS = 1;

test.use({ deviceScaleFactor: PICTURE_SCALE });

/** Opens demo/reader/. */
async function open(page: Page, { url }: Demo): Promise<void> {
  await page.goto(`${url}demo/reader/`);
  await expect(page.getByRole('button', { name: 'Play' })).toBeEnabled();
}

/** Returns the part of the bar that has the focus and its outline, if any. */
const focused = (page: Page): Promise<string | null> =>
  page.evaluate(() => {
    const element = document.activeElement?.shadowRoot?.activeElement;
    return element ? `${element.getAttribute('part')}, ${getComputedStyle(element).outlineStyle}` : null;
  });

/** Lists the visible parts of the bar that lie outside of it, and the bar if it is wider than the page. */
const overflows = (page: Page): Promise<string[]> =>
  page.locator('svc-reader').evaluate((reader) => {
    const box = reader.getBoundingClientRect();
    const parts = [...reader.shadowRoot!.querySelectorAll('[part]')];
    const outside = parts.filter((part) => {
      const { left, right, top, bottom } = part.getBoundingClientRect();
      return left < box.left - 0.5 || right > box.right + 0.5 || top < box.top - 0.5 || bottom > box.bottom + 0.5;
    });
    const isWide = box.right > document.documentElement.clientWidth || box.left < 0;
    return [...outside.map((part) => part.getAttribute('part')!), ...(isWide ? ['the bar'] : [])];
  });

test.describe('<svc-reader> on demo/reader/', () => {
  test('is used with the keyboard alone', long, async ({ page, demo }) => {
    await open(page, demo);
    const begun = (text: RegExp): Promise<unknown> =>
      page.evaluate(
        (source) =>
          new Promise<void>((resolve) =>
            document.querySelector('svc-speaker')!.addEventListener('utterancestart', ({ utterance }) => {
              if (new RegExp(source).test(utterance.text)) resolve();
            }),
          ),
        text.source,
      );
    await page.keyboard.press('Tab');
    expect(await focused(page), 'nothing to go to yet').toBe('toggle, solid');
    const title = begun(/^The tide tables/);
    await page.keyboard.press('Enter');
    await title;
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('next, solid');
    // Paused at once: later than in the first words, the button goes to the beginning of the sentence.
    const sentence = begun(/^Every harbour/);
    await page.evaluate(() => {
      const speaker = document.querySelector('svc-speaker')!;
      speaker.addEventListener('utterancestart', () => speaker.pause(), { once: true });
    });
    await page.keyboard.press('Enter');
    await sentence;
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Shift+Tab');
    expect(await focused(page)).toBe('previous, solid');
    await page.keyboard.press('Enter');
    const reader = page.locator('svc-reader');
    await expect
      .poll(() => reader.evaluate((element: SvcReaderElement) => element.reading!.position.after))
      .toMatch(/^The tide tables/);
    await page.keyboard.press('Tab');
    const before = begun(/^The tide tables/);
    await page.keyboard.press('Space');
    await before;
    await page.keyboard.press('Space');
    await expect(page.getByRole('button', { name: 'Play' })).toBeFocused();
    expect(await page.locator('svc-speaker').evaluate((speaker: HTMLMediaElement) => speaker.paused)).toBe(true);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('speed, solid');
    await page.keyboard.press('ArrowDown');
    await expect
      .poll(() => page.locator('svc-speaker').evaluate((speaker: HTMLMediaElement) => speaker.playbackRate))
      .toBeGreaterThan(1);
  });

  test(
    'fits and is accessible in every look, light, dark, right to left, and on a narrow page',
    long,
    async ({ page, demo }, info) => {
      await open(page, demo);
      const styles = THEMES.map((name) =>
        readFileSync(new URL(`../../docs/themes/${name}.css`, import.meta.url), 'utf8'),
      );
      await page.addStyleTag({ content: styles.join('').replaceAll('svc-speaker.', 'svc-reader.') });
      await page.addScriptTag({ path: fileURLToPath(new URL('../node_modules/axe-core/axe.min.js', import.meta.url)) });
      await page.getByRole('button', { name: 'Play' }).click();
      await expect(page.locator('svc-reader [part=time]')).toBeVisible();
      for (const name of ['plain', ...THEMES]) {
        await page.locator('svc-reader').evaluate((reader, theme) => reader.setAttribute('class', theme), name);
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme });
          const problems = await page.evaluate(async () => {
            const { axe } = window as unknown as { axe: typeof Axe };
            const { violations } = await axe.run({ include: ['svc-reader'] });
            return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
          });
          expect(problems, `${name}, ${colorScheme}`).toEqual([]);
          await reportPicture(page, info, `${name}, ${colorScheme}`, false);
        }
        for (const width of [1100, 320]) {
          await page.setViewportSize({ width, height: 700 });
          for (const direction of ['ltr', 'rtl']) {
            await page.evaluate((dir) => (document.documentElement.dir = dir), direction);
            expect(await overflows(page), `${name}, ${width} pixels, ${direction}`).toEqual([]);
          }
        }
        await page.setViewportSize({ width: 1100, height: 700 });
      }
    },
  );

  test('has borders and readable buttons with forced colours', long, async ({ page, demo }, info) => {
    await page.emulateMedia({ forcedColors: 'active' });
    await open(page, demo);
    const borders = await page.locator('svc-reader').evaluate((reader) =>
      ['bar', 'toggle'].map((name) => {
        const { borderTopStyle, borderTopWidth } = getComputedStyle(
          reader.shadowRoot!.querySelector(`[part=${name}]`)!,
        );
        return `${borderTopStyle} ${borderTopWidth}`;
      }),
    );
    expect(borders).toEqual(['solid 1px', 'solid 1px']);
    const [icon, button] = await page.locator('svc-reader').evaluate((reader) => {
      const toggle = reader.shadowRoot!.querySelector('[part=toggle]')!;
      return [getComputedStyle(toggle.querySelector('svg')!).fill, getComputedStyle(toggle).backgroundColor];
    });
    expect(icon, 'the icon has another colour than its button').not.toBe(button);
    await reportPicture(page, info, 'forced colours', false);
  });

  test('shows the highlighted word', long, async ({ page, demo }) => {
    await page.setViewportSize({ width: 960, height: 350 });
    await open(page, demo);
    await page.getByRole('button', { name: 'Play' }).click();
    await page.waitForFunction(() => {
      const [range] = (CSS.highlights.get('svc-word') ?? []) as Iterable<Range>;
      const isPast = range && document.querySelector('#article p')!.contains(range.startContainer);
      // Stopped in a word, so that the picture has it.
      if (isPast && range.startOffset > 40) document.querySelector('svc-reader')!.pause();
      return document.querySelector('svc-speaker')!.paused;
    });
    const { word, sentence } = await page.evaluate(() => {
      const [shown, around] = ['svc-word', 'svc-sentence'].map((name) => [...CSS.highlights.get(name)!].join('|'));
      return { word: shown!, sentence: around! };
    });
    expect(sentence).toMatch(/\.$/);
    expect(sentence).toContain(word);
    await docsPicture(page, 'reader.png');
  });

  test('moves the highlighted word with the speech', long, async ({ page, demo }) => {
    await page.setViewportSize({ width: 960, height: 350 });
    await page.clock.install();
    await open(page, demo);
    // The clock of the speech. It stands still between two steps, so a busy machine sees the same words.
    const context = await page.evaluateHandle((seconds) => {
      const offline = new OfflineAudioContext(1, seconds * 48_000, 48_000);
      document.querySelector('svc-speaker')!.audioContext = offline;
      return offline;
    }, READ_SECONDS);
    await page.getByRole('button', { name: 'Play' }).click();
    const hasArrived = (): Promise<boolean> =>
      page.evaluate((seconds) => {
        const { outputNode, buffered, currentTime } = document.querySelector('svc-speaker')!;
        return outputNode !== null && buffered.length > 0 && buffered.end(0) - currentTime > seconds;
      }, AHEAD_SECONDS);
    await expect.poll(hasArrived).toBe(true);
    await page.clock.pauseAt(Date.now() + 1000);
    const stops = await context.evaluateHandle(
      (offline, { seconds, stepMs }) => {
        const times = Array.from({ length: (1000 * seconds) / stepMs - 1 }, (_, step) => ((step + 1) * stepMs) / 1000);
        const reached = times.map((time) => offline.suspend(time));
        void offline.startRendering();
        return reached;
      },
      { seconds: READ_SECONDS, stepMs: STEP_MS },
    );
    const words: string[] = [];
    const animation = new DocsAnimation(2 * STEP_MS);
    for (let step = 0, sentence = ''; !sentence.startsWith('The keeper'); step++) {
      await stops.evaluate((reached, index) => reached[index], step);
      await page.clock.runFor(STEP_MS);
      const [word, around] = await page.evaluate(() =>
        ['svc-word', 'svc-sentence'].map((name) => [...(CSS.highlights.get(name) ?? [])].join('|')),
      );
      sentence = around!;
      if (words.length > 0 ? !sentence.startsWith('The keeper') : word === 'Every') {
        if (word !== words.at(-1)) words.push(word!);
        if (step % 2 === 0) await animation.add(page, word === 'nobody');
      }
      await expect.poll(hasArrived).toBe(true);
      await context.evaluate((offline) => void offline.resume());
    }
    expect(words.join(' ')).toBe(
      'Every harbour has a book that nobody reads for pleasure ' +
        'It gives two times of high water for each day and two of low',
    );
    animation.write('reader-animated.png');
  });
});
