import { readdirSync, readFileSync } from 'node:fs';

/** A process of the browser, from `SystemInfo.getProcessInfo`. */
export interface BrowserProcess {
  readonly type: string;
  readonly id: number;
}

/** Memory in bytes that no other process shares, and open file descriptors. NaN on systems other than Linux. */
export interface ProcessUse {
  /** Memory of the process of the page. */
  readonly page: number;
  readonly others: number;
  /** Descriptors of all processes. */
  readonly handles: number;
}

/** Result for a process that cannot be read: on Linux, it has ended in the meantime. */
const UNREADABLE = process.platform === 'linux' ? 0 : Number.NaN;

/** Reads what the processes of a browser use. */
export function processUse(processes: readonly BrowserProcess[]): ProcessUse {
  let [page, others, handles] = [0, 0, 0];
  for (const { type, id } of processes) {
    const memory = privateBytes(id);
    if (type === 'renderer') page += memory;
    else others += memory;
    handles += openHandles(id);
  }
  return { page, others, handles };
}

function privateBytes(id: number): number {
  try {
    const rollup = readFileSync(`/proc/${id}/smaps_rollup`, 'utf8');
    const kilobytes = [...rollup.matchAll(/^Private_(?:Clean|Dirty): +(\d+)/gm)].map(([, number]) => Number(number));
    return 1024 * kilobytes.reduce((total, number) => total + number, 0);
  } catch {
    return UNREADABLE;
  }
}

function openHandles(id: number): number {
  try {
    return readdirSync(`/proc/${id}/fd`).length;
  } catch {
    return UNREADABLE;
  }
}
