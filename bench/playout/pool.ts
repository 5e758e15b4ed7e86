import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { build } from 'esbuild';
import type { Bench, Job } from './job.js';
import type { RunMetrics } from './metrics.js';

/**
 * Runs jobs on several threads.
 *
 * @param threads - At least 1.
 * @returns One result per job, in the order of the jobs.
 * @throws Whatever a job throws; then no more are begun.
 */
export async function runJobs(bench: Bench, jobs: readonly Job[], threads: number): Promise<RunMetrics[]> {
  const results: RunMetrics[] = [];
  let next = 0;
  // Node 20 does not load TypeScript in a thread by itself.
  const entry = fileURLToPath(new URL('worker.ts', import.meta.url));
  const { outputFiles } = await build({ entryPoints: [entry], bundle: true, write: false, platform: 'node' });
  const serve = async (): Promise<void> => {
    const worker = new Worker(outputFiles[0]!.text, { eval: true, workerData: bench });
    try {
      while (next < jobs.length) {
        const index = next++;
        results[index] = await answer(worker, jobs[index]!);
      }
    } finally {
      await worker.terminate();
    }
  };
  try {
    await Promise.all(Array.from({ length: Math.min(threads, jobs.length) }, serve));
  } finally {
    next = jobs.length;
  }
  return results;
}

function answer(worker: Worker, job: Job): Promise<RunMetrics> {
  return new Promise((resolve, reject) => {
    worker.once('error', reject);
    worker.once('message', (metrics: RunMetrics) => {
      worker.off('error', reject);
      resolve(metrics);
    });
    worker.postMessage(job);
  });
}
