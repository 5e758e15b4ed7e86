/** The worker that owns the sockets of all speakers of a page: commands in, facts out. See `command.ts`. */
import { threadClock } from '../base/thread-clock.js';
import { openRingFeed } from './ring-feed.js';
import type { WorkerCommand, WorkerReport } from './command.js';
import { WorkerSpeaker } from './worker-speaker.js';

/** Interval at which the clock is checked for jumps: the computer has slept, or the page was frozen. */
const CLOCK_CHECK_MS = 5000;

const port = globalThis as unknown as DedicatedWorkerGlobalScope;
const speakers = new Map<number, WorkerSpeaker>();
const post = (report: WorkerReport): void => {
  // Kept samples, a copy of up to 29 MB, are not copied again.
  const samples = report.type === 'samples' && report.samples;
  port.postMessage(report, samples ? [samples.buffer] : []);
};

const doubt = (): void => {
  for (const speaker of speakers.values()) speaker.doubt();
};

let cancelCheck = (): void => {};

/** Checks the clock again and again, while there are speakers. */
function checkClock(since: number): void {
  cancelCheck();
  const timer = setTimeout(() => {
    const now = Date.now();
    if (now - since > 2 * CLOCK_CHECK_MS) doubt();
    checkClock(now);
  }, CLOCK_CHECK_MS);
  cancelCheck = () => clearTimeout(timer);
}

port.ononline = doubt;

port.onmessage = ({ data: command }: MessageEvent<WorkerCommand>) => {
  const { speaker } = command;
  if (command.type === 'open') {
    const opened = new WorkerSpeaker({
      report: (fact) => post({ ...fact, speaker }),
      createSocket: (url, protocols) => new WebSocket(url, protocols),
      openRingFeed: (descriptor) => openRingFeed(descriptor, threadClock),
      clock: threadClock,
    });
    if (speakers.size === 0) checkClock(Date.now());
    speakers.set(speaker, opened);
  } else {
    speakers.get(speaker)?.handle(command);
    if (command.type === 'close') speakers.delete(speaker);
    if (speakers.size === 0) cancelCheck();
  }
};

post({ type: 'ready' });
