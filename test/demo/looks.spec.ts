import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import type * as Axe from 'axe-core';
import { expect, noise, startGateway, test, type Gateway, type GatewayStep } from '../../src/testing/index.js';
import arabic from '../../src/messages/ar.js';
import german from '../../src/messages/de.js';
import english from '../../src/messages/en.js';
import spanish from '../../src/messages/es.js';
import french from '../../src/messages/fr.js';
import japanese from '../../src/messages/ja.js';
import { setHost } from './host.js';
import { docsPicture, PICTURE_SCALE, reportPicture } from './picture.js';
import { long } from './long.js';

const host = setHost();
let gateway: Gateway;

test.beforeAll(async () => {
  gateway = await startGateway({ script: (_, url) => cases[url.searchParams.get('id')!]?.script ?? [] });
});
test.afterAll(() => gateway.close());

const CAPTION =
  'The tide turns twice a day, and nobody has to ask it. Then the boats lie on the sand until it is back.';
const LONG_CAPTION = `${CAPTION} ${CAPTION} ${CAPTION}`;
const LONG_ERROR =
  'The backend at https://speech.example.test/a/rather/long/path/that/does/not/break answered with status 503: there is no capacity left, try again in a while.';
/** Longer than a busy machine takes for all pictures. */
const speech = { pcm: babble(60) };

/** Sounds like speech: noise with the rhythm of syllables and pauses. */
function babble(seconds: number): Int16Array {
  const { samples, sampleRate } = noise(3, seconds);
  return samples.map((sample, index) => {
    const time = index / sampleRate;
    const syllable = Math.abs(Math.sin(Math.PI * 4.3 * time + Math.sin(2.6 * time)));
    const phrase = Math.max(0, 0.7 + 0.55 * Math.sin(2.9 * time));
    return 0.6 * sample * Math.min(1, syllable ** 1.5 * phrase);
  });
}

/** Times of the words of a text, each as long as the others. */
function evenWords(text: string, seconds: number): object[] {
  return Array.from(text.matchAll(/\S+/g), ({ 0: word, index }, number) => ({
    from: index,
    to: index + word.length,
    start: number * seconds,
    end: (number + 1) * seconds,
  }));
}

/** How to reach each state: the call to the speaker, and the script of the service. */
const cases: Record<string, { status: string; attributes?: string; act?: string; script?: readonly GatewayStep[] }> = {
  blocked: { status: 'Press play', act: `speak(${JSON.stringify(CAPTION)})`, script: [] },
  'nothing to say': { status: 'Nothing to say' },
  ready: { status: 'Ready', script: [] },
  'ready, with text': { status: 'Ready', attributes: `text="${CAPTION}"`, script: [] },
  connecting: { status: 'Connecting…', act: `speak(${JSON.stringify(CAPTION)})` },
  buffering: {
    status: 'Buffering…',
    act: `speak(${JSON.stringify(CAPTION)})`,
    script: [{ wait: 'end' }, { frames: { pcm: babble(1.2) } }, { stall: 600_000 }, { frames: speech }],
  },
  speaking: {
    status: 'Speaking',
    act: `speak(${JSON.stringify(LONG_CAPTION)})`,
    script: [{ wait: 'end' }, { frames: speech }, { done: true }],
  },
  'speaking, with words': {
    status: 'Speaking',
    act: `speak(${JSON.stringify(CAPTION)})`,
    script: [
      { wait: 'end' },
      { json: { type: 'timings', context_id: 'turn-1', words: evenWords(CAPTION, 0.3) } },
      { frames: speech },
      { done: true },
    ],
  },
  'speaking, little buffered': {
    status: 'Speaking',
    act: "speak('Hello.')",
    script: [{ wait: 'end' }, { frames: { ...speech, pace: 'realtime' } }, { done: true }],
  },
  paused: {
    status: 'Paused',
    act: `speak(${JSON.stringify(CAPTION)})`,
    script: [{ wait: 'end' }, { frames: { pcm: babble(30) } }, { done: true }],
  },
  'out of credits': {
    status: 'Not spoken',
    act: `speak(${JSON.stringify(CAPTION)})`,
    script: [{ wait: 'end' }, { close: 4402, reason: 'no credits left' }],
  },
  interrupted: {
    status: 'Interrupted',
    act: `speak(${JSON.stringify(CAPTION)})`,
    script: [{ wait: 'end' }, { frames: { pcm: babble(1.2) } }, { close: 4500, reason: 'engine failed' }],
  },
  'a long error': { status: 'Not spoken', act: "speak('Hello.')" },
};

const urlOf = (name: string): string => `${gateway.url}?id=${name}`;

