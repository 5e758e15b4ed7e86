import { runClient } from '../client.js';
import { withNodes, type Part } from '../part.js';

const RUNS = 6;
const ATTEMPTS = 400;
const CEILING = 25;
const PER_MINUTE = 200;

export const limits: Part = {
  what: `${ATTEMPTS} sockets, then ${ATTEMPTS} session calls, all at the same time over two nodes: how many get through, ${RUNS} times`,
  needsPostgres: true,
  async run(bench) {
    const runs = Array.from({ length: RUNS }, (_, index) => index + 1);
    const voice = { pace: 'none', rate: 24_000 } as const;
    const row: Record<string, unknown>[] = [];
    let wrong = 0;
    const databaseUrl = await bench.postgres!.emptyDatabase();
    const ceiling = { databaseUrl, voice, maxConcurrentSessions: CEILING };
    const admitted: number[] = [];
    const others: number[] = [];
    await withNodes(bench, [ceiling, ceiling], async (...places) => {
      for (const _ of runs) {
        const result = await runClient(bench.programs, 'attempt', { places, attempts: ATTEMPTS });
        admitted.push(result.admitted);
        others.push(result.others);
        if (result.admitted !== CEILING || result.others > 0) wrong++;
      }
    });
    row.push({
      limit: `ceiling of ${CEILING} sockets`,
      'got through': admitted.join(', '),
      'failed otherwise': others.join(', '),
    });

    const rate = {
      databaseUrl: await bench.postgres!.emptyDatabase(),
      voice,
      limits: { requestsPerMinute: PER_MINUTE },
    };
    const allowed: number[] = [];
    const failed: number[] = [];
    await withNodes(bench, [rate, rate], async (...places) => {
      for (const run of runs) {
        // A new client address each time, so that there is no need to wait for a minute to pass.
        const from = process.platform === 'linux' ? `127.0.1.${run}` : '127.0.0.1';
        const { byStatus } = await runClient(bench.programs, 'request', { places, requests: ATTEMPTS, from });
        const [passed = 0, refused = 0] = [byStatus['200'], byStatus['429']];
        allowed.push(passed);
        failed.push(ATTEMPTS - passed - refused);
        if (passed !== PER_MINUTE || passed + refused !== ATTEMPTS) wrong++;
      }
    });
    row.push({
      limit: `rate of ${PER_MINUTE} a minute`,
      'got through': allowed.join(', '),
      'failed otherwise': failed.join(', '),
    });
    return { rows: row, targets: [{ what: 'runs that were not exact', most: 0, measured: wrong, unit: '' }] };
  },
};
