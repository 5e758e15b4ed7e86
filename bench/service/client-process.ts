/** A client. Its arguments are the name of the job and the job as JSON; it sends the result to the parent process. */
import { JOBS } from './jobs/jobs.js';

// The parent process has ended, so nobody needs the result.
process.on('disconnect', () => process.exit(0));
const [, , name, job] = process.argv;
const run = JOBS[name as keyof typeof JOBS] as (job: unknown) => Promise<object>;
const before = process.cpuUsage();
const result = await run(JSON.parse(job!));
const { system, user } = process.cpuUsage(before);
process.send!({ ...result, cpuSeconds: (system + user) / 1e6 }, () => process.exit(0));