/** HTML of a page with a speaker in each state. All but the blocked one start at the first click. */
function pageOfStates(): string {
  const speakers = Object.entries(cases).map(([name, { attributes = '' }]) => {
    return `<figure><figcaption>${name}</figcaption><svc-speaker controls id="${name}" ${attributes}></svc-speaker></figure>`;
  });
  const plan = Object.entries(cases).map(([name, { act, script }]) => {
    return { name, act: act ?? null, url: script ? urlOf(name) : null };
  });
  return `<!doctype html>
    <html lang="en">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>States</title>
    <style>
      :root { color-scheme: light dark; }
      body { margin: 1rem; font: 0.8125rem system-ui, sans-serif; background: light-dark(#fff, #101514); }
      main { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 20rem), 1fr)); gap: 1.25rem; align-items: start; }
      figure { margin: 0; }
      figcaption { margin-bottom: 0.375rem; }
      svc-speaker { width: 100%; }
    </style>
    <main>${speakers.join('')}</main>
    <script type="module">
      import '/element.js';
      const begin = ({ name, act, url }) => {
        const speaker = document.getElementById(name);
        if (!url && !act) return;
        if (name === 'a long error') speaker.messages = { loadError: ${JSON.stringify(LONG_ERROR)} };
        speaker.sessionProvider = () => {
          if (name === 'a long error') return Promise.reject(new Error('For developers.'));
          return url ? Promise.resolve(url) : new Promise(() => {});
        };
        if (name === 'paused') speaker.addEventListener('timeupdate', () => speaker.currentTime > 1.4 && speaker.pause());
        if (act) new Function('speaker', 'speaker.' + act)(speaker);
      };
      const [blocked, ...others] = ${JSON.stringify(plan)};
      begin(blocked);
      addEventListener('click', () => others.forEach(begin), { once: true });
    </script>`;
}

test(
  'every state fits its content: light, dark, forced colours, right to left, and on a narrow page',
  long,
  async ({ page }, info) => {
    host.server.page = { html: pageOfStates() };
    await page.setViewportSize({ width: 1100, height: 700 });
    await page.goto(`http://127.0.0.1:${host.server.port}/`);
    await expect(page.locator('[id="blocked"] [part=status]')).toHaveText('Press play');
    await page.locator('figcaption').first().click();
    // Within the page, because asking a busy page often makes it busier. A state may end before another one begins.
    await page.waitForFunction(
      (missing) => {
        for (const [name, status] of missing) {
          const { shadowRoot } = document.getElementById(name)!;
          if (shadowRoot!.querySelector('[part=status]')!.textContent.trim() === status) missing.delete(name);
        }
        return missing.size === 0;
      },
      await page.evaluateHandle(
        (statuses) => new Map(statuses),
        Object.entries(cases).map(([name, { status }]) => [name, status] as const),
      ),
    );
    await page.waitForFunction(() => document.querySelector<HTMLMediaElement>('#speaking')!.currentTime > 2.2);
    await reportPicture(page, info, 'light');
    await page.emulateMedia({ colorScheme: 'dark' });
    await reportPicture(page, info, 'dark');
    await page.emulateMedia({ colorScheme: 'light', forcedColors: 'active' });
    await reportPicture(page, info, 'forced colours');
    await page.emulateMedia({ colorScheme: 'light', forcedColors: 'none' });
    await page.evaluate(() => (document.documentElement.dir = 'rtl'));
    expect(await overflows(page)).toEqual([]);
    await reportPicture(page, info, 'right to left');
    await page.evaluate(() => (document.documentElement.dir = 'ltr'));
    await page.setViewportSize({ width: 320, height: 700 });
    expect(await overflows(page)).toEqual([]);
    await reportPicture(page, info, '320 pixels');
  },
);

/** The controls in each language: paused, and after an error with the longest sentence. */
function pageOfLanguages(): string {
  const languages = [english, german, french, spanish, japanese, arabic];
  const figures = languages.map(({ lang }) => {
    const direction = lang === 'ar' ? 'rtl' : 'ltr';
    const speakers = ['paused', 'error'].map((name) => `<svc-speaker controls class="${name}"></svc-speaker>`);
    return `<figure lang="${lang}" dir="${direction}"><figcaption>${lang}</figcaption>${speakers.join('')}</figure>`;
  });
  return `<!doctype html>
    <html lang="en">
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Languages</title>
    <style>
      body { max-width: 44rem; margin: 0 auto; padding: 0.75rem; font-family: system-ui, sans-serif; }
      figure { display: flex; flex-wrap: wrap; gap: 1rem; margin: 0 0 1rem; }
      figcaption { width: 100%; }
    </style>
    ${figures.join('')}
    <script type="module">
      import '/element.js';
      const languages = ${JSON.stringify(languages)};
      for (const speaker of document.querySelectorAll('svc-speaker')) {
        const messages = languages.find(({ lang }) => lang === speaker.parentElement.lang);
        // The longest sentence about an error, whatever the error.
        const errors = Object.entries(messages).filter(([name]) => name.endsWith('Error'));
        const loadError = errors.map(([, text]) => text).sort((one, other) => other.length - one.length)[0];
        speaker.messages = { ...messages, loadError };
        const isError = speaker.className === 'error';
        speaker.sessionProvider = () =>
          isError ? Promise.reject(new Error('For developers.')) : Promise.resolve(${JSON.stringify(urlOf('paused'))});
        speaker.addEventListener('timeupdate', () => speaker.currentTime > 1 && speaker.pause());
      }
      addEventListener('click', () => {
        for (const speaker of document.querySelectorAll('svc-speaker')) speaker.speak(speaker.messages.unplayableError).finished.catch(() => {});
      }, { once: true });
    </script>`;
}

