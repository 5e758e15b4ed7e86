import { startNode, type NodeOptions, type RunningNode } from './node.js';
import type { Postgres } from './postgres.js';
import type { Programs } from './programs.js';

/** What every part of the bench is given. */
export interface Bench {
  readonly programs: Programs;
  /** `null` where there is none. */
  readonly postgres: Postgres | null;
  /** 1, or less to be done sooner: what takes time, and how many there are of what need not be so many. */
  readonly scale: number;
  /** Options for Node that nodes get, such as `--cpu-prof`. */
  readonly flags: readonly string[];
}

/** A value that is not to be exceeded, and the one measured. */
export interface Target {
  readonly what: string;
  readonly most: number;
  readonly measured: number;
  readonly unit: string;
}

/** What a part found out. */
export interface PartResult {
  /** A table. */
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly targets?: readonly Target[];
}

/** A part of the bench, that can be run alone. */
export interface Part {
  /** What it measures, in a line. */
  readonly what: string;
  readonly needsPostgres?: true;
  run(bench: Bench): Promise<PartResult>;
}

/** Starts nodes, and ends them when the work is done, whatever came of it. */
export async function withNodes<Result>(
  { flags, programs }: Bench,
  nodes: readonly NodeOptions[],
  work: (...nodes: RunningNode[]) => Promise<Result>,
): Promise<Result> {
  const running: RunningNode[] = [];
  try {
    for (const node of nodes) running.push(await startNode(programs, node, flags));
    return await work(...running);
  } finally {
    await Promise.all(running.map((node) => node.stop()));
  }
}

/** Seconds, or a count, for a bench of this scale; at least `least`. */
export function scaled(bench: Bench, full: number, least: number): number {
  return Math.max(least, Math.round(full * bench.scale));
}
