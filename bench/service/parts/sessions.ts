import { rounded } from '../../timing.js';
import { runClient } from '../client.js';
import { scaled, withNodes, type Part } from '../part.js';
import { cpuSeconds } from '../readings.js';
import { eachStore } from './stores.js';

/** Number of concurrent calls. */
const CONCURRENCY = 16;

export const sessions: Part = {
  what: `session calls, ${CONCURRENCY} at a time, rate limit counting but never reached`,
  async run(bench) {
    const seconds = scaled(bench, 10, 2);
    const rows: Record<string, unknown>[] = [];
    await eachStore(
      bench,
      async ({ name, options }) => {
        await withNodes(bench, [{ ...options, voice: { pace: 'none', rate: 24_000 } }], async (node) => {
          const before = cpuSeconds(await node.read());
          const result = await runClient(bench.programs, 'callSessions', {
            places: [node],
            concurrency: CONCURRENCY,
            seconds,
          });
          rows.push({
            store: name,
            'sessions/s': Math.round(result.perSecond),
            'p50 ms': result.ms.p50,
            'p99 ms': result.ms.p99,
            failures: result.failures,
            'node cores': rounded((cpuSeconds(await node.read()) - before) / (seconds + 1), 2),
            'client cores': rounded(result.cpuSeconds / (seconds + 1), 2),
          });
        });
      },
      true,
    );
    return { rows };
  },
};
