/**
 * Measures when `word` is dispatched, beside the sound of the word, in Chromium, Firefox and WebKitGTK:
 * `npm run words --prefix bench [-- ENGINE…]`. Each word is a click; a worklet finds the clicks in the output, and the browser
 * says which sound is heard at the time of an event (`AudioContext.getOutputTimestamp()`, which the player does not use).
 * Prints the error in ms, and the numbers of words and of events. For comparison, a page that compares `currentTime` of an
 * `<audio>` in each frame.
 *
 * Then speech is cancelled at 500 random times: is `utterance.heard.text` what was heard, to the word? Chromium.
 */
import { ENGINES, type EngineName } from '../../test/engines/launch/engine.js';
import { startGateway } from '../../src/testing/gateway.js';
import { Random } from '../../src/testing/random.js';
import { type GatewayStep, scriptUrl } from '../../src/testing/script.js';
import { quantile, rounded } from '../timing.js';
import { EnginePages } from './engine-page.js';

/** The script of the service is in the URL of the socket, so it cannot be much longer. */
const WORDS = 40;
const CLICK_SECONDS = 0.02;
/** Time between an event and its click beyond which they do not belong together, in seconds. */
const APART = 0.06;
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

/** Page code that the cases share: a recorder of clicks, and the time of the sound that is heard. */
const COMMON = `
  const context = new AudioContext({ sampleRate: 48000 });
  await context.audioWorklet.addModule(URL.createObjectURL(new Blob([\`
    registerProcessor('clicks', class extends AudioWorkletProcessor {
      quiet = 0;
      process([[samples = new Float32Array(128)]]) {
        for (const [index, sample] of samples.entries()) {
          if (Math.abs(sample) < 0.02) this.quiet++;
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
  const events = [];
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
};

interface Found {
  readonly clicks: readonly number[];
  readonly events: readonly number[];
}

const gateway = await startGateway();
const chosen = process.argv.slice(2) as EngineName[];
const rows: Record<string, unknown>[] = [];
for (const engine of chosen.length > 0 ? chosen : ENGINES) {
  const pages = await EnginePages.open(engine);
  console.log(pages.version);
  for (const transport of ['shared', 'message'] as const) {
    const measure = (what: string, script: readonly GatewayStep[], rate = 1): Promise<void> =>
      measurePlayer(pages, engine, transport, what, script, rate);
    for (const rate of [0.5, 1, 1.5, 2]) await measure(`rate ${rate}`, steps, rate);
    await measure(STRETCHED, speaking(0.91));
    await measure('stalls of the network', stalls);
    for (const what of Object.keys(HAPPENINGS)) await measure(what, steps);
    await measure('again', steps);
  }
  for (const rate of [1, 2]) await measureAudio(pages, engine, rate);
  if (engine === 'chromium') await measureCancels(pages);
  await pages.close();
}
await gateway.close();

async function measurePlayer(
  pages: EnginePages,
  engine: EngineName,
  transport: 'shared' | 'message',
  what: string,
  script: readonly GatewayStep[],
  rate: number,
): Promise<void> {
  const url = scriptUrl(gateway.url, script, { timings: 'words' });
  const act = `${COMMON}
    speaker.transport = '${transport}';
    speaker.audioContext = context;
    speaker.playbackRate = ${rate};
    speaker.preservesPitch = false;
    speaker.jitterBuffer = '${what === STRETCHED ? 'adaptive' : 'fixed'}';
    speaker.sessionProvider = async () => ${JSON.stringify(url)};
    const { started } = speaker.speak(${JSON.stringify(text)});
    await started;
    speaker.outputNode.connect(recorder);
    const ended = () => new Promise((resolve) => speaker.addEventListener('ended', resolve, { once: true }));
    if (${what === 'again'}) {
      await ended();
      clicks.length = 0;
      void speaker.play();
    }
    speaker.addEventListener('word', () => events.push(heardNow()));
    const over = ended();
    ${HAPPENINGS[what] ?? ''}
    await over;
    await wait(300);
    return { clicks, events };`;
  report(`svc-speaker, ${transport}`, engine, what, await pages.run<Found>(act, transport === 'shared'));
}

async function measureAudio(pages: EnginePages, engine: EngineName, rate: number): Promise<void> {
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
      while (events.length < starts.length && starts[events.length] <= audio.currentTime) events.push(heardNow());
      if (!audio.ended) requestAnimationFrame(look);
    };
    await audio.play();
    look();
    await new Promise((resolve) => (audio.onended = resolve));
    return { clicks, events };`;
  report('<audio>, each frame', engine, `rate ${rate}`, await pages.run<Found>(act, true));
}

/** Cancels speech at random times. The texts of a word are known to have been heard if their clicks were, at their ends. */
async function measureCancels(pages: EnginePages): Promise<void> {
  const spoken = Array.from({ length: 8 }, (_, index) => `word${index}`).join(' ');
  const timed = Array.from(spoken.matchAll(/\S+/g), ({ 0: word, index }, number) => ({
    from: index,
    to: index + word.length,
    start: number * 0.2,
    end: (number + 1) * 0.2,
  }));
  const script = (context: number): GatewayStep[] => [
    { wait: 'end' },
    { json: { type: 'timings', context_id: `turn-${context}`, words: timed } },
    ...timed.flatMap((): GatewayStep[] => [
      { frames: { tone: 0, seconds: 0.198 } },
      { frames: { tone: 4000, seconds: 0.002 } },
    ]),
    { frames: { tone: 0, seconds: 0.3 } },
    { done: true },
  ];
  const own = Array.from({ length: CANCELS / SPEAKERS + 1 }, (_, index) =>
    scriptUrl(gateway.url, script(index + 1), { timings: 'words' }),
  );
  const delays = Array.from({ length: CANCELS }, () => Math.round(random.uniform(50, 1500)));
  const act = `${COMMON}
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
    return { clicks: [], events };`;
  const { events } = await pages.run<Found>(act, true);
  const right = events.filter((difference) => difference === 0).length;
  console.log(
    `heard.text, ${CANCELS} random cancels: exact in ${right}; most words too many ${Math.max(...events)}, too few ${-Math.min(...events)}`,
  );
}

/** Adds a row: each event belongs to the nearest click. The recorder is connected with the first sound. */
function report(player: string, engine: EngineName, what: string, { clicks, events }: Found): void {
  const heard = events.filter((at) => at >= clicks[0]! - APART);
  const errors = heard.map((at) => {
    const distances = clicks.map((click) => at - click);
    return distances.reduce((best, one) => (Math.abs(one) < Math.abs(best) ? one : best));
  });
  rows.push({
    engine,
    player,
    what,
    words: clicks.length,
    events: heard.length,
    'p50 (ms)': rounded(quantile(errors, 0.5) * 1000, 1),
    'p95 of the amount (ms)': rounded(quantile(errors.map(Math.abs), 0.95) * 1000, 1),
    'clicks without an event': clicks.filter((click) => !heard.some((at) => Math.abs(at - click) <= APART)).length,
  });
  console.log(JSON.stringify(rows.at(-1)));
}
console.table(rows);
