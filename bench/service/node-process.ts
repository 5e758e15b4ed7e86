/**
 * A node of the service, with settings that a bench needs to change. Its first argument is its options, as JSON. It
 * sends its address and the keys of other accounts when it listens, and answers `collect` after a garbage collection
 * (`--expose-gc`).
 */
import type * as Api from '../../service/src/index.js';
import type { NodeOptions } from './node.js';
import { instantVoice, pacedVoice } from './stub-voice.js';

/** Number of accounts besides the one of the API key. */
const OTHER_ACCOUNTS = 5;

const { voice, ...options } = JSON.parse(process.argv[2]!) as NodeOptions;
// Built into the same folder as this file.
const { createAccounts, createService, openDatabase } = (await import(
  new URL('./index.js', import.meta.url).href
)) as typeof Api;
const engine =
  voice === 'flite' ? {} : { engine: voice.pace === 'real' ? pacedVoice(voice.rate) : instantVoice(voice.rate) };
const database = await openDatabase(options);
const service = await createService({ ...options, ...engine, database, port: 0 });
// Enough credit for thousands of sockets, however long they speak.
const credits = 1e8;
const accounts = createAccounts(database);
await accounts.grant('owner', credits);
const otherKeys: string[] = [];
for (let other = 1; other <= OTHER_ACCOUNTS; other++) {
  otherKeys.push((await accounts.createKey({ user: `other-${other}`, credits })).key);
}
process.on('message', (message) => {
  if (message !== 'collect') return;
  globalThis.gc?.();
  process.send!('collected');
});
process.on('SIGTERM', () => void stop());
// The parent process has ended, so nobody would stop this one.
process.on('disconnect', () => process.exit(0));
process.send!({ url: service.url, otherKeys });

async function stop(): Promise<void> {
  await service.close();
  await database.close();
  process.exit(0);
}
