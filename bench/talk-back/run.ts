/**
 * How a page in a room hears a person while its own speech is in the air: `npm run talk-back --prefix bench`, 25 minutes.
 * Needs PulseAudio.
 *
 * Chromium shows the demo page `talk-back`. A sound server feeds what the page plays back into the microphone, and mixes in
 * a word that is spoken into it, with peaks at half of full scale. All times are on one clock, that of the air.
 *
 * False ducks and stops: in 60 s of the story, while nobody speaks. Time to silence: from the first sample of a word at the
 * microphone to the last sound of the loudspeaker, over 40 words, each at a random moment of a story without pauses. A
 * story that stops before its word is started again, at most 40 times. The target is 300 ms at the 95th percentile.
 *
 * With `-- NAME …`, only these rows.
 */
import { loadavg } from 'node:os';
import { chromium, type Browser } from 'playwright';
import { ensureBrowser } from '../../scripts/browser.mjs';
import { ensurePrograms } from '../../scripts/programs.mjs';
import { Random } from '../../src/testing/random.js';
import { startDemo } from '../../test/demo/demo-server.js';
import { show } from '../show.js';
import { quantile, rounded } from '../timing.js';
import { Conversation, type Settings } from './conversation.js';
import { Room } from './room.js';
import { makeWords } from './words.js';

const STORY_SECONDS = 60;
const WORDS = 40;
const RETRIES = 40;
const TARGET_MS = 300;

/** Settings of the page as it is opened. */
const USUAL = { echo: 'on', threshold: 0.5, enoughMs: 160, echoDb: -20 } as const;

/** Rows of the table. `echoDb` is the loudness of the echo at the microphone, compared with the loudspeaker. */
const CASES: Record<string, Settings & { readonly echoDb: number }> = {
  headphones: { ...USUAL, echoDb: -Infinity },
  on: USUAL,
  off: { ...USUAL, echo: 'off' },
  quick: { ...USUAL, threshold: 0.3, enoughMs: 96 },
  sink: { ...USUAL, sink: 'second' },
};

/** One sentence without a comma, so that the loudspeaker is silent only if the page has silenced it. */
const BREATHLESS =
  'every night the keeper of the lighthouse opened one of the glass jars in which he had collected the sounds of the sea ' +
  'and listened to the small waves of a summer morning or to the long swell that comes before a storm or to the gulls ' +
  'above the rocks or to the bell on the buoy in the bay until he fell asleep in the chair beside the lamp';

const missing = await ensurePrograms(['chromium', 'sound']);
if (missing.length > 0) throw new Error(`Missing: ${missing.join(', ')}. Install PulseAudio and Chromium.`);
const names = process.argv.slice(2);
const unknown = names.filter((name) => !(name in CASES));
if (unknown.length > 0)
  throw new Error(`Unknown rows: ${unknown.join(', ')}. There are ${Object.keys(CASES).join(', ')}.`);

const words = await makeWords();
const demo = await startDemo();
const rows = [];
try {
  for (const name of names.length > 0 ? names : Object.keys(CASES)) {
    rows.push({ row: name, ...(await measure(CASES[name]!)), 'p95 at most (ms)': TARGET_MS });
    console.error(JSON.stringify(rows.at(-1)));
  }
} finally {
  await demo.stop();
}
show('talk-back: silence', rows);

/** Measures a row, with a sound server and a browser of its own. */
async function measure({ echoDb, ...settings }: Settings & { readonly echoDb: number }) {
  const room = await Room.open(echoDb);
  let browser: Browser | undefined;
  try {
    browser = await chromium.launch({
      executablePath: await ensureBrowser(),
      args: ['--no-sandbox', '--use-fake-ui-for-media-stream'],
      ignoreDefaultArgs: ['--mute-audio'],
      env: { ...room.env },
    });
    const conversation = await Conversation.open(await browser.newPage(), demo.url, settings);
    await conversation.tell(STORY_SECONDS);
    const alone = await conversation.read();
    await conversation.setStory(BREATHLESS);
    const { times, missed, early } = await interrupt(room, conversation);
    const ms = (share: number): number | null => (times.length > 0 ? rounded(1000 * quantile(times, share), 0) : null);
    return {
      'false ducks': alone.ducks,
      'false stops': alone.stops,
      words: times.length,
      'not noticed': missed,
      'stopped before': early,
      'median (ms)': ms(0.5),
      'p95 (ms)': ms(0.95),
      'output latency (ms)': rounded(1000 * alone.outputLatency, 0),
      load: rounded(loadavg()[0]!, 1),
    };
  } finally {
    await browser?.close();
    await room.close();
  }
}

/** Interrupts the story with each word in turn, at random moments. */
async function interrupt(room: Room, conversation: Conversation) {
  const random = new Random(17);
  const times: number[] = [];
  let missed = 0;
  let early = 0;
  while (times.length + missed < WORDS && early < RETRIES) {
    const { stops } = await conversation.read();
    await conversation.speak();
    const from = room.now;
    const wait = random.uniform(1, 5);
    while (room.now < from + wait || !room.isLoud) {
      await new Promise((resolve) => setTimeout(resolve, 10));
      if (room.now > from + wait + 3) break;
    }
    if ((await conversation.read()).stops > stops) {
      early++;
      continue;
    }
    const seconds = await room.say(words[(times.length + missed) % words.length]!);
    if (seconds === null) missed++;
    else times.push(seconds);
    await conversation.hush();
  }
  return { times, missed, early };
}
