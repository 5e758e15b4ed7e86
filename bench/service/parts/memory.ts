import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rounded } from '../../timing.js';
import { runClient } from '../client.js';
import { startShipped } from '../node.js';
import { scaled, type Part, type Target } from '../part.js';
import { heapMb, residentMb } from '../readings.js';

export const memory: Part = {
  what: 'memory of `svc-service` as it is shipped, after its start and after utterances, a moment after the last one',
  async run(bench) {
    const rows: Record<string, unknown>[] = [];
    const targets: Target[] = [];
    const folder = mkdtempSync(join(tmpdir(), 'svc-bench-data-'));
    const places = { 'in memory': 'memory', 'in a new folder': folder, 'in that folder again': folder };
    for (const [data, place] of Object.entries(places)) {
      const node = await startShipped(bench.programs, ['--data', place]);
      let spoken = 0;
      try {
        for (const utterances of [0, 100, scaled(bench, 1000, 200)]) {
          if (utterances > 0)
            await runClient(bench.programs, 'speakMuch', { place: node, utterances: utterances - spoken });
          spoken = utterances;
          await new Promise((resolve) => setTimeout(resolve, 1000));
          const readings = await node.read();
          const resident = residentMb(readings);
          rows.push({ data, utterances, 'RSS MB': Math.round(resident), 'heap MB': rounded(heapMb(readings), 1) });
          targets.push({
            what: `RSS, ${data}, after ${utterances}`,
            most: 450,
            measured: Math.round(resident),
            unit: 'MB',
          });
        }
      } finally {
        await node.stop();
      }
    }
    rmSync(folder, { recursive: true, force: true });
    return { rows, targets };
  },
};
