/**
 * Measures the element as a page uses it, in Chromium: `npm run element --prefix bench`. Names after the command select
 * parts, as in `npm run element --prefix bench -- socket cpu`.
 *
 * Parts, with times in milliseconds:
 * - `socket`: from the last frame until the service sees the socket closed; 200 utterances, one socket each.
 * - `blocked`: from `play()` without a gesture until the event `blocked`, and until the promise is rejected. Each
 *   measurement has its own page.
 * - `stream`: a text arrives at 30 tokens a second. Times since the first token until the first sentence is written,
 *   until it is heard, and until the whole text is written.
 * - `mount`: from `speak()` to `utterancestart`, alternately on a speaker that has spoken before (warm) and on one that
 *   has just replaced another (fresh). Also the number of audio contexts and workers that the page created.
 * - `turnaround`: from `cancel()` to `utterancestart` of the next utterance, from a gateway that answers at once: without
 *   keep-open, and with keep-open while the gateway sends the cancelled speech in real time, or after it has sent all of
 *   it; alternately with the warm start from `speak()` on. Also the sessions requested for both utterances, and how long
 *   two sockets were open.
 * - `first`: from the first `speak()` of a new browser to `utterancestart`, in a click, with `preload` none and auto, and
 *   with `prepare`. Each file of the player takes 40 ms to arrive. A press takes 90 ms. Also when each part of the start
 *   begins and ends: medians in ms since `speak()`, negative for what was done before the click.
 * - `cpu`: processor time of Chromium while it plays frames that arrive in real time. For comparison: a buffer in a
 *   loop; the smallest AudioWorklet, which is a lower bound for any player with one; the same beside a worker that
 *   receives the frames and drops them, which is a lower bound for any player with its socket in a worker; and these
 *   with a canvas that is drawn 20 times a second, like the waveform of the controls.
 */
import { chromium, type Browser, type ConsoleMessage, type Page } from 'playwright';
import { ensureBrowser } from '../../scripts/browser.mjs';
import { startElementServer } from '../../test/demo/element-server.js';
import { startGateway } from '../../src/testing/gateway.js';
import { scriptUrl, speaking, type GatewayStep } from '../../src/testing/script.js';
import { median, quantile, rounded } from '../timing.js';
import { show } from '../show.js';
import { playingCosts, type PlayingPage } from './cpu.js';
import { type FirstWord, type Start, startFilesServer } from './files-server.js';

