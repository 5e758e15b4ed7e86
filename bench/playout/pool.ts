import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { build } from 'esbuild';

/**
 * Runs jobs on several threads. Each thread receives a job as a message and answers with its result.
 *
 * @param file - Entry point of the threads, relative to this file.
 * @param data - The `workerData` of every thread.
 * @param threads - At least 1.
 * @returns One result per job, in the order of the jobs.
 * @throws Any error of a job; then no further jobs are started.
 */
export async function runJobs<Result>(
  file: string,
  data: unknown,
  jobs: readonly unknown[],
  threads: number,
): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  // Node 20 cannot load TypeScript in a thread.
  const entry = fileURLToPath(new URL(file, import.meta.url));
  const { outputFiles } = await build({ entryPoints: [entry], bundle: true, write: false, platform: 'node' });
  const serve = async (): Promise<void> => {
    const worker = new Worker(outputFiles[0]!.text, { eval: true, workerData: data });
    try {
      while (next < jobs.length) {
        const index = next++;
        results[index] = await answer<Result>(worker, jobs[index]);
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

function answer<Result>(worker: Worker, job: unknown): Promise<Result> {
  return new Promise((resolve, reject) => {
    worker.once('error', reject);
    worker.once('message', (result: Result) => {
      worker.off('error', reject);
      resolve(result);
    });
    worker.postMessage(job);
  });
}
