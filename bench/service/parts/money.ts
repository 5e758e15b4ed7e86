import { rounded } from '../../timing.js';
import { startClient } from '../client.js';
import { withNodes, type Part } from '../part.js';
import { ask } from '../postgres.js';

const RUNS = 6;
const SOCKETS = 80;
const HEARTBEAT_MS = 2000;

/** Tolerance for the duration of a heartbeat and for a busy machine, in milliseconds. */
const SLACK_MS = 500;

interface Books {
  readonly granted: number;
  readonly used: number;
  readonly balance: number;
}

export const money: Part = {
  what: `${SOCKETS} sockets that are spoken to, on two nodes; one is killed (-9): its slots, the others' sound, the books`,
  needsPostgres: true,
  async run(bench) {
    const rows: Record<string, unknown>[] = [];
    let wrong = 0;
    for (let run = 1; run <= RUNS; run++) {
      const databaseUrl = await bench.postgres!.emptyDatabase();
      const node = { databaseUrl, voice: { pace: 'real', rate: 24_000 } } as const;
      const nodes = [
        { ...node, nodeName: 'stays' },
        { ...node, nodeName: 'dies' },
      ];
      await withNodes(bench, nodes, async (stays, dies) => {
        const client = startClient(bench.programs, 'hold', { places: [stays, dies], sockets: SOCKETS, speak: 600 });
        await client.ready;
        // At a random time between two heartbeats.
        await pause(3000 + Math.random() * HEARTBEAT_MS);
        await dies.kill();
        const killedAt = performance.now();
        while ((await countSlots(databaseUrl)) > SOCKETS / 2) await pause(50);
        const freedMs = performance.now() - killedAt;
        await pause(HEARTBEAT_MS);
        client.end();
        const { held } = await client.result;
        await stays.stop();
        const [books] = await ask<Books>(
          databaseUrl,
          `select (select sum(amount_ms) from ledger where kind = 'grant')::float8 as granted,
             (select -sum(amount_ms) from ledger where kind = 'usage')::float8 as used,
             (select sum(balance_ms) from account)::float8 as balance`,
        );
        const [died] = await ask<{ ms: number }>(
          databaseUrl,
          `select -sum(amount_ms)::float8 as ms from ledger where node = 'dies'`,
        );
        const lost = held.filter(({ place }) => place === 1);
        const kept = held.filter(({ place }) => place === 0);
        const openMs = lost.reduce((sum, socket) => sum + socket.openMs, 0);
        const unbilled = (openMs - died!.ms) / lost.length;
        const { balance, granted, used } = books!;
        const harmed = kept.filter(({ code }) => code !== 1000).length;
        if (
          granted - balance !== used ||
          harmed > 0 ||
          unbilled > HEARTBEAT_MS + SLACK_MS ||
          freedMs > 2 * HEARTBEAT_MS + SLACK_MS
        )
          wrong++;
        rows.push({
          run,
          'taken ms': granted - balance,
          'sum of ledger ms': used,
          equal: granted - balance === used,
          'sockets that died': lost.filter(({ code }) => code === 1006).length,
          'others harmed': harmed,
          'slots free after s': rounded(freedMs / 1000, 2),
          'not billed, s/socket': rounded(unbilled / 1000, 2),
        });
      });
    }
    return {
      rows,
      targets: [{ what: 'runs whose books, slots or sockets were wrong', most: 0, measured: wrong, unit: '' }],
    };
  },
};

async function countSlots(databaseUrl: string): Promise<number> {
  const [row] = await ask<{ count: number }>(
    databaseUrl,
    'select count(*)::integer as count from lease where holds_slot and expires_at > svc_now()',
  );
  return row!.count;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
