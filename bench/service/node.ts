import { fork, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { ServiceOptions } from '../../service/src/index.js';
import type { Place } from './place.js';
import type { Programs } from './programs.js';
import { readMetrics, type Readings } from './readings.js';

/** API key of every node. */
const API_KEY = 'bench-0123456789abcdef';

/** Options of a node. */
export interface NodeOptions extends Pick<
  ServiceOptions,
  'apiKey' | 'databaseUrl' | 'dataDir' | 'limits' | 'maxConcurrentSessions' | 'nodeName' | 'rateLimitExempt'
> {
  /** Flite, or a stub with samples of a rate in Hz, which speaks in real time or all at once. */
  readonly voice: 'flite' | { readonly pace: 'real' | 'none'; readonly rate: number };
}

/** A running node in a separate process. */
export interface RunningNode extends Place {
  /** API keys of five other accounts. A node of {@link startShipped} has none. */
  readonly otherKeys: readonly string[];
  readonly process: ChildProcess;
  /** Reads `/metrics`. */
  read(): Promise<Readings>;
  /** CPU time of its event loop's thread so far, in seconds; NaN if the system does not report it: only Linux does. */
  eventLoopSeconds(): number;
  /** Reads `/metrics` after a garbage collection. */
  readCollected(): Promise<Readings>;
  /** Stops the node regularly. */
  stop(): Promise<void>;
  /** Kills the node, like a crash. */
  kill(): Promise<void>;
}

/** Limits that a bench would reach but a client would not. */
const UNLIMITED = { requestsPerMinute: 1e9, idleMs: 3_600_000 };

/**
 * Starts a node with limits that do not interfere.
 *
 * @param flags - Options for Node, such as `--cpu-prof`.
 * @returns Resolves when the node listens.
 * @throws {Error} If the node exits before. Its messages are on stderr.
 */
export async function startNode(
  { node }: Programs,
  { limits, ...options }: NodeOptions,
  flags: readonly string[] = [],
): Promise<RunningNode> {
  const given = { apiKey: API_KEY, maxConcurrentSessions: 1e6, limits: { ...UNLIMITED, ...limits }, ...options };
  const child = fork(node, [JSON.stringify(given)], { execArgv: ['--expose-gc', ...flags] });
  const [{ otherKeys, url }] = (await firstOf(child, 'message')) as [{ url: string; otherKeys: string[] }];
  return running(child, url, otherKeys, async () => {
    const collected = once(child, 'message');
    child.send('collect');
    await collected;
  });
}

/**
 * Starts the shipped service with its defaults: `svc-service` with these arguments.
 *
 * @param environment - Environment variables to add.
 */
export async function startShipped(
  { cli }: Programs,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<RunningNode> {
  const child = spawn(process.execPath, [cli, '--port', '0', ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, SVC_API_KEY: API_KEY, ...environment },
  });
  const end = (): boolean => child.kill();
  process.on('exit', end);
  child.on('exit', () => process.off('exit', end));
  const [line] = (await firstOf(createInterface(child.stdout), 'line', child)) as [string];
  return running(child, line.replace(/^ready (.*)\/$/, '$1'), [], async () => {});
}

function running(
  child: ChildProcess,
  url: string,
  otherKeys: readonly string[],
  collect: () => Promise<void>,
): RunningNode {
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  };
  const read = () => readMetrics(`${url}/metrics`);
  return {
    url,
    apiKey: API_KEY,
    otherKeys,
    process: child,
    read,
    eventLoopSeconds: () => threadSeconds(child.pid!),
    readCollected: () => collect().then(read),
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
  };
}

/** Returns the CPU time of a process's first thread, in seconds. */
function threadSeconds(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e9;
  } catch {
    return Number.NaN;
  }
}

async function firstOf(emitter: NodeJS.EventEmitter, event: string, child = emitter): Promise<unknown[]> {
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`The process ended with ${code} before it was ready.`);
  });
  ended.catch(() => {}); // it may end later, when it is stopped
  return Promise.race([once(emitter, event), ended]);
}
