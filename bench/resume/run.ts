/**
 * Measures what is heard, and what it costs, when lines die in the middle of speech: `npm run resume --prefix bench`. The
 * service is `svc-service`, whose speech server says each word as a tone of its own and reports its time. A proxy lets
 * connections die at random places, in four ways. Prints how many words were heard whole, once and in order, how many
 * were begun and heard again, the silence at the seam, and how many more credits and characters of text were used than by
 * lines that live. `--lines N`: number of lines that die, 500 by default.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { decodeJwt } from 'jose';
import { chromium, type Page } from 'playwright';
import { ensureBrowser } from '../../scripts/browser.mjs';
import type * as Api from '../../service/src/index.js';
import { createSpeechBackend, nodeHandler } from '../../src/backend/index.js';
import { Random } from '../../src/testing/random.js';
import { startElementServer } from '../../test/demo/element-server.js';
import { startShipped } from '../service/node.js';
import { buildPrograms } from '../service/programs.js';
import { show } from '../show.js';
import { quantile, rounded } from '../timing.js';
import { type Death, DEATHS, type DyingLine, openLine } from './dying-line.js';
import { judge, type Verdict } from './judge.js';
import { RATE, startToneEngine, TEXT, voiceOf, WORD_SECONDS, WORDS } from './tone-engine.js';

/** Speakers of one page. More of them keep one another waiting when they begin. */
const TOGETHER = 10;
const PACES = [1, 8] as const;
const ISOLATION = { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' };
const CONTEXT_RATE = 48_000;
/** Bytes of all samples. */
const BYTES = WORDS.length * WORD_SECONDS * RATE * 2;

/** One line: where and how its first connection dies. */
interface Plan {
  readonly bytes: number;
  readonly death: Death | null;
  /** Speed of the speech server, as a multiple of real time. */
  readonly pace: (typeof PACES)[number];
  readonly isTimed: boolean;
}

/** A page's report of one speaker. */
interface Heard {
  readonly samples: string;
  readonly silenceMs: number;
  readonly resumptions: number;
  /** Offset in the text at which it was resumed; null if it was not. */
  readonly from: number | null;
  readonly error: string | null;
  readonly tokens: readonly string[];
}

interface Row extends Verdict {
  readonly plan: Plan;
  readonly heard: Heard;
  readonly characters: number;
}

const { values } = parseArgs({ options: { lines: { type: 'string', default: '500' } } });
const lines = Number(values.lines);
const random = new Random(1);
const server = await startElementServer();
const browser = await chromium.launch({
  executablePath: await ensureBrowser({ whole: true }),
  args: ['--no-sandbox', '--autoplay-policy=no-user-gesture-required'],
});
const engine = await startToneEngine();
const programs = await buildPrograms();
const dataDir = mkdtempSync(join(tmpdir(), 'svc-resume-'));
const voices = PACES.flatMap((pace) => Array.from({ length: TOGETHER }, (_, number) => voiceOf(pace, number)));
const service = await startShipped(programs, ['--data', dataDir], {
  SVC_SPEECH: 'openai',
  SVC_SPEECH_URL: engine.url,
  SVC_SPEECH_TIMINGS: 'captioned',
  SVC_SPEECH_VOICES: voices.join(','),
  SVC_SPEECH_CONCURRENCY: '100',
  // Sockets of black holes stay open for a while.
  SVC_MAX_CONCURRENT_SESSIONS: '100',
  SVC_RATE_LIMIT_EXEMPT: '127.0.0.1',
  SVC_LOG_LEVEL: 'fatal',
});
const servicePort = Number(new URL(service.url).port);
const kit = createSpeechBackend({
  baseUrl: service.url,
  apiKey: service.apiKey,
  corsOrigins: [`http://127.0.0.1:${server.port}`],
  production: false,
});
const handler = nodeHandler(kit);
const backend = createServer((request, response) => void handler(request, response)).listen(0, '127.0.0.1');

const rows: Row[] = [];
/** They stay open to the end: the service has to find out by itself that nobody is at the other end of a black hole. */
const allWays: DyingLine[] = [];
for (const transport of ['shared', 'message'] as const) {
  for (const [kind, plans] of Object.entries(plansOf())) {
    while (plans.length > 0) rows.push(...(await measure(transport, plans.splice(0, TOGETHER))));
    console.error(`${transport}, ${kind}: done`);
  }
}
await browser.close();
server.close();
backend.closeAllConnections();
backend.close();
await service.stop();
for (const way of allWays) way.close();
engine.close();
const costs = await costsOfSessions();
rmSync(dataDir, { recursive: true, force: true });
/** Cost of a line that lives, in ms, by the pace of the speech server. */
const ideal = new Map(
  PACES.map((pace) => [
    pace,
    quantile(rows.filter(({ plan }) => plan.death === null && plan.pace === pace).map(costOf), 0.5),
  ]),
);
for (const row of rows) {
  if (row.plan.isTimed && !row.isRight)
    console.log(JSON.stringify({ ...row, heard: { ...row.heard, samples: '', tokens: [] } }));
}
const groups = new Map<string, Row[]>();
for (const row of rows) {
  const { death, isTimed, pace } = row.plan;
  const timed = `${death ?? 'alive'}, ${pace === 1 ? 'in real time' : '8 times faster'}`;
  const what = isTimed ? timed : 'without times of words';
  groups.set(what, [...(groups.get(what) ?? []), row]);
}
const dead = rows.filter(({ plan }) => plan.isTimed && plan.death !== null);
show('resume: lines', [...groups, ['all with times that die', dead] as const].map(rowOf));

/** The plans for one transport: lines that live, that die, and that die without times of words. */
function plansOf(): Record<string, Plan[]> {
  const plans = (count: number, isTimed: boolean, deaths: readonly (Death | null)[]): Plan[] =>
    Array.from({ length: count }, (_, index) => ({
      bytes: Math.round(random.uniform(0.02, 0.98) * BYTES),
      death: deaths[(index >> 1) % deaths.length]!,
      pace: PACES[index % 2]!,
      isTimed,
    }));
  return {
    alive: plans(TOGETHER, true, [null]),
    dying: plans(Math.round(lines * 0.4), true, DEATHS),
    // Without times, the silence of a dead line lasts 60 s and is an error like the others.
    'without times': plans(Math.round(lines * 0.1), false, ['FIN', 'RST']),
  };
}

function rowOf([what, of]: readonly [string, readonly Row[]]): Record<string, unknown> {
  const silences = of.filter(({ heard }) => heard.resumptions > 0).map(({ heard }) => heard.silenceMs);
  const mean = (share: (row: Row) => number): number =>
    rounded(of.reduce((sum, row) => sum + share(row), 0) / of.length, 2);
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
    'charged (s)': mean((row) => costOf(row) / 1000),
    'credits, times': mean((row) => costOf(row) / ideal.get(row.plan.pace)!),
    'text, times': mean(({ characters }) => characters / TEXT.length),
  };
}

