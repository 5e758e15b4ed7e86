import { startNode, type NodeOptions, type RunningNode } from './node.js';
import type { Postgres } from './postgres.js';
import type { Programs } from './programs.js';

/** Environment of a part of the bench. */
export interface Bench {
  readonly programs: Programs;
  /** `null` if there is no PostgreSQL. */
  readonly postgres: Postgres | null;
  /** 1, or less for a faster bench: multiplies durations, and counts that may be smaller. */
  readonly scale: number;
  /** Options for Node, passed to the nodes, such as `--cpu-prof`. */
  readonly flags: readonly string[];
}

/** An upper limit and the measured value. */
export interface Target {
  readonly what: string;
  readonly most: number;
  readonly measured: number;
  readonly unit: string;
}

/** Result of a part. */
export interface PartResult {
  /** Rows of a table. */
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly targets?: readonly Target[];
}

/** A part of the bench that can be run alone. */
export interface Part {
  /** One-line description of the measurement. */
  readonly what: string;
  readonly needsPostgres?: true;
  run(bench: Bench): Promise<PartResult>;
}

/** Starts nodes, and stops them when the work has succeeded or failed. */
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

/** Scales a duration in seconds, or a count; returns at least `least`. */
export function scaled(bench: Bench, full: number, least: number): number {
  return Math.max(least, Math.round(full * bench.scale));
}
