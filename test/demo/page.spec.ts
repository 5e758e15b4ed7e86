import type { Page } from '@playwright/test';
import { wavHeader } from '../../src/base/wav-header.js';
import { noise } from '../../src/testing/index.js';
import { expect, openDemo, speak, stateLine, test, untilSaid } from './demo-test.js';
import { PICTURE_SCALE, reportPicture } from './picture.js';
import { long } from './long.js';

const sizes = { phone: { width: 360, height: 740 }, desktop: { width: 1280, height: 800 } } as const;

test.describe('on a phone and a desktop', () => {
  test.use({ deviceScaleFactor: PICTURE_SCALE });

  test('fits, light and dark', long, async ({ page, demo }, info) => {
    /** Asserts that nothing sticks out sideways, at each size and in each colour scheme. */
    const look = async (name: string, fullPage: boolean): Promise<void> => {
      for (const [device, viewport] of Object.entries(sizes)) {
        await page.setViewportSize(viewport);
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme });
          await reportPicture(page, info, `${device}-${colorScheme}${name}`, fullPage);
          // The chart gets its new width in a frame after that of the page.
          const widest = () => page.evaluate(() => document.documentElement.scrollWidth);
          await expect.poll(widest, `${device}, ${colorScheme}`).toBeLessThanOrEqual(viewport.width);
        }
      }
    };
    await openDemo(page, demo);
    await look('-idle', false);
    // Longer than the inspector takes to load.
    await page.getByRole('button', { name: 'A passage' }).click();
    await page.getByRole('button', { name: 'Speak', exact: true }).click();
    await expect(stateLine(page)).toHaveAttribute('data-state', 'playing');
    // Long enough for the inspector's picture to show a shape.
    await page.waitForFunction(() => document.querySelector('svc-speaker')!.currentTime > 1.5);
    const inspector = page.locator('svc-speaker-inspector');
    await expect(inspector, 'it is asked for').toBeHidden();
    await page.getByText('Inspector', { exact: true }).click();
    await expect(inspector.getByRole('slider'), 'it has recorded unseen').toHaveAttribute('aria-valuetext', /pace 1/);
    await look('', true);
  });
});

test('can be used with the keyboard alone', async ({ page, demo }) => {
  await openDemo(page, demo);
  const text = page.getByLabel('Text to speak');
  await text.focus();
  await page.keyboard.press('Control+A');
  await page.keyboard.type('Ready.');
  await page.keyboard.press('Control+Enter');
  await untilSaid(page);

  await text.fill('First the high land, seen from far away. Then the lights, and then the shoals. '.repeat(5));
  await page.keyboard.press('Control+Enter');
  await expect(stateLine(page)).toHaveAttribute('data-state', 'playing');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Stop' })).toBeDisabled();
  await expect(stateLine(page)).toHaveAttribute('data-state', 'idle');
});

test('every control has a name', async ({ page, demo }) => {
  await openDemo(page, demo);

  for (const name of ['Voice', 'Volume', 'Buffer target', 'Text to speak']) {
    await expect(page.getByLabel(name, { exact: true }).first()).toBeVisible();
  }
  await expect(page.getByRole('radiogroup', { name: 'Transport' }).getByRole('radio')).toHaveCount(3);
});

test('the settings reach the element', async ({ page, demo }) => {
  await openDemo(page, demo);
  await page.getByLabel('Voice').selectOption('kal16');
  await setSlider(page, '#volume', '40');
  await setSlider(page, '#target', '300');
  const asked = page.waitForRequest('**/speech/session');

  await speak(page, 'Ready.');

  expect((await asked).postDataJSON()).toMatchObject({ voice_id: 'kal16' });
  const speaker = page.locator('svc-speaker');
  await expect(speaker).toHaveJSProperty('volume', 0.4);
  await expect(speaker).toHaveJSProperty('jitterBufferTarget', 300);
  await untilSaid(page);
});

test('other audio is played: a file that is chosen, one that is dropped, and an address', async ({ page, demo }) => {
  const { samples } = noise(5, 0.3);
  const file = Buffer.concat([wavHeader(24_000, 1, 16, samples.byteLength), Buffer.from(samples.buffer)]);
  await openDemo(page, demo);
  const ended = await page.evaluateHandle(() => {
    const texts: string[] = [];
    document
      .querySelector('svc-speaker')!
      .addEventListener('utteranceend', ({ utterance }) => texts.push(utterance.text));
    return texts;
  });
  const untilEnded = (...texts: string[]) => expect.poll(() => ended.jsonValue()).toEqual(texts);

  await page.getByLabel('File').setInputFiles({ name: 'chosen.wav', mimeType: 'audio/wav', buffer: file });
  await untilEnded('chosen.wav');

  const transfer = await page.evaluateHandle(
    (bytes) => {
      const dropped = new DataTransfer();
      dropped.items.add(new File([new Uint8Array(bytes)], 'dropped.wav', { type: 'audio/wav' }));
      return dropped;
    },
    [...file],
  );
  await page.dispatchEvent('body', 'drop', { dataTransfer: transfer });
  await untilEnded('chosen.wav', 'dropped.wav');

  await page.route(/stream\.wav/, (route) => route.fulfill({ contentType: 'audio/wav', body: file }));
  const address = page.getByLabel('Address');
  await address.fill('/stream.wav?part=1');
  await address.press('Enter');
  await untilEnded('chosen.wav', 'dropped.wav', 'stream.wav');

  await address.fill('http://[');
  await address.press('Enter');
  await expect(page.locator('#notice')).toContainText('is not a URL');
});

test('an error is shown with its remedy until the next attempt', async ({ page, demo }) => {
  await openDemo(page, demo);
  const refuse = { status: 402, json: { detail: 'The account is out of credits: buy some, or use another key.' } };
  await page.route('**/speech/session', (route) => route.fulfill(refuse));
  await speak(page, 'Ready.');

  const notice = page.locator('#notice');
  await expect(notice).toContainText('out of credits');
  await expect(page.getByRole('alert'), 'the element announces it').toContainText('This speech cannot be played.');
  await expect(stateLine(page)).toHaveAttribute('data-state', 'error');
  await expect(page.getByRole('button', { name: 'Stop' })).toBeDisabled();

  await page.unroute('**/speech/session');
  await page.getByRole('button', { name: 'Speak', exact: true }).click();
  await untilSaid(page);
  await expect(notice).toBeHidden();
});

/** Moves a slider like a user: sets the value, then dispatches the event. */
async function setSlider(page: Page, selector: string, value: string): Promise<void> {
  await page.locator(selector).evaluate((slider: HTMLInputElement, to) => {
    slider.value = to;
    slider.dispatchEvent(new Event('input', { bubbles: true }));
  }, value);
}