test('every language fits, in its direction, at any width', long, async ({ page }, info) => {
  host.server.page = { html: pageOfLanguages() };
  await page.setViewportSize({ width: 760, height: 700 });
  await page.goto(`http://127.0.0.1:${host.server.port}/`);
  await page.locator('figcaption').first().click();
  await page.waitForFunction(() =>
    [...document.querySelectorAll('svc-speaker')].every(
      ({ className, state, duration }) => state === className && (state === 'error' || Number.isFinite(duration)),
    ),
  );
  expect(await accessibilityProblems(page)).toEqual([]);
  for (const width of [760, 320]) {
    await page.setViewportSize({ width, height: 700 });
    expect(await overflows(page), `${width} pixels`).toEqual([]);
    await reportPicture(page, info, `languages, ${width} pixels`);
  }
});

const THEMES = ['card', 'paper', 'pill'] as const;
/** The themes, and the controls without a theme. */
const LOOKS = ['plain', ...THEMES] as const;
const themesFolder = new URL('../../docs/themes/', import.meta.url);

/** HTML of a page with each look twice, in light and in dark, and nothing else. */
function pageOfThemes(): string {
  const styles = THEMES.map((name) => readFileSync(new URL(`${name}.css`, themesFolder), 'utf8')).join('');
  const src = urlOf('speaking, with words');
  const figures = LOOKS.map((name) => {
    const speaker = `<svc-speaker class="${name}" controls text="${CAPTION}"></svc-speaker>`;
    return `<figure id="${name}"><div>${speaker}</div><div class="dark">${speaker}</div></figure>`;
  });
  return `<!doctype html>
    <html lang="en">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Themes</title>
    <style>
      ${styles}
      body { margin: 0; }
      figure { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 26rem), 1fr)); max-width: 60rem; margin: 0; }
      div { display: grid; grid-template-columns: minmax(0, 1fr); place-items: center; padding: 1.75rem 1rem; background: #faf9f7; }
      .dark { color-scheme: dark; background: #111214; }
    </style>
    ${figures.join('')}
    <script type="module">
      import '/element.js';
      const speakers = [...document.querySelectorAll('svc-speaker')];
      for (const speaker of speakers) speaker.sessionProvider = () => Promise.resolve(${JSON.stringify(src)});
      addEventListener('click', () => speakers.forEach((speaker) => speaker.play()));
    </script>`;
}

/** Lists the visible parts that lie outside their speaker, and the speakers that are wider than the page. */
const overflows = (page: Page): Promise<string[]> =>
  page.locator('svc-speaker').evaluateAll((speakers) => {
    const inside = (inner: DOMRect, outer: DOMRect): boolean =>
      inner.left >= outer.left - 0.5 &&
      inner.right <= outer.right + 0.5 &&
      inner.top >= outer.top - 0.5 &&
      inner.bottom <= outer.bottom + 0.5;
    return speakers.flatMap((speaker) => {
      const box = speaker.getBoundingClientRect();
      const parts = [...speaker.shadowRoot!.querySelectorAll('[part]')].filter((part) => part.getClientRects().length);
      const out = parts.filter((part) => !inside(part.getBoundingClientRect(), box));
      const wide = box.right > document.documentElement.clientWidth ? ['the page'] : [];
      return [...out.map((part) => part.getAttribute('part')!), ...wide].map(
        (what) => `${speaker.id || speaker.className}: ${what}`,
      );
    });
  });

/** Returns the problems that axe finds in the speakers of a page, one line each. */
async function accessibilityProblems(page: Page): Promise<string[]> {
  await page.addScriptTag({ path: fileURLToPath(new URL('../node_modules/axe-core/axe.min.js', import.meta.url)) });
  return page.evaluate(async () => {
    const { violations } = await (window as unknown as { axe: typeof Axe }).axe.run({ include: ['svc-speaker'] });
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
  });
}

test.describe('themes', () => {
  test.use({ deviceScaleFactor: PICTURE_SCALE });

  test('three themes fit their content, light and dark, wide and narrow', long, async ({ page }, info) => {
    host.server.page = { html: pageOfThemes() };
    await page.setViewportSize({ width: 960, height: 700 });
    await page.goto(`http://127.0.0.1:${host.server.port}/`);
    await page
      .locator('figure')
      .first()
      .click({ position: { x: 4, y: 4 } });
    await page.waitForFunction(() => {
      return [...document.querySelectorAll<HTMLMediaElement>('svc-speaker')].every(
        ({ currentTime }) => currentTime > 1.9,
      );
    });
    for (const name of LOOKS) await docsPicture(page.locator(`#${name}`), `themes/${name}.png`);
    expect(await overflows(page)).toEqual([]);
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.setViewportSize({ width: 320, height: 700 });
    expect(await overflows(page)).toEqual([]);
    await reportPicture(page, info, 'themes, 320 pixels');
  });
});
