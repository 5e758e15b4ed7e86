import type { Page } from '@playwright/test';
import { resampled } from '../../../src/testing/analysis.js';
import { countLeft, expect, joined, noise, record, test, tone } from '../../../src/testing/index.js';
import { encodeWav } from '../../../src/testing/wav.js';
import type { Sound } from '../../../src/testing/sound.js';
import { type ElementServer, startElementServer } from '../element-server.js';
import { long } from '../long.js';

declare global {
  interface Window {
    /** Ways to remove the speaker from the page. */
    remove: (() => void)[];
    restore(): void;
  }
}

const RATE = 48_000;
test.use({ contextSampleRate: RATE });

let server: Promise<ElementServer> | undefined;
test.afterAll(async () => {
  const last = server;
  // Playwright may return to this file.
  server = undefined;
  (await last)?.close();
});

/** Opens a page with a button and a script, which handles its clicks. */
async function run(page: Page, script: string): Promise<void> {
  server ??= startElementServer();
  const started = await server;
  started.page = {
    html: `<!doctype html><title>Plays</title><button>Play</button><script type="module">${script}</script>`,
  };
  await page.goto(`http://127.0.0.1:${started.port}/`);
}

const SENT = joined(noise(5, 0.6), tone(440, 0.6));

/** Returns a script that stores `sound`, at the sample rate of the context, in `samples`. */
function storing(sound: Sound): string {
  const samples = [...resampled(sound, RATE)].map((sample) => Number(sample.toFixed(6)));
  return `const samples = Float32Array.from(${JSON.stringify(samples)});`;
}

const RAMPED = `for (let i = 0; i < 200; i++) {
  const gain = Math.sin((Math.PI * i) / 400) ** 2;
  samples[i] *= gain;
  samples[samples.length - 1 - i] *= gain;
}`;

test('hears a player that connects every buffer to the destination', long, async ({ page }) => {
  // 2400 buffers of 5 ms, scheduled 6 s ahead: too many for a recorder that adds a node for each.
  const sent = joined(noise(5, 11.4), tone(440, 0.6));
  await run(
    page,
    `${storing(sent)} ${RAMPED}
    document.querySelector('button').onclick = () => {
      const context = new AudioContext();
      const first = Math.round((context.currentTime + 1) * ${RATE});
      let from = 0;
      const schedule = () => {
        if (from === samples.length) return;
        const buffer = context.createBuffer(1, 240, ${RATE});
        buffer.copyToChannel(samples.subarray(from, from + 240), 0);
        const source = new AudioBufferSourceNode(context, { buffer });
        source.connect(context.destination);
        source.start((first + from) / ${RATE});
        source.onended = schedule;
        from += 240;
      };
      while (from < 6 * ${RATE}) schedule();
    };`,
  );
  const recording = await record(page, { sent: () => sent });
  await page.getByRole('button').click();
  await expect(recording).toHavePlayed({ seconds: 12 });
  await expect(recording).toHaveNoGaps();
  await expect(recording).toHaveNoClicks();
  await expect(recording).toMatchAudio(sent, { snr: 60 });
});

test('records both channels, and finds one that is inverted', async ({ page }) => {
  await run(
    page,
    `${storing(SENT)} ${RAMPED}
    document.querySelector('button').onclick = () => {
      const context = new AudioContext();
      const buffer = context.createBuffer(2, samples.length, ${RATE});
      buffer.copyToChannel(samples, 0);
      buffer.copyToChannel(samples.map((sample) => -sample), 1);
      const source = new AudioBufferSourceNode(context, { buffer });
      source.connect(context.createGain()).connect(context.destination);
      source.start(context.currentTime + 0.3);
    };`,
  );
  const recording = await record(page, { sent: () => SENT });
  await page.getByRole('button').click();
  await expect(recording).toHavePlayed({ seconds: 1.2 });
  const { channels } = await recording.read();
  expect(channels).toHaveLength(2);
  await expect(expect(recording).toMatchAudio(SENT)).rejects.toThrow('the right channel is inverted');
});

test('hears an <audio> element', async ({ page }) => {
  const file = encodeWav(resampled(SENT, RATE), RATE).toString('base64');
  await run(
    page,
    `const audio = new Audio('data:audio/wav;base64,${file}');
    document.querySelector('button').onclick = () => audio.play();`,
  );
  const recording = await record(page);
  await page.getByRole('button').click();
  // A busy browser drops some of the audio from captureStream(): 0.107 s in one run.
  await expect(recording).toHavePlayed({ seconds: 1.2, tolerance: 0.5 });
  expect(await countLeft(page)).toEqual({ contexts: 0, workers: 0 });
});

