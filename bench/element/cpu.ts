import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser } from 'playwright';
import { median, rounded } from '../timing.js';

/** Time that a page plays before it is measured, and the duration of a measurement, in milliseconds. */
const SETTLE_MS = 4000;
const MEASURE_MS = 12_000;
const ROUNDS = 3;

/** A page that plays for as long as it is open. */
export interface PlayingPage {
  readonly name: string;
  /** Starts a browser for the page alone, and resolves when sound plays. */
  open(): Promise<Browser>;
}

/** Processor time of Chromium while a page plays, in seconds a minute: the median of several measurements. */
export type PlayingCost = {
  page: string;
  total: number;
  /** Ratio of the totals to that of the first page, the median of the rounds. */
  ratio: number;
  /** Share of the thread that renders audio, in the page's process. */
  audioThread: number;
  /** Share of the page's workers. */
  workers: number;
  /** Share of the page's main thread. */
  mainThread: number;
  /** Share of all other threads and processes. */
  other: number;
};

/** Measures pages in turn, so that other programs disturb all of them alike. */
export async function playingCosts(pages: readonly PlayingPage[]): Promise<PlayingCost[]> {
  const rounds: Record<string, number>[][] = pages.map(() => []);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [index, { open }] of pages.entries()) {
      const browser = await open();
      await sleep(SETTLE_MS);
      const before = await processorSeconds(browser);
      const from = performance.now();
      await sleep(MEASURE_MS);
      const after = await processorSeconds(browser);
      const minutes = (performance.now() - from) / 60_000;
      await browser.close();
      rounds[index]!.push(
        Object.fromEntries(Object.keys(after).map((kind) => [kind, (after[kind]! - (before[kind] ?? 0)) / minutes])),
      );
    }
  }
  const totals = rounds.map((ofPage) => ofPage.map((kinds) => Object.values(kinds).reduce((sum, s) => sum + s, 0)));
  return pages.map(({ name }, index) => {
    const typical = (kind: string): number => rounded(median(rounds[index]!.map((kinds) => kinds[kind] ?? 0)), 2);
    return {
      page: name,
      total: rounded(median(totals[index]!), 2),
      ratio: rounded(median(totals[index]!.map((total, round) => total / totals[0]![round]!)), 2),
      audioThread: typical('audioThread'),
      workers: typical('workers'),
      mainThread: typical('mainThread'),
      other: typical('other'),
    };
  });
}

/** Returns the processor time that each kind of thread has used, in seconds. Linux only. */
async function processorSeconds(browser: Browser): Promise<Record<string, number>> {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  const seconds: Record<string, number> = {};
  for (const { type, id } of processInfo) {
    const threads = `/proc/${id}/task`;
    for (const thread of await readdir(threads)) {
      const read = (file: string) => readFile(`${threads}/${thread}/${file}`, 'utf8').catch(() => null);
      const [name, times] = [await read('comm'), await read('schedstat')];
      if (name === null || times === null) continue; // the thread has ended meanwhile
      const [nanoseconds] = times.split(' ');
      const kind = type === 'renderer' ? kindOf(name, Number(thread) === id) : 'other';
      seconds[kind] = (seconds[kind] ?? 0) + Number(nanoseconds) / 1e9;
    }
  }
  return seconds;
}

/** @param name - Name of a thread of the page's process, up to 15 characters. */
function kindOf(name: string, isMain: boolean): string {
  if (isMain) return 'mainThread';
  if (name.startsWith('DedicatedWorker')) return 'workers';
  return /^(Realtime )?AudioW/.test(name) ? 'audioThread' : 'other';
}
