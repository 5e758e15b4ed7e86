/**
 * Measures what is heard when lines die in the middle of speech: `npm run resume --prefix bench`. A service speaks each
 * word as a tone of its own and reports its time; its connections die at random places, in four ways. Prints how many
 * words were heard whole, once and in order, how many were begun and heard again, the silence at the seam, and how much
 * more text was bought than there is. `--lines N`: number of lines, 500 by default.
 */
import { parseArgs } from 'node:util';
import { chromium, type Page } from 'playwright';
import { ensureBrowser } from '../../scripts/browser.mjs';
import { Random } from '../../src/testing/random.js';
import { startElementServer } from '../../test/demo/element-server.js';
import { quantile, rounded } from '../timing.js';
import { DEATHS, type Plan, startDyingService, TEXT, TONES, WORD_SECONDS } from './dying-service.js';
import { judge, type Verdict } from './judge.js';

/** Speakers of one page. More of them keep one another waiting when they begin. */
const TOGETHER = 10;
const ISOLATION = { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' };
const CONTEXT_RATE = 48_000;

const { values } = parseArgs({ options: { lines: { type: 'string', default: '500' } } });
const lines = Number(values.lines);
const random = new Random(1);
const service = await startDyingService();
const server = await startElementServer();
const browser = await chromium.launch({
  executablePath: await ensureBrowser({ whole: true }),
  args: ['--no-sandbox', '--autoplay-policy=no-user-gesture-required'],
});

/** A page's report of one speaker. */
interface Heard {
  readonly samples: string;
  readonly silenceMs: number;
  readonly resumptions: number;
  readonly error: string | null;
  readonly sessions: number;
}

interface Row extends Verdict {
  readonly plan: Plan;
  readonly heard: Heard;
  readonly boughtShare: number;
}

const rows: Row[] = [];
for (const transport of ['shared', 'message'] as const) {
  for (const isTimed of [true, false]) {
    // Both transports have the same number of lines, four fifths of them with times.
    const share = isTimed ? 0.4 : 0.1;
    const plans = Array.from({ length: Math.round(lines * share) }, (_, index): Plan => {
      const at = random.uniform(0.02, TONES.length * WORD_SECONDS - 0.02);
      const pace = index % 2 === 0 ? 1 : 8;
      // Without times, the silence of a black hole lasts 60 s and is an error like the others.
      const deaths = isTimed ? DEATHS : DEATHS.filter((death) => death !== 'black hole');
      return {
        id: `${transport}-${isTimed}-${index}`,
        at,
        death: deaths[(index >> 1) % deaths.length]!,
        pace,
        isTimed,
      };
    });
    while (plans.length > 0) rows.push(...(await measure(transport, plans.splice(0, TOGETHER))));
    console.error(`${transport}, ${isTimed ? 'with' : 'without'} times: done`);
  }
}
for (const r of rows)
  if (r.plan.isTimed && r.plan.death !== 'black hole' && (r.heard.silenceMs > 500 || !r.isRight))
    console.log(JSON.stringify({ ...r, heard: { ...r.heard, samples: '' } }));
const groups = new Map<string, Row[]>();
for (const row of rows) {
  const { death, isTimed, pace } = row.plan;
  const what = isTimed ? `${death}, ${pace === 1 ? 'in real time' : '8 times faster'}` : 'without times of words';
  groups.set(what, [...(groups.get(what) ?? []), row]);
}
console.table([...groups, ['all with times', rows.filter(({ plan }) => plan.isTimed)] as const].map(rowOf));
await browser.close();
server.close();
service.close();

function rowOf([what, of]: readonly [string, readonly Row[]]): Record<string, unknown> {
  const silences = of.filter(({ heard }) => heard.resumptions > 0).map(({ heard }) => heard.silenceMs);
  return {
    lines: what,
    number: of.length,
    'every word once, in order': of.filter(({ isRight }) => isRight).length,
    'a word twice': of.filter(({ repeated }) => repeated > 0).length,
    'a word missing': of.filter(({ missing }) => missing > 0).length,
    'a word begun, and again': of.filter(({ fragments }) => fragments > 0).length,
    errors: of.filter(({ heard }) => heard.error !== null).length,
    'silence p50 (ms)': rounded(quantile(silences, 0.5) || 0, 0),
    'p95 (ms)': rounded(quantile(silences, 0.95) || 0, 0),
    'text sent / text': rounded(of.reduce((sum, { boughtShare }) => sum + boughtShare, 0) / of.length, 2),
  };
}

async function measure(transport: string, plans: readonly Plan[]): Promise<Row[]> {
  server.page = { headers: transport === 'shared' ? ISOLATION : {}, html: pageOf(transport, plans) };
  const page = await browser.newPage();
  page.on('pageerror', (error) => console.error(error));
  const heard = await resultOf(page);
  await page.close();
  return plans.map((plan, index) => {
    const one = heard[index]!;
    const bytes = Buffer.from(one.samples, 'base64');
    const samples = new Int16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2);
    const broken = Math.floor(plan.at / WORD_SECONDS);
    const verdict = judge(samples, CONTEXT_RATE, plan.isTimed ? TONES.length : null, broken);
    return { plan, heard: one, ...verdict, boughtShare: service.charactersOf(plan.id) / TEXT.length };
  });
}