const UTTERANCES = 200;
const PAGES = 20;
const TOKENS_PER_SECOND = 30;
const MOUNTS = 30;
/** Turnarounds of each kind. */
const TURNS = 30;
/** Time that each file of the player takes to arrive. */
const FILE_DELAY_MS = 40;
/** Parts of a start, in order of their usual beginning. */
const START_PARTS = ['context', 'worker', 'worklet', 'session', 'socket', 'service', 'filling'] as const;
/** Ways to the first word of a page. */
const FIRST_WORDS: Readonly<Record<string, FirstWord>> = {
  'nothing loaded before': { attributes: 'preload="none"', restMs: 0 },
  'code loaded before': { attributes: '', restMs: 0 },
  'prepared, clicked at once': { attributes: 'prepare="button"', restMs: 0 },
  'prepared, pointer rests for 150 ms': { attributes: 'prepare="button"', restMs: 150 },
  'prepared, by touch': { attributes: 'prepare="button"', restMs: null },
};
/** Prefix of the console message with which a page reports its result. */
const RESULT_PREFIX = 'result ';
/** Upper limits, in ms: for the 99th percentile of `socket`, and for `blocked`. */
const TARGET_SOCKET_MS = 50;
const TARGET_BLOCKED_MS = 200;
/** Upper limits for a turnaround, in ms: beyond the warm start, with keep-open, and for two sockets at a time. */
const TARGET_BEYOND_WARM_MS = 120;
const TARGET_KEEP_OPEN_MS = 250;
const TARGET_OVERLAP_MS = 100;
/** Upper limit for the ratio of the medians, fresh to warm: the difference is within a render quantum. */
const TARGET_FRESH_RATIO = 1.1;
const ISOLATION = { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' };

const gateway = await startGateway();
const server = await startElementServer();
const address = `http://127.0.0.1:${server.port}/`;
const executablePath = await ensureBrowser({ whole: true });
const options = { executablePath, ignoreDefaultArgs: ['--mute-audio'] };
const autoplay = { ...options, args: ['--no-sandbox', '--autoplay-policy=no-user-gesture-required'] };
const allowed = await chromium.launch(autoplay);
const strict = await chromium.launch({ ...options, args: ['--no-sandbox'] });

/** The parts by name. */
const parts: Record<string, () => Promise<readonly Record<string, unknown>[]>> = {
  socket: async () => [await socketTimes('shared'), await socketTimes('message')],
  blocked: blockedTimes,
  stream: async () => [await streamTimes()],
  mount: async () => [await mountTimes('shared'), await mountTimes('message')],
  turnaround: async () => [...(await turnaroundTimes('shared')), ...(await turnaroundTimes('message'))],
  first: firstWords,
  cpu: cpuCosts,
};
for (const [name, measure] of Object.entries(parts)) {
  if (process.argv.length > 2 && !process.argv.includes(name)) continue;
  show(`element: ${name}`, await measure());
}

await Promise.all([allowed.close(), strict.close()]);
server.close();
await gateway.close();

/** Opens a page that runs the function body `act` with the element, closes the page, and returns the result. */
async function run<T>(browser: Browser, steps: readonly GatewayStep[], act: string, isolated = true): Promise<T> {
  const { page, result } = await openPage(browser, steps, act, isolated);
  await page.close();
  return result as T;
}

/** Opens a page that runs the function body `act` with the element. Resolves when `act` has ended. */
async function openPage(
  browser: Browser,
  steps: readonly GatewayStep[],
  act: string,
  isolated: boolean,
): Promise<{ page: Page; result: unknown }> {
  const url = scriptUrl(gateway.url, steps);
  server.page = {
    headers: isolated ? ISOLATION : {},
    html: `<!doctype html><title>Bench</title><svc-speaker></svc-speaker>
      <script type="module">
        import '/element.js';
        const speaker = document.querySelector('svc-speaker');
        speaker.sessionProvider = async () => ${JSON.stringify(url)};
        const next = (type) => new Promise((resolve) => speaker.addEventListener(type, resolve, { once: true }));
        const result = await (async () => { ${act} })();
        console.log('${RESULT_PREFIX}' + JSON.stringify(result ?? null));
      </script>`,
  };
  const page = await browser.newPage();
  // The result comes as a console message, because evaluating code in a page would count as a gesture.
  const isResult = (message: ConsoleMessage) => message.text().startsWith(RESULT_PREFIX);
  const reported = page.waitForEvent('console', { predicate: isResult, timeout: 0 });
  await page.goto(address);
  return { page, result: JSON.parse((await reported).text().slice(RESULT_PREFIX.length)) as unknown };
}

async function socketTimes(transport: 'shared' | 'message') {
  const before = gateway.connections.length;
  const act = `for (let i = 0; i < ${UTTERANCES}; i++) {
      const closed = next('socketclose');
      await speaker.speak('Hello.').finished;
      await closed;
    }
    return speaker.getStats().transport;`;
  const used = await run<string>(allowed, speaking({ tone: 440, seconds: 0.2 }), act, transport === 'shared');
  const times = gateway.connections.slice(before).map(({ lastFrameAt, closed }) => closed!.at - lastFrameAt);
  return { transport: used, utterances: times.length, ...spread(times), targetP99: TARGET_SOCKET_MS };
}

async function blockedTimes() {
  const act = `const from = performance.now();
    const event = next('blocked').then(() => performance.now() - from);
    const name = await speaker.play().then(() => 'resolved', (error) => error.name);
    return { rejected: performance.now() - from, event: await event, name };`;
  const results: { rejected: number; event: number; name: string }[] = [];
  for (let page = 0; page < PAGES; page++) results.push(await run(strict, speaking({ tone: 440, seconds: 0.2 }), act));
  const unexpected = results.find(({ name }) => name !== 'NotAllowedError')?.name;
  if (unexpected) throw new Error(`play() without a gesture: ${unexpected} instead of NotAllowedError`);
  return [
    { what: 'blocked', ...spread(results.map(({ event }) => event)), target: TARGET_BLOCKED_MS },
    { what: 'rejected', ...spread(results.map(({ rejected }) => rejected)), target: TARGET_BLOCKED_MS },
  ];
}

async function streamTimes(): Promise<Record<string, number>> {
  const eachSentence = { repeat: 8, steps: [{ wait: 'synthesize' }, { frames: { tone: 440, seconds: 1 } }] } as const;
  const act = `const words = 'The tide turns twice a day and nobody asks it to. '.repeat(8).match(/\\S+ /g);
    const from = performance.now();
    let first = 0;
    let heard = 0;
    let written = 0;
    next('utterancestart').then(() => (heard = performance.now() - from));
    async function* tokens() {
      for (const word of words) {
        yield word;
        if (!first && word === 'to. ') first = performance.now() - from;
        await new Promise((resolve) => setTimeout(resolve, ${1000 / TOKENS_PER_SECOND}));
      }
      written = performance.now() - from;
    }
    await speaker.speak(tokens()).finished;
    return { firstSentenceWritten: first, firstSentenceHeard: heard, allWritten: written };`;
  const steps: GatewayStep[] = [eachSentence, { wait: 'end' }, { done: true }];
  const times = await run<Record<string, number>>(allowed, steps, act);
  return Object.fromEntries(Object.entries(times).map(([name, ms]) => [name, rounded(ms, 1)]));
}

async function mountTimes(transport: 'shared' | 'message') {
  const act = `const firstSound = async (speaker) => {
      const from = performance.now();
      const started = new Promise((resolve) => speaker.addEventListener('utterancestart', resolve, { once: true }));
      const { finished } = speaker.speak('Hello.');
      await started;
      const ms = performance.now() - from;
      await finished;
      return ms;
    };
    const made = { contexts: 0, workers: 0 };
    const count = (name, key) => {
      globalThis[name] = class extends globalThis[name] {
        constructor(...args) {
          super(...args);
          made[key]++;
        }
      };
    };
    count('AudioContext', 'contexts');
    count('Worker', 'workers');
    // Longer than a speaker that is removed takes for its ramp; the same before each measurement.
    const pause = () => new Promise((resolve) => setTimeout(resolve, 400));
    const mount = () => {
      const fresh = document.createElement('svc-speaker');
      fresh.sessionProvider = speaker.sessionProvider;
      document.body.append(fresh);
      return fresh;
    };
    // The page's own element only provides the session. It opens nothing, so each mounted speaker starts alone.
    const times = { warm: [], fresh: [] };
    for (let i = 0; i < ${MOUNTS}; i++) {
      const one = mount();
      const first = await firstSound(one);
      if (i > 0) times.fresh.push(first);
      await pause();
      times.warm.push(await firstSound(one));
      one.remove();
      await pause();
    }
    return { times, made };`;
  const isolated = transport === 'shared';
  const { times, made } = await run<{
    times: { warm: number[]; fresh: number[] };
    made: { contexts: number; workers: number };
  }>(allowed, speaking({ tone: 440, seconds: 0.2 }), act, isolated);
  const [warm, fresh] = [spread(times.warm), spread(times.fresh)];
  return {
    transport,
    mounts: MOUNTS,
    ...made,
    warmP50: warm.p50,
    freshP50: fresh.p50,
    warmMax: warm.max,
    freshMax: fresh.max,
    ratio: rounded(fresh.p50 / warm.p50, 2),
    targetRatio: TARGET_FRESH_RATIO,
  };
}

interface Turnaround {
  /** From `cancel()`, or from `speak()` on a silent speaker, to `utterancestart`. */
  readonly ms: number;
  /** Sessions that were requested for the cancelled utterance and the next one. */
  readonly sessions: number;
}
type Turnarounds = Record<'warm' | 'closed' | 'realTime' | 'burst', Turnaround[]>;

async function turnaroundTimes(transport: 'shared' | 'message') {
  const answer = speaking({ tone: 440, seconds: 0.2 });
  const burst: GatewayStep[] = [{ wait: 'end' }, { frames: { tone: 440, seconds: 10 } }, { done: true }, ...answer];
  const act = turnaroundAct({
    answer: scriptUrl(gateway.url, answer),
    realTime: scriptUrl(gateway.url, speaking({ tone: 440, seconds: 60, pace: 'realtime' })),
    burst: scriptUrl(gateway.url, burst),
  });
  const before = gateway.connections.length;
  const turns = await run<Turnarounds>(allowed, answer, act, transport === 'shared');
  const sockets = gateway.connections.slice(before);
  const overlaps = sockets.slice(1).map(({ openedAt }, index) => sockets[index]!.closed!.at - openedAt);
  const warm = median(turns.warm.map(({ ms }) => ms));
  const row = (from: string, list: readonly Turnaround[], target?: number) => {
    const times = list.map(({ ms }) => ms);
    return {
      transport,
      from,
      p50: rounded(median(times), 1),
      p95: rounded(quantile(times, 0.95), 1),
      ratio: rounded(median(times) / warm, 2),
      sessions: rounded(list.reduce((sum, { sessions }) => sum + sessions, 0) / list.length, 2),
      ...(target && { target: rounded(target, 1) }),
    };
  };
  return [
    row('warm start', turns.warm),
    row('cancel', turns.closed, warm + TARGET_BEYOND_WARM_MS),
    row('cancel, keep-open, sent in real time', turns.realTime, TARGET_KEEP_OPEN_MS),
    row('cancel, keep-open, all sent', turns.burst, TARGET_KEEP_OPEN_MS),
    { transport, from: 'two sockets open', max: rounded(Math.max(0, ...overlaps), 1), target: TARGET_OVERLAP_MS },
  ];
}

/** Returns the script of a page that measures `Turnarounds`, with URLs for the answer and what it interrupts. */
function turnaroundAct(urls: Readonly<Record<'answer' | 'realTime' | 'burst', string>>): string {
  return `const urls = ${JSON.stringify(urls)};
    let url;
    let sessions;
    speaker.sessionProvider = async () => {
      sessions++;
      return url;
    };
    // Ends with a closed socket.
    const turn = async (interrupted, keepOpen, heardMs) => {
      speaker.keepOpen = keepOpen;
      sessions = 0;
      if (interrupted) {
        url = interrupted;
        const { started, finished } = speaker.speak('On and on.');
        finished.catch(() => {});
        await started;
        await new Promise((resolve) => setTimeout(resolve, heardMs));
      }
      url = urls.answer;
      const from = performance.now();
      if (interrupted) speaker.cancel();
      const { started, finished } = speaker.speak('Yes?');
      await started;
      const ms = performance.now() - from;
      await finished;
      speaker.keepOpen = false;
      while (speaker.networkState === 2) await next('socketclose');
      return { ms, sessions };
    };
    const turns = { warm: [], closed: [], realTime: [], burst: [] };
    await turn(null, false);
    for (let i = 0; i < ${TURNS}; i++) {
      const heardMs = 100 + ((137 * i) % 500);
      turns.warm.push(await turn(null, false));
      turns.closed.push(await turn(urls.realTime, false, heardMs));
      turns.realTime.push(await turn(urls.realTime, true, heardMs));
      turns.burst.push(await turn(urls.burst, true, heardMs));
    }
    return turns;`;
}

async function firstWords() {
  const files = await startFilesServer(FILE_DELAY_MS);
  const starts = new Map<string, Start[]>(Object.keys(FIRST_WORDS).map((name) => [name, []]));
  for (let round = 0; round < PAGES; round++) {
    for (const [name, way] of Object.entries(FIRST_WORDS)) {
      const url = scriptUrl(gateway.url, speaking({ tone: 440, seconds: 0.2 }));
      // A browser that has made an audio context makes the next one much sooner.
      const browser = await chromium.launch(autoplay);
      try {
        const page = await browser.newPage({ hasTouch: true });
        starts.get(name)!.push(await files.measureFirstWord(page, url, way));
      } finally {
        await browser.close();
      }
    }
  }
  files.close();
  const bars = [...starts].map(([name, each]) => ({
    'ms since the click': name,
    ...Object.fromEntries(
      START_PARTS.map((part) => [part, medianBar(each.flatMap((start) => start.bars[part] ?? []))]),
    ),
  }));
  show('element: first, parts', bars);
  return [...starts].map(([name, each]) => ({
    'click to the first sound of a browser, ms': name,
    ...spread(each.map(({ ms }) => ms)),
    browsers: PAGES,
  }));
}

/** @param ends - Beginnings and ends in turn. */
function medianBar(ends: readonly number[]): string {
  const [from, to] = [0, 1].map((side) => median(ends.filter((_, index) => index % 2 === side)));
  return `${Math.round(from!)} to ${Math.round(to!)}`;
}

/** Opens each page in a new browser, because a used process keeps its timers and caches. */
function cpuCosts() {
  const steps: GatewayStep[] = [{ wait: 'end' }, { frames: { noise: 5, seconds: 60, pace: 'realtime' } }];
  const playing = (name: string, act: string, isolated = true): PlayingPage => ({
    name,
    async open() {
      const browser = await chromium.launch(autoplay);
      await openPage(browser, steps, act, isolated);
      return browser;
    },
  });
  const openContext = `speaker.remove();
    const context = (globalThis.context = new AudioContext());
    await context.resume();
    const fill = (samples) => samples.forEach((_, i) => (samples[i] = 0.2 * Math.random() - 0.1));`;
  const playNoise = `${openContext}
    const code = \`const fill = \${fill};
      registerProcessor('noise', class extends AudioWorkletProcessor {
        process(_, [[channel]]) {
          fill(channel);
          return true;
        }
      });\`;
    const urlOf = (script) => URL.createObjectURL(new Blob([script], { type: 'text/javascript' }));
    await context.audioWorklet.addModule(urlOf(code));
    new AudioWorkletNode(context, 'noise').connect(context.destination);`;
  const dropFrames = `const url = await speaker.sessionProvider();
    globalThis.worker = new Worker(urlOf(\`const socket = new WebSocket(\${JSON.stringify(url)});
      socket.binaryType = 'arraybuffer';
      socket.onopen = () => socket.send(JSON.stringify({ type: 'end', context_id: 'default' }));
      socket.onmessage = () => {
        postMessage('first frame');
        socket.onmessage = () => {};
      };\`));
    await new Promise((resolve) => (worker.onmessage = resolve));`;
  const drawBar = `const canvas = document.createElement('canvas');
    document.body.append(canvas);
    const pen = canvas.getContext('2d');
    let x = 0;
    const draw = () => {
      pen.clearRect(0, 0, canvas.width, canvas.height);
      pen.fillRect((x = (x + 3) % canvas.width), 0, 3, canvas.height);
      setTimeout(draw, 50);
    };
    draw();`;
  const speak = `speaker.speak('On and on.').finished.catch(() => {});
    await next('playing');`;
  return playingCosts([
    playing(
      'a buffer in a loop',
      `${openContext}
        const buffer = new AudioBuffer({ length: 24000, sampleRate: 24000 });
        fill(buffer.getChannelData(0));
        const source = new AudioBufferSourceNode(context, { buffer, loop: true });
        source.connect(context.destination);
        source.start();`,
    ),
    playing('the least AudioWorklet', playNoise),
    playing('… beside a worker that drops the frames', `${playNoise} ${dropFrames}`),
    playing('… and a canvas that draws one bar', `${playNoise} ${dropFrames} ${drawBar}`),
    playing('speaker, shared', speak),
    playing('speaker, message', speak, false),
    playing('speaker with controls, shared', `speaker.controls = true; ${speak}`),
  ]);
}

function spread(times: readonly number[]) {
  const at = (share: number): number => rounded(quantile(times, share), 1);
  return { p50: at(0.5), p99: at(0.99), max: at(1) };
}
