import { monitorEventLoopDelay } from 'node:perf_hooks';
import { median, quantile, rounded } from '../../timing.js';
import type { Place } from '../place.js';
import { spreadOf, type Spread } from '../spread.js';
import { atOnce, pause } from './at-once.js';
import { openSocket, type SpeechSocket } from './speech-socket.js';

/** Real-time streams from a voice that produces each frame when it is due. */
export interface LiveJob {
  readonly place: Place;
  readonly streams: number;
  readonly seconds: number;
}

/** Lateness of frames. */
export interface LiveResult {
  /** Lateness relative to the schedule, which is set by the earliest frame of each stream, in milliseconds. */
  readonly late: Spread & { readonly p999: number };
  /**
   * Median over windows of {@link WINDOW_SECONDS} of the 99th percentile, so that a single stall of the machine does
   * not count.
   */
  readonly usualP99: number;
  /** Frames that were due and did not arrive. */
  readonly missing: number;
  /** CPU time of the client while it listened, in cores. */
  readonly cores: number;
  /** Lateness of the client itself: the 99th percentile and the maximum over its timers, in milliseconds. */
  readonly clientLateP99: number;
  readonly clientLateWorst: number;
}

const FRAME_SECONDS = 0.06;

const WINDOW_SECONDS = 5;

/** Sample rate of the sessions, in Hz. */
const SAMPLE_RATE = 24_000;

/** Interval between checks of the client's timers, in milliseconds. */
const DELAY_RESOLUTION_MS = 2;

/** Delay after the last stream was opened, in milliseconds. */
const SETTLE_MS = 3000;

/** Listens to streams and compares each frame's arrival with the schedule. */
export async function live({ place, seconds, streams }: LiveJob): Promise<LiveResult> {
  const longest = Math.ceil(seconds / FRAME_SECONDS) + 10;
  const arrivals = Array.from({ length: streams }, () => ({
    after: new Float64Array(longest),
    at: new Float64Array(longest),
    count: 0,
  }));
  const sockets: SpeechSocket[] = [];
  let listening = false;
  let closed = 0;
  await atOnce(streams, 4, async (index) => {
    const socket = await openSocket(place);
    const stream = arrivals[index]!;
    socket.listener = {
      frame(pts) {
        if (!listening || stream.count === longest) return;
        const now = performance.now();
        stream.at[stream.count] = now;
        stream.after[stream.count++] = now - (pts / SAMPLE_RATE) * 1000;
      },
      closed: () => closed++,
    };
    // More than needed, so that no stream ends during the measurement.
    socket.say(String(seconds + 600));
    sockets.push(socket);
    // Streams of different users are not synchronised.
    await pause(Math.random() * 4 * FRAME_SECONDS * 1000);
  });
  await pause(SETTLE_MS);

  const delay = monitorEventLoopDelay({ resolution: DELAY_RESOLUTION_MS });
  delay.enable();
  const cpu = process.cpuUsage();
  listening = true;
  const beganAt = performance.now();
  await pause(seconds * 1000);
  listening = false;
  const { system, user } = process.cpuUsage(cpu);
  delay.disable();
  if (closed > 0) throw new Error(`${closed} of the streams were closed.`);

  const late: number[] = [];
  const windows: number[][] = Array.from({ length: Math.max(1, Math.floor(seconds / WINDOW_SECONDS)) }, () => []);
  for (const { after, at, count } of arrivals) {
    const best = after.subarray(0, count).reduce((least, value) => Math.min(least, value), Infinity);
    for (let index = 0; index < count; index++) {
      late.push(after[index]! - best);
      windows[Math.floor((at[index]! - beganAt) / 1000 / WINDOW_SECONDS)]?.push(after[index]! - best);
    }
  }
  for (const socket of sockets) {
    socket.listener = {};
    socket.close();
  }
  await pause(500); // time for sockets to close properly
  return {
    late: { ...spreadOf(late), p999: rounded(quantile(late, 0.999), 2) },
    usualP99: rounded(median(windows.map((window) => quantile(window, 0.99))), 2),
    // Tolerates one frame per stream, depending on where the measured time begins.
    missing: Math.max(0, Math.floor(seconds / FRAME_SECONDS) * streams - streams - late.length),
    cores: rounded((system + user) / 1e6 / seconds, 2),
    clientLateP99: rounded(delay.percentile(99) / 1e6 - DELAY_RESOLUTION_MS, 2),
    clientLateWorst: rounded(delay.max / 1e6 - DELAY_RESOLUTION_MS, 2),
  };
}