async function resultOf(page: Page): Promise<readonly Heard[]> {
  await page.goto(`http://127.0.0.1:${server.port}/`);
  await page.waitForFunction(() => 'result' in globalThis);
  return page.evaluate(() => (globalThis as unknown as { result: Promise<readonly Heard[]> }).result);
}

function pageOf(transport: string, plans: readonly Plan[]): string {
  return `<!doctype html><title>Bench</title><script type="module">
    import '/element.js';
    const context = new AudioContext({ sampleRate: ${CONTEXT_RATE} });
    await context.audioWorklet.addModule(URL.createObjectURL(new Blob([\`
      registerProcessor('recorder', class extends AudioWorkletProcessor {
        kept = new Float32Array(37 * 128);
        length = 0;
        process([[samples = new Float32Array(128)]]) {
          this.kept.set(samples, this.length);
          this.length += samples.length;
          if (this.length === this.kept.length) {
            this.port.postMessage(this.kept);
            this.length = 0;
          }
          return true;
        }
      });\`], { type: 'text/javascript' })));
    const encode = (parts) => {
      const samples = Int16Array.from(parts.flatMap((part) => [...part]), (sample) => sample * 32767);
      let text = '';
      for (const byte of new Uint8Array(samples.buffer)) text += String.fromCharCode(byte);
      return btoa(text);
    };
    const speak = async (plan) => {
      const speaker = document.createElement('svc-speaker');
      speaker.transport = '${transport}';
      speaker.jitterBuffer = 'fixed';
      let sessions = 0;
      speaker.sessionProvider = async () => {
        const query = new URLSearchParams({ plan: JSON.stringify(plan), session: String(sessions++), sample_rate: '24000' });
        if (plan.isTimed) query.set('timings', 'words');
        return '${service.url}?' + query;
      };
      document.body.append(speaker);
      const parts = [];
      const recorder = new AudioWorkletNode(context, 'recorder', { numberOfOutputs: 0 });
      recorder.port.onmessage = ({ data }) => parts.push(data);
      speaker.destination = recorder;
      const { finished } = speaker.speak(${JSON.stringify(TEXT)});
      const error = await finished.then(() => null, (cause) => String(cause.reason ?? cause));
      await new Promise((resolve) => setTimeout(resolve, 400));
      const { resumptionSilenceMs, resumptions } = speaker.getStats();
      speaker.remove();
      return { samples: encode(parts), silenceMs: resumptionSilenceMs, resumptions, error, sessions };
    };
    globalThis.result = Promise.all(${JSON.stringify(plans)}.map(speak));
  </script>`;
}
