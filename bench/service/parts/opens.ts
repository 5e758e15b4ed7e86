import { runClient } from '../client.js';
import { scaled, withNodes, type Part } from '../part.js';
import { eachStore } from './stores.js';

export const opens: Part = {
  what: 'sockets from URL in hand to open, and to admitted (the first frame of a voice that answers at once)',
  async run(bench) {
    const rows: Record<string, unknown>[] = [];
    await eachStore(
      bench,
      async ({ name, options }) => {
        await withNodes(bench, [{ ...options, voice: { pace: 'none', rate: 24_000 } }], async (node) => {
          for (const concurrency of [1, 16]) {
            const { admitted, failures, opened, perSecond } = await runClient(bench.programs, 'openSockets', {
              places: [node],
              concurrency,
              rounds: scaled(bench, 10, 2),
              socketsPerRound: 200,
            });
            rows.push({
              store: name,
              'at a time': concurrency,
              'opens/s': Math.round(perSecond),
              'open p50 ms': opened.p50,
              'open p99 ms': opened.p99,
              'admitted p50 ms': admitted.p50,
              'admitted p99 ms': admitted.p99,
              failures,
            });
          }
        });
      },
      true,
    );
    return { rows };
  },
};
