/**
 * A process that opens the database in a folder, for tests that kill it: says `open` or why not, then, told `write`,
 * inserts rows for ever and prints the number of each that is committed.
 */
import { openDatabase } from '../../src/store/open-database.js';

try {
  const database = await openDatabase({ dataDir: process.argv[2]! });
  console.log('open');
  process.stdin.once('data', () => void write());
  const write = async (): Promise<void> => {
    await database.query('create table if not exists written (n int primary key)');
    for (let n = 1; ; n++) {
      await database.query('insert into written values ($1)', [n]);
      process.stdout.write(`${n}\n`);
    }
  };
} catch (error) {
  console.log(`${(error as Error).name}: ${(error as Error).message}`);
  process.exit(1);
}
