/**
 * Measures the cost of keeping speech for seeking, and how soon a seek is heard: `npm run history --prefix bench`.
 *
 * Cost: the worker's tape takes 1200 s of speech in frames of 60 ms and writes them to a ring in shared memory, from which
 * they are read immediately. For each `history` in seconds: MB of memory held at the end, and microseconds per frame,
 * as the median of several alternating runs, also relative to the same run without a history.
 *
 * Seeks: simulated, see seeks.ts. For each transport: milliseconds from the call until the old place is silent, and until
 * the new place is heard.
 */
import { setTimeout } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { openRingFeed } from '../../src/connection/ring-feed.js';
import { SpeechTape } from '../../src/connection/speech-tape.js';
import { initRing, openRing, ringBytes, ringCapacity, RingReader } from '../../src/ring/index.js';
import { show } from '../show.js';
import { median, rounded, time } from '../timing.js';
import { simulateSeeks } from './seeks.js';

const RATE = 24_000;
const FRAME = 0.06 * RATE;
const SECONDS = 1200;
const HISTORIES = [0, 60, 600];
const FRAMES = (SECONDS * RATE) / FRAME;
const RUNS = 15;
const SEEKS = 400;
const CLOCK = { now: () => performance.now(), after: () => () => {} };

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const frameUs = new Map<number, number[]>(HISTORIES.map((seconds) => [seconds, []]));
for (let turn = 0; turn < RUNS; turn++) {
  for (const seconds of HISTORIES) {
    const ms = time(() => fill(seconds));
    frameUs.get(seconds)!.push((ms * 1000) / FRAMES);
  }
}
const rows = [];
for (const seconds of HISTORIES) {
  const own = frameUs.get(seconds)!;
  rows.push({
    'history (s)': seconds,
    'held (MB)': rounded(await heldBy(seconds), 1),
    'frame (us)': rounded(median(own), 2),
    ratio: rounded(median(own.map((us, turn) => us / frameUs.get(0)![turn]!)), 2),
  });
}
show('history: cost', rows);
const seeks = (['shared', 'message'] as const).map((transport) => {
  const times = simulateSeeks(transport, SEEKS);
  const [silent, sound] = [times.map(({ silentMs }) => silentMs), times.map(({ soundMs }) => soundMs)];
  return {
    transport,
    'silent after (ms)': rounded(median(silent), 1),
    'worst silent after (ms)': rounded(Math.max(...silent), 1),
    'heard after (ms)': rounded(median(sound), 1),
    'worst heard after (ms)': rounded(Math.max(...sound), 1),
  };
});
show('history: seeks', seeks);

/** Pushes all the speech into a tape and returns the tape. */
function fill(seconds: number): SpeechTape {
  const memory = new SharedArrayBuffer(ringBytes(ringCapacity(RATE)));
  initRing(memory, ringCapacity(RATE), RATE);
  const reader = new RingReader(openRing(memory));
  const tape = new SpeechTape(() => {});
  tape.attach(openRingFeed({ transport: 'shared', memory }, CLOCK));
  tape.setLimit(seconds * RATE);
  for (let frame = 0; frame < FRAMES; frame++) {
    tape.push(1, new Int16Array(FRAME));
    reader.refresh();
    reader.advance(reader.available);
    reader.release(reader.position, reader.markIndex);
  }
  return tape;
}

/** Returns the megabytes of samples that a full tape keeps. */
async function heldBy(seconds: number): Promise<number> {
  await collectAll();
  const before = process.memoryUsage().arrayBuffers;
  const tape = fill(seconds);
  await collectAll();
  const held = process.memoryUsage().arrayBuffers - before;
  tape.end(1); // keeps the tape alive until here
  return held / 1e6;
}

/** Collects garbage. Buffers are freed in the background, so this takes several rounds. */
async function collectAll(): Promise<void> {
  for (let i = 0; i < 10; i++) {
    collect();
    await setTimeout(20);
  }
}
