import type { Locator, Page } from '@playwright/test';
import { noise, startGateway } from '../../src/testing/index.js';
import { expect, openDemo, speak, stateLine, test } from './demo-test.js';
import { long } from './long.js';

/** Number of different colours in a screenshot of an element. */
async function colorsOf(page: Page, target: Locator): Promise<number> {
  const picture = (await target.screenshot()).toString('base64');
  return page.evaluate(async (data) => {
    const image = new Image();
    image.src = `data:image/png;base64,${data}`;
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height);
    const context = canvas.getContext('2d')!;
    context.drawImage(image, 0, 0);
    const { data: bytes } = context.getImageData(0, 0, image.width, image.height);
    return new Set(new Uint32Array(bytes.buffer)).size;
  }, picture);
}

test('the state line shows the same words as the controls', long, async ({ page, demo }) => {
  const { samples: pcm } = noise(3, 5);
  const gateway = await startGateway({
    script: () => [{ wait: 'end' }, { frames: { pcm } }, { close: 4500, reason: 'engine failed' }],
  });
  await openDemo(page, demo);
  await page.route('**/speech/session', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), url: gateway.url } });
  });
  await expect(page.locator('svc-speaker [part=status]'), 'the controls have been loaded').toHaveText('Ready');
  const words = await page.evaluateHandle(async () => {
    const speaker = document.querySelector('svc-speaker')!;
    const notes: Promise<[status: string, line: string]>[] = [];
    const note = async (): Promise<[string, string]> => {
      // By the next frame, both show the current state.
      await new Promise((resolve) => requestAnimationFrame(resolve));
      const status = speaker.shadowRoot!.querySelector('[part=status]')!.textContent.trim();
      return [status, document.querySelector('#state')!.textContent.trim()];
    };
    speaker.addEventListener('statechange', () => notes.push(note()));
    notes.push(note());
    await notes[0];
    return notes;
  });
  await speak(page, 'Ready.');
  await expect(stateLine(page)).toHaveText('Interrupted');
  await page.unroute('**/speech/session');
  await page.route('**/speech/session', (route) => route.fulfill({ status: 402, json: { detail: 'no credits' } }));
  await speak(page, 'Ready.');
  await expect(stateLine(page)).toHaveText('Not spoken');
  await page.unroute('**/speech/session');
  const shown = page.locator('svc-speaker [part=status]');
  await page.getByLabel('Text to speak').fill('');
  await page.locator('svc-speaker [part=toggle]').click();
  for (const line of [shown, stateLine(page)]) await expect(line).toHaveText('Nothing to say');
  await page.getByRole('button', { name: 'One word' }).click();
  for (const line of [shown, stateLine(page)]) await expect(line).toHaveText('Ready');
  const seen = await words.evaluate((notes) => Promise.all(notes));
  expect(seen.map(([status]) => status)).toEqual(
    expect.arrayContaining(['Ready', 'Speaking', 'Interrupted', 'Not spoken', 'Nothing to say']),
  );
  expect(seen.filter(([status, line]) => status !== line)).toEqual([]);
  await gateway.close();
});

test('when playback is blocked, the notice names the button to press', long, async ({ page, demo }) => {
  await openDemo(page, demo);
  await page.locator('svc-speaker').evaluate((speaker) => speaker.dispatchEvent(new Event('blocked')));
  await expect(page.locator('#notice')).toContainText('Press play.');
  await expect(page.getByRole('button', { name: 'Play', exact: true })).toBeVisible();
});

test('forced colours show what is selected, and the marks of the legend', long, async ({ page, demo }) => {
  await page.emulateMedia({ forcedColors: 'active' });
  await openDemo(page, demo);
  for (const name of ['Buffer', 'Transport']) {
    const choices = page.getByRole('radiogroup', { name }).locator('label');
    const looks = await choices.evaluateAll((labels) =>
      labels.map((label) => {
        const { backgroundColor, textDecorationLine } = getComputedStyle(label);
        return `${backgroundColor} ${textDecorationLine}`;
      }),
    );
    expect(new Set(looks).size, `${name}: ${looks.join(', ')}`).toBe(2);
    expect(looks[1], 'neither of the others is selected').toBe(looks[2]);
  }
  expect(await colorsOf(page, page.getByRole('button', { name: 'Speak', exact: true })), 'its text').toBeGreaterThan(4);
  // Shows only the mark of each entry.
  await page.addStyleTag({ content: '.legend li { width: 1.125rem; overflow: hidden; }' });
  for (const mark of await page.locator('.legend li').all()) {
    const name = (await mark.getAttribute('data-mark'))!;
    expect(await colorsOf(page, mark), name).toBeGreaterThan(1);
  }
});

test('demo/themes/ has its choices on one line of a phone', long, async ({ page, demo }) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await page.goto(`${demo.url}demo/themes/`);
  const choices = page.getByRole('radio');
  await expect(choices).toHaveCount(3);
  const tops = await choices.evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().top)));
  expect(new Set(tops).size).toBe(1);
});

test('demo/themes/ shows speakers in both halves of a wide page', long, async ({ page, demo }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto(`${demo.url}demo/themes/`);
  const toggles = page.locator('svc-speaker [part=toggle]');
  await expect(toggles).toHaveCount(4);
  const lefts = await toggles.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().left));
  expect(lefts.map((left) => left > 640)).toEqual([false, true, false, true]);
});

test('demo/llm-stream/ marks whole words as heard', long, async ({ page, demo }) => {
  await page.goto(`${demo.url}demo/llm-stream/`);
  await expect(page.getByRole('button', { name: 'Ask', exact: true })).toBeEnabled();
  const marks = await page.evaluate(async () => {
    const seen: [heard: string, next: string][] = [];
    const ended = new Promise<void>((resolve) => {
      new MutationObserver(() => {
        const mark = document.querySelector('.talk mark');
        if (!mark) return;
        const [heard, all] = [mark.textContent, mark.parentElement!.textContent];
        if (heard && seen.at(-1)?.[0] !== heard) seen.push([heard, all.slice(heard.length, heard.length + 1)]);
        if (seen.length === 8 || !mark.closest('[data-state=active]')) resolve();
      }).observe(document.querySelector('.talk')!, {
        attributes: true,
        childList: true,
        characterData: true,
        subtree: true,
      });
    });
    document.querySelector<HTMLButtonElement>('#ask')!.click();
    await ended;
    return seen;
  });
  expect(marks.length).toBeGreaterThan(0);
  expect(marks.filter(([heard, next]) => /\S$/.test(heard) && /\S/.test(next))).toEqual([]);
});
