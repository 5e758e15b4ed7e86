import { readdirSync, readFileSync } from 'node:fs';

/** Environment variable that all processes of a stage inherit. */
const VARIABLE = 'SVC_STAGE';
/** Beginning of its value: another run of the tests may have stages of the same names at the same time. */
const RUN = `${process.pid} `;

/** Returns the environment by which the processes of a stage are found. @param {string} stage */
export function stageEnvironment(stage) {
  return { [VARIABLE]: RUN + stage };
}

/** Units of /proc a second; the same on every processor for which Node is built. */
const TICKS = 100;
/** A process that ends between two samples counts through its parent, so this may be long. */
const SAMPLE_INTERVAL_MS = 250;

/**
 * A process that was seen. Times are in ticks, as of the last sample; `waited` is that of its children that have ended.
 *
 * @typedef {{ stage: string, parent: string, own: number, waited: number, isRunning: boolean }} Seen
 */

/**
 * Measures the processor time of stages, user and system, of all their processes. Linux only.
 *
 * The time that Node reports of its children would omit much: a browser's processes lose their parent when it ends. So
 * this samples /proc. A process belongs to the stage that its environment names, or to that of its parent.
 */
export class ProcessorTime {
  /** @type {Map<string, Seen>} By process number and start time. */
  #seen = new Map();
  /** @type {Map<string, string>} Keys of the running processes, by process number. */
  #running = new Map();
  #timer = setInterval(() => this.#sample(), SAMPLE_INTERVAL_MS).unref();

  /** @param {string} ownStage - Stage of this process. */
  constructor(ownStage) {
    const stat = readStat(String(process.pid));
    if (stat === undefined) this.close();
    else this.#seen.set(stat.key, { stage: ownStage, parent: '', own: 0, waited: 0, isRunning: true });
  }

  /**
   * Returns the processor time of a stage so far, in seconds; `undefined` on other systems than Linux.
   *
   * @param {string} stage
   */
  seconds(stage) {
    this.#sample();
    if (this.#running.size === 0) return undefined;
    let ticks = 0;
    for (const [key, seen] of this.#seen) {
      if (seen.stage === stage) ticks += seen.own + Math.max(0, seen.waited - this.#ofEndedChildren(key));
    }
    return ticks / TICKS;
  }

  close() {
    clearInterval(this.#timer);
  }

  /**
   * Returns the time of the children that have ended and were seen, which counts by itself. `waited` of a child may lack
   * what its own children took: it can end right after them, before the next sample.
   *
   * @param {string} parent
   * @returns {number}
   */
  #ofEndedChildren(parent) {
    let ticks = 0;
    for (const [key, { parent: ofChild, isRunning, own, waited }] of this.#seen) {
      if (ofChild === parent && !isRunning) ticks += own + Math.max(waited, this.#ofEndedChildren(key));
    }
    return ticks;
  }

  #sample() {
    const stats = list().flatMap((pid) => readStat(pid) ?? []);
    this.#running = new Map(stats.map(({ pid, key }) => [pid, key]));
    for (const { pid, key, parentPid, own, waited } of stats) {
      const known = this.#seen.get(key);
      if (known) {
        Object.assign(known, { own, waited });
        continue;
      }
      const parent = this.#running.get(parentPid) ?? '';
      const stage = stageOf(pid) ?? this.#seen.get(parent)?.stage;
      if (stage !== undefined) this.#seen.set(key, { stage, parent, own, waited, isRunning: true });
    }
    const keys = new Set(this.#running.values());
    for (const [key, seen] of this.#seen) seen.isRunning = keys.has(key);
  }
}

function list() {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name));
}

/** @param {string} pid */
function readStat(pid) {
  const text = readProcess(pid, 'stat');
  if (text === undefined) return undefined;
  // The second field is the program's name in parentheses, which can contain spaces. See proc(5).
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const field = (/** @type {number} */ number) => Number(fields[number - 3]);
  return {
    pid,
    key: `${pid} ${field(22)}`,
    parentPid: String(field(4)),
    own: field(14) + field(15),
    waited: field(16) + field(17),
  };
}

/** @param {string} pid */
function stageOf(pid) {
  const prefix = `${VARIABLE}=${RUN}`;
  const entry = readProcess(pid, 'environ')
    ?.split('\0')
    .find((text) => text.startsWith(prefix));
  return entry?.slice(prefix.length);
}

/**
 * @param {string} pid
 * @param {'stat' | 'environ'} file
 */
function readProcess(pid, file) {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    // The process has ended, belongs to someone else, or this is not Linux.
    return undefined;
  }
}
