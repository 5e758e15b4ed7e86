import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { Jobs } from './jobs/jobs.js';
import type { Programs } from './programs.js';

/** A client that runs a job in a separate process. */
export interface Client<Result> {
  /** Resolves when everything that the job holds is open; only for jobs that hold something. */
  readonly ready: Promise<void>;
  /** Result of the job. Rejects if the client fails. */
  readonly result: Promise<Result & { readonly cpuSeconds: number }>;
  /** Makes the client release what it holds. */
  end(): void;
}

/** Starts a job. */
export function startClient<Name extends keyof Jobs>(
  { client }: Programs,
  name: Name,
  job: Parameters<Jobs[Name]>[0],
): Client<Awaited<ReturnType<Jobs[Name]>>> {
  type Result = Awaited<ReturnType<Jobs[Name]>> & { cpuSeconds: number };
  const child = fork(client, [name, JSON.stringify(job)], { execArgv: [] });
  const ended = once(child, 'exit').then(([code, signal]) => {
    throw new Error(`Client ${name} ended with ${code ?? signal}.`);
  });
  const heard = new Promise<Result>((resolve) => {
    child.on('message', (message) => {
      if (message !== 'ready') resolve(message as Result);
    });
  });
  const ready = Promise.race([once(child, 'message'), ended]).then(() => {});
  const result = Promise.race([heard, ended]);
  ready.catch(() => {});
  result.catch(() => {}); // the caller handles it when it awaits the result
  return { ready, result, end: () => void child.send('end') };
}

/** Runs a job to its end and returns the result. */
export function runClient<Name extends keyof Jobs>(
  programs: Programs,
  name: Name,
  job: Parameters<Jobs[Name]>[0],
): Promise<Awaited<ReturnType<Jobs[Name]>> & { readonly cpuSeconds: number }> {
  return startClient(programs, name, job).result;
}
