/**
 * Measures when `word` is dispatched, beside the sound of the word, in Chromium, Firefox and WebKitGTK:
 * `npm run words --prefix bench [-- ENGINE…]`. Each word is a click, which is found in a recording of the sound card.
 * Prints the error in ms, and the numbers of words and of events. For comparison, a page that compares `currentTime` of an
 * `<audio>` in each frame.
 *
 * Then, in Chromium, cancels speech at 500 random times, and counts how often `utterance.heard.text` has exactly the words that
 * were heard.
 *
 * Then reads an article with `svc-speaker/reader.js`, and measures when the highlight reaches each of 1000 words. `--reader`
 * measures only that.
 */
import { parseArgs } from 'node:util';
import { ENGINES, type EngineName } from '../../test/engines/launch/engine.js';
import { startGateway } from '../../src/testing/gateway.js';
import { Random } from '../../src/testing/random.js';
import { type GatewayStep, scriptUrl } from '../../src/testing/script.js';
import { show } from '../show.js';
import { quantile, rounded } from '../timing.js';
import { EnginePages, OTHER_CARD } from './engine-page.js';
import { measureReader } from './reader.js';

/** The script of the service is in the URL of the socket, so it cannot be much longer. */
const WORDS = 40;
const CLICK_SECONDS = 0.02;
/** Time between an event and its click beyond which they do not belong together, in ms. */
const APART = 60;
const CANCELS = 500;
/** Number of speakers that speak at a time. */
const SPEAKERS = 5;

const random = new Random(1);
const gaps = Array.from({ length: WORDS }, () => Number(random.uniform(0.14, 0.4).toFixed(2)));
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

/** @param pace - As a multiple of real time. */
function speaking(pace: number | 'burst'): GatewayStep[] {
  return [
    { wait: 'end' },
    { json: { type: 'timings', context_id: 'turn-1', words } },
    ...gaps.flatMap((seconds): GatewayStep[] => [
      { frames: { tone: 0, seconds, pace } },
      { frames: { tone: 1000, seconds: CLICK_SECONDS, pace } },
    ]),
    { frames: { tone: 0, seconds: 0.5, pace } },
    { done: true },
  ];
}

const steps = speaking('burst');
const stalls: GatewayStep[] = [{ network: 'stalls', seed: 1 }, ...steps];

/** The case in which the service is slower than real time. */
const STRETCHED = 'speech that is stretched';

/** The case in which the speech moves between two devices. */
const MOVES = 'four moves to a device';

/** Page code that the cases share. */
const COMMON = `
  const events = [];
  const note = () => events.push(performance.timeOrigin + performance.now());
  const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));`;

/** Things that happen during the speech: code that runs once it has begun. */
const HAPPENINGS: Readonly<Record<string, string>> = {
  'page blocked for 200 ms': `setInterval(() => {
    for (const end = performance.now() + 200; performance.now() < end; );
  }, 700);`,
  'ten seeks': `for (let seek = 0; seek < 10; seek++) {
    await wait(900);
    speaker.currentTime = Math.max(0, speaker.currentTime - 1.5);
  }`,
  'five pauses': `for (let pause = 0; pause < 5; pause++) {
    await wait(900);
    speaker.pause();
    await wait(300);
    await speaker.play();
  }`,
  [MOVES]: `const devices = await navigator.mediaDevices.enumerateDevices();
  const { deviceId } = devices.find(({ kind, label }) => kind === 'audiooutput' && label === '${OTHER_CARD}');
  for (const id of [deviceId, '', deviceId, '']) {
    await wait(2000);
    await speaker.setSinkId(id);
  }`,
};

const gateway = await startGateway();
const { values, positionals } = parseArgs({ options: { reader: { type: 'boolean' } }, allowPositionals: true });
const chosen = positionals as EngineName[];
const rows: Record<string, unknown>[] = [];
for (const engine of chosen.length > 0 ? chosen : ENGINES) {
  const pages = await EnginePages.open(engine);
  console.log(pages.version);
  if (!values.reader) {
    await measureSpeaker(pages, engine);
    show(`words: events, ${engine}`, rows.splice(0));
  }
  for (const transport of ['shared', 'message'] as const) {
    rows.push(await measureReader(pages, gateway, transport));
    console.log(JSON.stringify(rows.at(-1)));
  }
  show(`words: highlights, ${engine}`, rows.splice(0));
  await pages.close();
}
await gateway.close();

async function measureSpeaker(pages: EnginePages, engine: EngineName): Promise<void> {
  for (const transport of ['shared', 'message'] as const) {
    const measure = (what: string, script: readonly GatewayStep[], rate = 1): Promise<void> =>
      measurePlayer(pages, transport, what, script, rate);
    for (const rate of [0.5, 1, 1.5, 2]) await measure(`rate ${rate}`, steps, rate);
    await measure(STRETCHED, speaking(0.91));
    await measure('stalls of the network', stalls);
    // The other engines have no setSinkId, or let no page find the second device without asking the user.
    const happenings = Object.keys(HAPPENINGS).filter((what) => what !== MOVES || engine === 'chromium');
    for (const what of happenings) await measure(what, steps);
    await measure('again', steps);
  }
  for (const rate of [1, 2]) await measureAudio(pages, rate);
  if (engine === 'chromium') await measureCancels(pages);
}

