/**
 * A node of the service, with what a bench has to be able to change. What it is told is in its first argument, as JSON; it
 * sends its address when it listens, and answers `collect` when it has collected its garbage (`--expose-gc`).
 */
import type * as Api from '../../service/src/index.js';
import type { NodeOptions } from './node.js';
import { instantVoice, pacedVoice } from './stub-voice.js';

const { voice, ...options } = JSON.parse(process.argv[2]!) as NodeOptions;
// Beside this file, when both are built.
const { createAccounts, createService, openDatabase } = (await import(
  new URL('./index.js', import.meta.url).href
)) as typeof Api;
const engine =
  voice === 'flite' ? {} : { engine: voice.pace === 'real' ? pacedVoice(voice.rate) : instantVoice(voice.rate) };
const database = await openDatabase(options);
const service = await createService({ ...options, ...engine, database, port: 0 });
// What thousands of sockets cost, however long they take.
await createAccounts(database).grant('owner', 1e8);
process.on('message', (message) => {
  if (message !== 'collect') return;
  globalThis.gc?.();
  process.send!('collected');
});
process.on('SIGTERM', () => void stop());
// Nobody is there any more who would end it.
process.on('disconnect', () => process.exit(0));
process.send!(service.url);

async function stop(): Promise<void> {
  await service.close();
  await database.close();
  process.exit(0);
}
