/**
 * Speaks while connections break and the service and its database are killed: `npm run chaos --prefix bench`. Exits
 * with 1 if an utterance does not settle as it must, a sample is wrong, the ledger does not match the sockets, or a
 * socket outlives its speaker.
 *
 * A page in Chromium gets its sessions from a backend with the backend kit, and speaks with `svc-service` as it is
 * shipped. Proxies between them cut, delay, split, reorder and half-close connections. The service is killed with
 * SIGKILL, with its embedded database, and started again. Then the same with PostgreSQL, which is killed too.
 *
 * Options:
 * - `--utterances 1000`: for all stores together; `--lanes 4`: scenes at a time;
 * - `--seed N`: a random one by default, which is printed. The same seed makes the same choices;
 * - `--stores embedded,postgres`;
 * - `--verbose`: prints each scene.
 */
import { parseArgs } from 'node:util';
import { ensurePrograms } from '../../scripts/programs.mjs';
import { NO_POSTGRES } from '../../service/test/support/postgres-server.js';
import { buildPrograms } from '../service/programs.js';
import { rounded } from '../timing.js';
import { causeChaos } from './chaos.js';
import type { Store } from './speech-service.js';

const { values } = parseArgs({
  options: {
    utterances: { type: 'string', default: '1000' },
    lanes: { type: 'string', default: '4' },
    seed: { type: 'string', default: String(Date.now() % 1e6) },
    stores: { type: 'string', default: 'embedded,postgres' },
    verbose: { type: 'boolean', default: false },
  },
});

/** Most faults that are printed. */
const PRINTED = 20;

const missing = await ensurePrograms(['chromium', 'postgres']);
if (missing.includes('chromium')) throw new Error('There is no Chromium. Install it, or set SVC_CHROMIUM.');
const stores = (values.stores.split(',') as Store[]).filter((store) => store !== 'postgres' || !NO_POSTGRES);
const programs = await buildPrograms();
const seed = Number(values.seed);
console.log(`seed ${seed}`);

for (const [index, store] of stores.entries()) {
  const utterances = Math.round(Number(values.utterances) / stores.length);
  const lanes = Number(values.lanes);
  const result = await causeChaos({ programs, store, utterances, lanes, seed: seed + index, log });
  const { books, outcomes, kills, connections, sockets, seconds } = result;
  console.log(`\n${store}: ${utterances} utterances in ${seconds.toFixed(0)} s, ${sockets} sockets`);
  console.log('outcomes', outcomes);
  console.log('connections', connections);
  console.log('killed', kills);
  const { faults: wrong, ...sums } = books;
  console.table(Object.fromEntries(Object.entries(sums).map(([name, value]) => [name, rounded(value, 3)])));
  const found = [...result.faults, ...wrong];
  for (const each of found.slice(0, PRINTED)) console.log(`  FAULT: ${each}`);
  if (found.length > PRINTED) console.log(`  … and ${found.length - PRINTED} more`);
  if (found.length > 0) process.exitCode = 1;
}
console.log(process.exitCode === 1 ? '\nchaos failed' : '\nchaos passed');

function log(line: string): void {
  if (values.verbose) console.log(line);
}