test('reports that an <audio> element cannot be recorded if the browser has no captureStream()', async ({ page }) => {
  const file = encodeWav(resampled(SENT, RATE), RATE).toString('base64');
  await run(
    page,
    `delete HTMLMediaElement.prototype.captureStream;
    const audio = new Audio('data:audio/wav;base64,${file}');
    audio.onplaying = () => document.body.append('playing');
    document.querySelector('button').onclick = () => audio.play();`,
  );
  const recording = await record(page);
  await page.getByRole('button').click();
  await expect(page.getByText('playing')).toBeVisible();
  await expect(recording.read()).rejects.toThrow(/plays with <audio>, .* no captureStream\(\)/);
});

const SPEAKS = `import '/element.js';
  const speaker = Object.assign(document.createElement('svc-speaker'), { sessionEndpoint: '/speech/session', text: 'Hello.' });
  speaker.jitterBuffer = 'fixed';
  speaker.jitterBufferTarget = 4000;
  const holder = document.body.appendChild(document.createElement('div'));
  holder.append(speaker);`;

test('hears what goes through the destination of a speaker', long, async ({ page, gateway }) => {
  gateway.reply({ audio: SENT });
  await run(
    page,
    `${SPEAKS}
    document.querySelector('button').onclick = () => {
      const context = new AudioContext();
      const stream = context.createMediaStreamDestination();
      speaker.destination = stream;
      document.body.append(Object.assign(new Audio(), { srcObject: stream.stream, autoplay: true }));
      void speaker.play();
    };`,
  );
  const recording = await gateway.record(page.locator('svc-speaker'));
  await page.getByRole('button').click();
  await expect(recording).toHavePlayed({ seconds: 1.2 });
  await expect(recording).toMatchAudio(SENT, { snr: 80 });
});

test('marks a removal, in whatever way it is done', long, async ({ page, gateway }) => {
  gateway.reply({ audio: tone(440, 5) });
  await run(
    page,
    `${SPEAKS}
    document.querySelector('button').onclick = () => speaker.play();
    globalThis.remove = [
      () => holder.removeChild(speaker),
      () => { holder.innerHTML = ''; },
      () => speaker.replaceWith('gone'),
      () => holder.remove(),
    ];
    globalThis.restore = () => document.body.appendChild(holder).append(speaker);`,
  );
  const recording = await gateway.record(page.locator('svc-speaker'));
  await page.getByRole('button').click();
  await page.waitForFunction(() => document.querySelector('svc-speaker')!.currentTime > 0.2);
  const removals = async () => (await recording.read()).marks.filter(({ name }) => name === 'remove').length;
  const act = (index: number) => page.evaluate((way) => window.remove[way]!(), index);
  await act(0);
  await expect(recording).toBeSilentWithin(100);
  expect(await removals()).toBe(1);
  for (const way of [1, 2, 3]) {
    await page.evaluate(() => window.restore());
    await act(way);
    expect(await removals(), `way ${way}`).toBe(way + 1);
  }
});

test('does not mark a move within the page as a removal', long, async ({ page, gateway }) => {
  await run(page, `${SPEAKS} document.querySelector('button').onclick = () => document.body.prepend(speaker);`);
  const recording = await gateway.record(page);
  await page.getByRole('button').click();
  const { marks } = await recording.read();
  expect(marks.map(({ name }) => name)).toEqual(['click']);
});

test('does not count a pause by the user as a gap', long, async ({ page, gateway }) => {
  gateway.reply({ audio: tone(440, 1.5) });
  await run(
    page,
    `${SPEAKS} document.querySelector('button').onclick = () => speaker.paused ? speaker.play() : speaker.pause();`,
  );
  const recording = await gateway.record(page.locator('svc-speaker'));
  const button = page.getByRole('button');
  await button.click();
  await page.waitForFunction(() => document.querySelector('svc-speaker')!.currentTime > 0.3);
  await button.click();
  await page.waitForTimeout(500);
  await button.click();
  await page.waitForFunction(() => document.querySelector('svc-speaker')!.ended);
  await expect(recording).toHaveNoGaps();
});

test('counts shared workers until their port is closed', long, async ({ page }) => {
  await run(
    page,
    `document.querySelector('button').onclick = () => { globalThis.shared = new SharedWorker('/worker.js'); };`,
  );
  await page.getByRole('button').click();
  expect(await countLeft(page)).toEqual({ contexts: 0, workers: 1 });
  await page.evaluate(() => (globalThis as unknown as { shared: SharedWorker }).shared.port.close());
  expect(await countLeft(page)).toEqual({ contexts: 0, workers: 0 });
});
