import { rounded } from '../../timing.js';
import { startClient } from '../client.js';
import { scaled, withNodes, type Part } from '../part.js';
import { heapMb, reading, residentMb } from '../readings.js';

/** Sockets per client, and final number of clients. */
const PER_CLIENT = 1000;
const CLIENTS = 4;

export const sockets: Part = {
  what: 'memory of sockets that are open and do nothing, after a collection of garbage, data in memory',
  async run(bench) {
    const each = scaled(bench, PER_CLIENT, 100);
    return withNodes(bench, [{ voice: { pace: 'none', rate: 24_000 } }], async (node) => {
      const rows: Record<string, unknown>[] = [];
      // The first sockets allocate what all sockets share.
      const first = startClient(bench.programs, 'hold', { places: [node], sockets: 100 });
      await first.ready;
      const empty = await node.readCollected();
      const clients = [first];
      for (let count = 1; count <= CLIENTS; count++) {
        const client = startClient(bench.programs, 'hold', { places: [node], sockets: each });
        clients.push(client);
        await client.ready;
        // Time for two heartbeats with all sockets.
        await new Promise((resolve) => setTimeout(resolve, 5000));
        const readings = await node.readCollected();
        const grown = (megabytes: (of: typeof readings) => number) =>
          rounded(((megabytes(readings) - megabytes(empty)) * 1024) / (count * each), 1);
        rows.push({
          sockets: reading(readings, 'svc_sockets_open'),
          'RSS MB': Math.round(residentMb(readings)),
          'RSS kB/socket': grown(residentMb),
          'heap kB/socket': grown(heapMb),
          'heartbeat ms': rounded(
            (1000 * reading(readings, 'svc_heartbeat_duration_seconds_sum')) /
              reading(readings, 'svc_heartbeat_duration_seconds_count'),
            1,
          ),
        });
      }
      for (const client of clients) client.end();
      await Promise.all(clients.map(({ result }) => result));
      return { rows };
    });
  },
};