/** Milliseconds of open sockets for which a line was charged. */
function costOf({ heard }: Row): number {
  return heard.tokens.reduce((sum, token) => sum + (costs.get(decodeJwt(token).jti!) ?? 0), 0);
}

/** Reads the ledger: milliseconds by session. The service must not run. */
async function costsOfSessions(): Promise<Map<string, number>> {
  const { openDatabase } = (await import(new URL('index.js', pathToFileURL(programs.cli)).href)) as typeof Api;
  const database = await openDatabase({ dataDir });
  const bills = await database.query<{ session: string; ms: number }>(
    `select session_id as session, -amount_ms as ms from ledger where kind = 'usage'`,
  );
  await database.close();
  return new Map(bills.map(({ session, ms }) => [session, ms]));
}

async function measure(transport: string, plans: readonly Plan[]): Promise<Row[]> {
  const ways = await Promise.all(plans.map(({ bytes, death }) => openLine(servicePort, bytes, death)));
  allWays.push(...ways);
  const spoken = plans.map(({ pace, isTimed }, index) => ({
    port: ways[index]!.port,
    request: { voice_id: voiceOf(pace, index), ...(isTimed && { timings: 'words' }) },
  }));
  server.page = { headers: transport === 'shared' ? ISOLATION : {}, html: pageOf(transport, spoken) };
  const page = await browser.newPage();
  page.on('pageerror', (error) => console.error(error));
  const heard = await resultOf(page);
  await page.close();
  return plans.map((plan, index) => {
    const one = heard[index]!;
    const bytes = Buffer.from(one.samples, 'base64');
    const samples = new Int16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2);
    const broken = one.from === null ? -1 : TEXT.slice(0, one.from).split(' ').length - 1;
    const verdict = judge(samples, CONTEXT_RATE, plan.isTimed ? WORDS.length : null, broken);
    return { plan, heard: one, ...verdict, characters: engine.takeCharacters(voiceOf(plan.pace, index)) };
  });
}

async function resultOf(page: Page): Promise<readonly Heard[]> {
  await page.goto(`http://127.0.0.1:${server.port}/`);
  await page.waitForFunction(() => 'result' in globalThis);
  return page.evaluate(() => (globalThis as unknown as { result: Promise<readonly Heard[]> }).result);
}

/** @param spoken - For each line: the port of its way to the service, and the session request. */
function pageOf(transport: string, spoken: readonly object[]): string {
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
    const speak = async ({ port, request }) => {
      const speaker = document.createElement('svc-speaker');
      speaker.transport = '${transport}';
      speaker.jitterBuffer = 'fixed';
      const tokens = [];
      let from = null;
      speaker.addEventListener('resume', (event) => (from ??= event.from));
      speaker.sessionProvider = async () => {
        const answer = await fetch('http://127.0.0.1:${(backend.address() as AddressInfo).port}/session', {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify(request),
        });
        const session = await answer.json();
        tokens.push(new URL(session.url).searchParams.get('token'));
        return { ...session, url: session.url.replace(':${servicePort}/', ':' + port + '/') };
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
      return { samples: encode(parts), silenceMs: resumptionSilenceMs, resumptions, from, error, tokens };
    };
    globalThis.result = Promise.all(${JSON.stringify(spoken)}.map(speak));
  </script>`;
}
