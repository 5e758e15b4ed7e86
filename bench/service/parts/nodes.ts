import { rounded } from '../../timing.js';
import { runClient } from '../client.js';
import { scaled, withNodes, type Part } from '../part.js';
import { cpuSeconds } from '../readings.js';

export const nodes: Part = {
  what: 'two nodes against one, on one PostgreSQL: sessions and opens, 16 at a time for each node',
  needsPostgres: true,
  async run(bench) {
    const rows: Record<string, unknown>[] = [];
    const seconds = scaled(bench, 10, 2);
    for (const count of [1, 2]) {
      const databaseUrl = await bench.postgres!.emptyDatabase();
      const node = { databaseUrl, voice: { pace: 'none', rate: 24_000 } } as const;
      await withNodes(
        bench,
        Array.from({ length: count }, () => node),
        async (...running) => {
          const read = async (): Promise<number> =>
            (await Promise.all(running.map((each) => each.read()))).reduce((sum, each) => sum + cpuSeconds(each), 0);
          const before = await read();
          const called = await runClient(bench.programs, 'callSessions', {
            places: running,
            concurrency: 16 * count,
            seconds,
          });
          const cores = (await read()) - before;
          const opened = await runClient(bench.programs, 'openSockets', {
            places: running,
            concurrency: 16 * count,
            rounds: scaled(bench, 10, 2),
            socketsPerRound: 400,
          });
          rows.push({
            nodes: count,
            'sessions/s': Math.round(called.perSecond),
            'sessions p99 ms': called.ms.p99,
            'nodes cores': rounded(cores / (seconds + 1), 2),
            'client cores': rounded(called.cpuSeconds / (seconds + 1), 2),
            'opens/s': Math.round(opened.perSecond),
            'admitted p50 ms': opened.admitted.p50,
            'admitted p99 ms': opened.admitted.p99,
            failures: called.failures + opened.failures,
          });
        },
      );
    }
    return { rows };
  },
};
