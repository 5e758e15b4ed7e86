import type { Page } from '@playwright/test';
import { expect, record, test } from '../../src/testing/index.js';
import { pcmOf, scriptUrl, speaking, type FramesSpec } from '../../src/testing/script.js';
import { setHost } from './host.js';
import { long } from './long.js';

/** Noise, in which a missing beginning is easy to detect. */
const frames: FramesSpec = { noise: 5, seconds: 1 };

declare global {
  interface Window {
    /** Events on the page, in order. */
    story: string[];
  }
}

/**
 * Returns a page that speaks by itself when it is loaded. Its own script starts the speech, because code that
 * Playwright evaluates in a page may count as a user gesture.
 */
function pageOf(attributes: string, src: string, act: string): string {
  return `<!doctype html>
    <title>Speaks by itself</title>
    <p>A page to click on.</p>
    <svc-speaker jitter-buffer="fixed" jitter-buffer-target="4000" ${attributes} text="Hello."></svc-speaker>
    <script type="module">
      import '/element.js';
      const speaker = document.querySelector('svc-speaker');
      speaker.sessionProvider = async () => ${JSON.stringify(src)};
      const story = (window.story = []);
      for (const type of ['play', 'waiting', 'pause', 'blocked', 'playing', 'utterancestart', 'ended', 'error']) {
        speaker.addEventListener(type, () => story.push(type));
      }
      const later = () => {
        story.push('a second later');
        console.log('a second later');
      };
      speaker.addEventListener('blocked', () => setTimeout(later, 1000), { once: true });
      ${act}
    </script>`;
}

const PLAY = "speaker.play().then(() => story.push('resolved'), ({ name }) => story.push(name));";
const SPEAK = "speaker.speak('Hello.').finished.then(() => story.push('finished'), ({ name }) => story.push(name));";

test.use({ recordFromStart: true });

const host = setHost();

/** Opens the page and waits until one second after the browser has refused to play. */
async function open(page: Page, attributes: string, act: string): Promise<void> {
  host.server.page = { html: pageOf(attributes, scriptUrl(host.gateway.url, speaking(frames)), act) };
  // Waits for an event, because code that is evaluated in the page could count as a gesture.
  const later = page.waitForEvent('console', (message) => message.text() === 'a second later');
  await page.goto(`http://127.0.0.1:${host.server.port}/`);
  await later;
}

const storyOf = (page: Page): Promise<string[]> => page.evaluate(() => window.story);

/** Asserts that the page has played everything from the first sample on. */
async function expectAllHeard(page: Page): Promise<void> {
  const recording = await record(page);
  await expect(recording).toMatchAudio({ samples: pcmOf(frames), sampleRate: 24000 }, { snr: 80 });
}

test('play() without a gesture is refused soon, and a click on the controls plays from the first sample', async ({
  page,
}) => {
  await open(page, 'controls', PLAY);
  expect(await storyOf(page)).toEqual(['play', 'waiting', 'pause', 'blocked', 'NotAllowedError', 'a second later']);
  expect(host.gateway.connections).toHaveLength(0);
  await expect(page.getByText('Press play')).toBeVisible();

  await page.getByRole('button', { name: 'Play' }).click();
  await page.waitForFunction(() => window.story.includes('ended'));
  expect((await storyOf(page)).slice(6)).toEqual(['play', 'waiting', 'playing', 'utterancestart', 'pause', 'ended']);
  await expectAllHeard(page);
});

test('speak() without a gesture waits for one anywhere, and then speaks the whole text', async ({ page }) => {
  await open(page, '', SPEAK);
  expect(await storyOf(page)).toEqual(['play', 'waiting', 'pause', 'blocked', 'a second later']);

  await page.getByText('A page to click on.').click();
  await page.waitForFunction(() => window.story.includes('ended'));
  const after = (await storyOf(page)).slice(5);
  expect(after).toEqual(['play', 'waiting', 'playing', 'utterancestart', 'finished', 'pause', 'ended']);
  await expectAllHeard(page);
});

test('speak() without a gesture waits for the button where there is one', long, async ({ page }) => {
  await open(page, 'controls', SPEAK);
  await page.getByText('A page to click on.').click();
  await page.getByRole('button', { name: 'Play' }).click();
  await page.waitForFunction(() => window.story.includes('finished'));
  const after = (await storyOf(page)).slice(5);
  expect(after.slice(0, 2)).toEqual(['play', 'waiting']);
  await expectAllHeard(page);
});

test('autoplay without a gesture is refused without an error', long, async ({ page }) => {
  await open(page, 'autoplay controls', '');
  expect(await storyOf(page)).toEqual(['play', 'waiting', 'pause', 'blocked', 'a second later']);
  await page.getByRole('button', { name: 'Play' }).press('Enter');
  await page.waitForFunction(() => window.story.includes('ended'));
  await expectAllHeard(page);
});

test('a button to which the pointer comes has its output made in silence, and speaks when it is clicked', async ({
  page,
}) => {
  const act = `
    speaker.prepare = 'p';
    document.querySelector('p').addEventListener('click', () => { ${SPEAK} });
    globalThis.AudioContext = class extends AudioContext {
      constructor(options) {
        super(options);
        console.log('made ' + this.state);
      }
    };`;
  host.server.page = { html: pageOf('', scriptUrl(host.gateway.url, speaking(frames)), act) };
  const before = host.gateway.connections.length;
  const messages: string[] = [];
  page.on('console', (message) => messages.push(message.text()));
  await page.goto(`http://127.0.0.1:${host.server.port}/`);
  // Until the player is loaded, which happens in idle time, there is nothing with which to make it.
  while (messages.length === 0) {
    await page.mouse.move(300, 300);
    await page.mouse.move(20, 20);
  }
  expect(messages, 'with no warning of the browser').toEqual(['made suspended']);
  expect(host.gateway.connections).toHaveLength(before);

  await page.mouse.click(20, 20);
  await page.waitForFunction(() => window.story.includes('ended'));
  expect(await storyOf(page)).toEqual(['play', 'waiting', 'playing', 'utterancestart', 'finished', 'pause', 'ended']);
  expect(messages).toHaveLength(1);
  await expectAllHeard(page);
});
