/**
 * Measures when `word` is dispatched, beside the sound of the word: `npm run words --prefix bench`. Each word is a click;
 * a worklet finds the clicks in the output, and the browser says which sound is heard at the time of an event
 * (`AudioContext.getOutputTimestamp()`, which the player does not use). Prints the error in ms, and how many words were
 * missed, twice, or out of order. For comparison, a page that compares `currentTime` of an `<audio>` in each frame.
 */
import { chromium, type Browser } from 'playwright';
import { ensureBrowser } from '../../scripts/browser.mjs';
import { startElementServer } from '../../test/demo/element-server.js';
import { startGateway } from '../../src/testing/gateway.js';
import { Random } from '../../src/testing/random.js';
import { type GatewayStep, scriptUrl } from '../../src/testing/script.js';
import { quantile, rounded } from '../timing.js';

const WORDS = 60;
const CLICK_SECONDS = 0.02;
const ISOLATION = { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' };
const RESULT_PREFIX = 'result ';

const random = new Random(1);
const gaps = Array.from({ length: WORDS }, () => Number(random.uniform(0.12, 0.4).toFixed(2)));
const starts = gaps.map(
  (_, index) => gaps.slice(0, index + 1).reduce((sum, gap) => sum + gap, 0) + index * CLICK_SECONDS,
);
const text = gaps.map((_, index) => `w${index}`).join(' ');
const words = Array.from(text.matchAll(/\S+/g), ({ 0: word, index }, number) => ({
  from: index,
  to: index + word.length,
  start: starts[number]!,
  end: starts[number]! + CLICK_SECONDS,
}));
const audio: GatewayStep[] = gaps.flatMap((seconds): GatewayStep[] => [
  { frames: { tone: 0, seconds } },
  { frames: { tone: 1000, seconds: CLICK_SECONDS } },
]);
const steps: GatewayStep[] = [
  { wait: 'end' },
  { json: { type: 'timings', context_id: 'turn-1', words } },
  ...audio,
  { frames: { tone: 0, seconds: 0.5 } },
  { done: true },
];
const stalls: GatewayStep[] = [{ network: 'stalls', seed: 1 }, ...steps];

/** Page code that the cases share: a recorder of clicks, and the time of the sound that is heard. */
const COMMON = `
  const context = new AudioContext({ sampleRate: 48000 });
  await context.audioWorklet.addModule(URL.createObjectURL(new Blob([\`
    registerProcessor('clicks', class extends AudioWorkletProcessor {
      quiet = 0;
      process([[samples = new Float32Array(128)]]) {
        for (const [index, sample] of samples.entries()) {
          if (Math.abs(sample) < 0.1) this.quiet++;
          else {
            if (this.quiet > 1000) this.port.postMessage((currentFrame + index) / sampleRate);
            this.quiet = 0;
          }
        }
        return true;
      }
    });\`], { type: 'text/javascript' })));
  const recorder = new AudioWorkletNode(context, 'clicks', { numberOfOutputs: 0 });
  const clicks = [];
  recorder.port.onmessage = ({ data }) => clicks.push(data);
  const heardNow = () => {
    const { contextTime, performanceTime } = context.getOutputTimestamp();
    return contextTime + (performance.now() - performanceTime) / 1000;
  };
  const events = [];`;

const server = await startElementServer();
const gateway = await startGateway();
const browser = await chromium.launch({
  executablePath: await ensureBrowser({ whole: true }),
  ignoreDefaultArgs: ['--mute-audio'],
  args: ['--no-sandbox', '--autoplay-policy=no-user-gesture-required'],
});

const rows: Record<string, unknown>[] = [];
for (const transport of ['shared', 'message'] as const) {
  for (const rate of [0.5, 1, 1.5, 2]) rows.push(await measurePlayer(transport, `rate ${rate}`, steps, { rate }));
  rows.push(await measurePlayer(transport, 'stalls of the network', stalls, {}));
  rows.push(await measurePlayer(transport, 'page blocked for 200 ms', steps, { blockMs: 200 }));
}
for (const rate of [1, 2]) rows.push(await measureAudio(rate));
console.table(rows);
await browser.close();
server.close();
await gateway.close();

async function measurePlayer(
  transport: 'shared' | 'message',
  what: string,
  script: readonly GatewayStep[],
  { rate = 1, blockMs = 0 }: { rate?: number; blockMs?: number },
): Promise<Record<string, unknown>> {
  const url = scriptUrl(gateway.url, script, { timings: 'words' });
  const act = `${COMMON}
    speaker.transport = '${transport}';
    speaker.audioContext = context;
    speaker.playbackRate = ${rate};
    speaker.preservesPitch = false;
    speaker.sessionProvider = async () => ${JSON.stringify(url)};
    speaker.addEventListener('word', ({ word }) => events.push([Number(word.text.slice(1)), heardNow()]));
    const { started, finished } = speaker.speak(${JSON.stringify(text)});
    started.then(() => speaker.outputNode.connect(recorder));
    const blocking = ${blockMs} > 0 && setInterval(() => {
      const end = performance.now() + ${blockMs};
      while (performance.now() < end);
    }, 700);
    await finished;
    clearInterval(blocking);
    return { clicks, events };`;
  return { player: `svc-speaker, ${transport}`, what, ...errorsOf(await run(browser, act, transport === 'shared')) };
}

async function measureAudio(rate: number): Promise<Record<string, unknown>> {
  const act = `${COMMON}
    const seconds = ${starts.at(-1)! + 1};
    const samples = new Int16Array(seconds * 24000);
    for (const start of ${JSON.stringify(starts)}) {
      for (let at = 0; at < ${CLICK_SECONDS} * 24000; at++) {
        samples[Math.round(start * 24000) + at] = 16000 * Math.sin((2 * Math.PI * 1000 * at) / 24000);
      }
    }
    const header = new DataView(new ArrayBuffer(44));
    const letters = (at, word) => [...word].forEach((one, index) => header.setUint8(at + index, one.charCodeAt(0)));
    letters(0, 'RIFF'); header.setUint32(4, 36 + samples.byteLength, true); letters(8, 'WAVEfmt ');
    header.setUint32(16, 16, true); header.setUint16(20, 1, true); header.setUint16(22, 1, true);
    header.setUint32(24, 24000, true); header.setUint32(28, 48000, true); header.setUint16(32, 2, true);
    header.setUint16(34, 16, true); letters(36, 'data'); header.setUint32(40, samples.byteLength, true);
    const audio = new Audio(URL.createObjectURL(new Blob([header, samples], { type: 'audio/wav' })));
    audio.playbackRate = ${rate};
    audio.preservesPitch = false;
    const source = context.createMediaElementSource(audio);
    source.connect(recorder);
    source.connect(context.destination);
    const starts = ${JSON.stringify(starts)};
    const look = () => {
      while (events.length < starts.length && starts[events.length] <= audio.currentTime) events.push([events.length, heardNow()]);
      if (!audio.ended) requestAnimationFrame(look);
    };
    await audio.play();
    look();
    await new Promise((resolve) => (audio.onended = resolve));
    return { clicks, events };`;
  return { player: '<audio>, each frame', what: `rate ${rate}`, ...errorsOf(await run(browser, act, true)) };
}

interface Found {
  readonly clicks: readonly number[];
  readonly events: readonly (readonly [word: number, heardAt: number])[];
}

/** The recorder is connected with the first sound, so it finds the last clicks of the speech, or all. */
function errorsOf({ clicks, events }: Found): Record<string, unknown> {
  const first = WORDS - clicks.length;
  const errors = events
    .filter(([word]) => word >= first)
    .map(([word, heardAt]) => (heardAt - clicks[word - first]!) * 1000);
  const order = events.map(([word]) => word);
  return {
    words: errors.length,
    'p50 (ms)': rounded(quantile(errors, 0.5), 1),
    'p95 of the amount (ms)': rounded(quantile(errors.map(Math.abs), 0.95), 1),
    missed: WORDS - new Set(order).size,
    'twice or out of order': order.filter((word, index) => index > 0 && word <= order[index - 1]!).length,
  };
}

/** Opens a page that runs the function body `act` with the element. */
async function run(from: Browser, act: string, isolated: boolean): Promise<Found> {
  server.page = {
    headers: isolated ? ISOLATION : {},
    html: `<!doctype html><title>Bench</title><svc-speaker jitter-buffer="fixed"></svc-speaker>
      <script type="module">
        import '/element.js';
        const speaker = document.querySelector('svc-speaker');
        const result = await (async () => { ${act} })();
        console.log('${RESULT_PREFIX}' + JSON.stringify(result));
      </script>`,
  };
  const page = await from.newPage();
  page.on('pageerror', (error) => console.error(error));
  const result = new Promise<string>((resolve) => {
    page.on('console', (message) => {
      if (message.text().startsWith(RESULT_PREFIX)) resolve(message.text().slice(RESULT_PREFIX.length));
    });
  });
  await page.goto(`http://127.0.0.1:${server.port}/`);
  const found = JSON.parse(await result) as Found;
  await page.close();
  return found;
}
