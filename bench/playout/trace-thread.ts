import { parentPort, workerData } from 'node:worker_threads';
import type { Bench } from './bench.js';
import { type TraceJob, TraceRunner } from './trace-job.js';

const port = parentPort!;
const runner = new TraceRunner(workerData as Bench);

port.on('message', (job: TraceJob) => port.postMessage(runner.run(job)));
