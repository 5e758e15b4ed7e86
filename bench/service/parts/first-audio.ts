import { runClient } from '../client.js';
import { scaled, withNodes, type Part } from '../part.js';

export const firstAudio: Part = {
  what: 'text to first frame, short sentences one after the other, flite, an idle node with its data in memory',
  async run(bench) {
    return withNodes(bench, [{ voice: 'flite' }], async (node) => {
      const { client, quietest, server, withComma, withoutComma } = await runClient(bench.programs, 'firstAudio', {
        place: node,
        sentences: scaled(bench, 500, 40),
      });
      const row = (from: string, spread: typeof client) => ({
        from,
        sentences: spread.count,
        'p50 ms': spread.p50,
        'p99 ms': spread.p99,
        'worst ms': spread.worst,
      });
      return {
        rows: [
          row('text received to frame sent, in the service', server),
          row('… of those in a row when the machine had least else to do', quietest),
          row('… with a comma, whose first piece is short', withComma),
          row('… without one, which are one piece', withoutComma),
          row('text sent to frame received, at the client', client),
        ],
        targets: [{ what: 'text received to first frame sent, median', most: 25, measured: quietest.p50, unit: 'ms' }],
      };
    });
  },
};
