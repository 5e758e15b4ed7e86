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
export interface PlayingCost {
  page: string;
  total: number;
  /** Ratio of the totals to that of the first page, the median of the rounds. */
  ratio: number;
  /** Share of the page, its worker and its audio thread. */
  renderer: number;
  audio: number;
  network: number;
  /** Share of the browser process and the compositor. */
  other: number;
}

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
      renderer: typical('renderer'),
      audio: typical('audio'),
      network: typical('network'),
      other: typical('other'),
    };
  });
}

/** Returns the processor time that each kind of process has used, in seconds. */
async function processorSeconds(browser: Browser): Promise<Record<string, number>> {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  const seconds: Record<string, number> = {};
  for (const { type, cpuTime } of processInfo) {
    const kind = ['audio', 'network', 'renderer'].find((name) => type.toLowerCase().includes(name)) ?? 'other';
    seconds[kind] = (seconds[kind] ?? 0) + cpuTime;
  }
  return seconds;
}
