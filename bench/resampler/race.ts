import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { median, quantile, rounded } from '../timing.js';

/** Nanoseconds per output sample of a contender (10th percentile), and the median ratio to the first contender. */
export interface Standing {
  contender: string;
  ns: number;
  timesOurs: number;
}

/** Rounds, and the number of initial ones that only let the engine compile. */
const ROUNDS = 160;
const WARM = 60;

/**
 * Times contenders in short turns, so that other programs disturb all of them alike. Each has a separate process: once
 * WebAssembly memory has grown, V8 checks each access to a typed array, so the others would slow ours down, unlike in
 * real use.
 *
 * @param names - The first one is the reference for the others.
 */
export async function race(names: readonly string[], from: number, to: number): Promise<Standing[]> {
  const file = fileURLToPath(new URL('contender-cost.ts', import.meta.url));
  const children = names.map((name) => fork(file, [name, String(from), String(to)], { execArgv: ['--import', 'tsx'] }));
  const ended = children.map(async (child, i) => {
    await once(child, 'exit');
    throw new Error(`${names[i]} ended`);
  });
  const times = names.map(() => [] as number[]);
  try {
    for (let round = 0; round < ROUNDS; round++) {
      for (const [i, child] of children.entries()) {
        child.send('go');
        const [ns] = (await Promise.race([once(child, 'message'), ended[i]!])) as [number];
        if (round >= WARM) times[i]!.push(ns);
      }
    }
  } finally {
    for (const child of children) child.kill();
    await Promise.allSettled(ended);
  }
  return names.map((contender, i) => ({
    contender,
    ns: rounded(quantile(times[i]!, 0.1), 1),
    timesOurs: rounded(median(times[i]!.map((ns, round) => ns / times[0]![round]!)), 2),
  }));
}
