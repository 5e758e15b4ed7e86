/** A client: the job's name and what it is told, as JSON, are its arguments; it sends what came of it. */
import { JOBS } from './jobs/jobs.js';

// Nobody is there any more who would want to know.
process.on('disconnect', () => process.exit(0));
const [, , name, job] = process.argv;
const run = JOBS[name as keyof typeof JOBS] as (job: unknown) => Promise<object>;
const before = process.cpuUsage();
const result = await run(JSON.parse(job!));
const { system, user } = process.cpuUsage(before);
process.send!({ ...result, cpuSeconds: (system + user) / 1e6 }, () => process.exit(0));
