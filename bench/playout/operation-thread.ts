import { parentPort, workerData } from 'node:worker_threads';
import type { Bench } from './bench.js';
import { type OperationJob, tryOperation } from './operation-job.js';

const port = parentPort!;

port.on('message', (job: OperationJob) => port.postMessage(tryOperation(job, workerData as Bench)));
