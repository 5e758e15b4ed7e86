import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { median, quantile, rounded } from '../timing.js';

/** What a contender takes per output in a calm moment, in nanoseconds, and how that compares with the first one's, median. */
export interface Standing {
  contender: string;
  ns: number;
  ratio: number;
}

/** Rounds, the first of which let everything be compiled. */
const ROUNDS = 160;
const WARM = 60;

/**
 * Times contenders in turn, a moment each, so that what the machine does besides hits all alike. Each has a process of
 * its own: once memory of WebAssembly has grown, V8 checks each access to a typed array, and so the others would slow
 * ours down, as they do not where they are not.
 *
 * @param names - The first one is what the others are compared with.
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
    ratio: rounded(median(times[i]!.map((ns, round) => ns / times[0]![round]!)), 2),
  }));
}
