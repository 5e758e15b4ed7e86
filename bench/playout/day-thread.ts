/** Worker thread of `runJobs`: runs each `DayJob` that it receives, and sends back the metrics. */
import { parentPort, workerData } from 'node:worker_threads';
import type { Bench } from './bench.js';
import { type DayJob, runDay } from './day-job.js';

const port = parentPort!;

port.on('message', (job: DayJob) => port.postMessage(runDay(job, workerData as Bench)));