async function measurePlayer(
  pages: EnginePages,
  transport: 'shared' | 'message',
  what: string,
  script: readonly GatewayStep[],
  rate: number,
): Promise<void> {
  const url = scriptUrl(gateway.url, script, { timings: 'words' });
  const act = `${COMMON}
    speaker.transport = '${transport}';
    speaker.playbackRate = ${rate};
    speaker.preservesPitch = false;
    speaker.jitterBuffer = '${what === STRETCHED ? 'adaptive' : 'fixed'}';
    speaker.sessionProvider = async () => ${JSON.stringify(url)};
    const ended = () => new Promise((resolve) => speaker.addEventListener('ended', resolve, { once: true }));
    const { started } = speaker.speak(${JSON.stringify(text)});
    if (${what === 'again'}) {
      await ended();
      await wait(500);
    }
    const since = performance.timeOrigin + performance.now();
    speaker.addEventListener('word', note);
    const over = ended();
    if (${what === 'again'}) void speaker.play();
    await started;
    ${HAPPENINGS[what] ?? ''}
    await over;
    return { since, events };`;
  await report(pages, `svc-speaker, ${transport}`, what, act, transport === 'shared');
}

async function measureAudio(pages: EnginePages, rate: number): Promise<void> {
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
    const starts = ${JSON.stringify(starts)};
    const look = () => {
      while (events.length < starts.length && starts[events.length] <= audio.currentTime) note();
      if (!audio.ended) requestAnimationFrame(look);
    };
    const since = performance.timeOrigin + performance.now();
    await audio.play();
    look();
    await new Promise((resolve) => (audio.onended = resolve));
    return { since, events };`;
  await report(pages, '<audio>, each frame', `rate ${rate}`, act, true);
}

/** Cancels speech at random times. Each word ends where a click begins, so the clicks are the words that were heard. */
async function measureCancels(pages: EnginePages): Promise<void> {
  const CLICK = 0.002;
  const spoken = Array.from({ length: 8 }, (_, index) => `word${index}`).join(' ');
  const timed = Array.from(spoken.matchAll(/\S+/g), ({ 0: word, index }, number) => ({
    from: index,
    to: index + word.length,
    start: number * 0.2,
    end: (number + 1) * 0.2 - CLICK,
  }));
  const script = (context: number): GatewayStep[] => [
    { wait: 'end' },
    { json: { type: 'timings', context_id: `turn-${context}`, words: timed } },
    ...timed.flatMap((): GatewayStep[] => [
      { frames: { tone: 0, seconds: 0.2 - CLICK } },
      { frames: { tone: 4000, seconds: CLICK } },
    ]),
    { frames: { tone: 0, seconds: 0.3 } },
    { done: true },
  ];
  const own = Array.from({ length: CANCELS / SPEAKERS + 1 }, (_, index) =>
    scriptUrl(gateway.url, script(index + 1), { timings: 'words' }),
  );
  const delays = Array.from({ length: CANCELS }, () => Math.round(random.uniform(50, 1500)));
  const act = `${COMMON}
    const context = new AudioContext();
    await context.audioWorklet.addModule(URL.createObjectURL(new Blob([\`
      registerProcessor('clicks', class extends AudioWorkletProcessor {
        quiet = 0;
        process([[samples = new Float32Array(128)]]) {
          for (const sample of samples) {
            if (Math.abs(sample) < 0.02) this.quiet++;
            else {
              if (this.quiet > 1000) this.port.postMessage('click');
              this.quiet = 0;
            }
          }
          return true;
        }
      });\`], { type: 'text/javascript' })));
    const cancelAll = async (speaker, delays) => {
      const urls = ${JSON.stringify(own)};
      const own = new AudioWorkletNode(context, 'clicks', { numberOfOutputs: 0 });
      let heard = 0;
      own.port.onmessage = () => heard++;
      speaker.audioContext = context;
      speaker.sessionProvider = async () => urls.shift();
      await speaker.speak(${JSON.stringify(spoken)}).finished;
      speaker.outputNode.connect(own);
      for (const delay of delays) {
        heard = 0;
        const utterance = speaker.speak(${JSON.stringify(spoken)});
        utterance.finished.catch(() => {});
        await utterance.started;
        await wait(delay);
        utterance.cancel();
        const { text } = utterance.heard;
        await wait(300);
        events.push(text.split(' ').filter(Boolean).length - heard);
      }
    };
    const delays = ${JSON.stringify(delays)};
    const others = Array.from({ length: ${SPEAKERS} - 1 }, () => document.createElement('svc-speaker'));
    document.body.append(...others);
    await Promise.all([speaker, ...others].map((one) => cancelAll(one, delays.splice(0, ${CANCELS / SPEAKERS}))));
    return { since: 0, events };`;
  const { events } = await pages.run(act, true);
  const right = events.filter((difference) => difference === 0).length;
  show('words: cancels', [
    { cancels: CANCELS, exact: right, 'most words too many': Math.max(...events), 'too few': -Math.min(...events) },
  ]);
}

/** Adds a row: each event belongs to the nearest click. */
async function report(pages: EnginePages, player: string, what: string, act: string, isolated: boolean): Promise<void> {
  const { found, clicks: all } = await pages.hear(act, isolated);
  const clicks = all.filter((at) => at >= found.since);
  const heard = found.events;
  const errors = heard.map((at) => {
    const distances = clicks.map((click) => at - click);
    return distances.reduce((best, one) => (Math.abs(one) < Math.abs(best) ? one : best));
  });
  rows.push({
    player,
    what,
    words: clicks.length,
    events: heard.length,
    'p50 (ms)': rounded(quantile(errors, 0.5), 1),
    'p95 of the amount (ms)': rounded(quantile(errors.map(Math.abs), 0.95), 1),
    'clicks without an event': clicks.filter((click) => !heard.some((at) => Math.abs(at - click) <= APART)).length,
  });
  console.log(JSON.stringify(rows.at(-1)));
}
