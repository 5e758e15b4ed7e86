import { parentPort, workerData } from 'node:worker_threads';
import { type Bench, type Job, JobRunner } from './job.js';

const port = parentPort!;
const runner = new JobRunner(workerData as Bench);

port.on('message', (job: Job) => port.postMessage(runner.run(job)));
