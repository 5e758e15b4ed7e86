/**
 * A process that owns a data folder until it is killed. Prints `open`, or why it cannot be opened.
 *
 * Called as `folder-owner.ts FOLDER`, it opens the folder only. As `folder-owner.ts FOLDER write`, it opens the database in
 * it, and after a line on stdin inserts rows for ever and prints the number of each that is committed.
 */
import { openDataFolder } from '../../src/store/data-folder.js';
import { EMBEDDED_POSTGRES } from '../../src/store/embedded-database.js';
import { openDatabase } from '../support/open-database.js';

const [folder, mode] = process.argv.slice(2) as [string, string?];
try {
  if (mode === 'write') {
    const database = await openDatabase({ dataDir: folder });
    process.stdin.once('data', async () => {
      await database.query('create table if not exists written (n int primary key)');
      for (let n = 1; ; n++) {
        await database.query('insert into written values ($1)', [n]);
        process.stdout.write(`${n}\n`);
      }
    });
  } else {
    await openDataFolder(folder, EMBEDDED_POSTGRES);
    process.stdin.resume(); // keeps the process alive
  }
  console.log('open');
} catch (error) {
  console.log(`${(error as Error).name}: ${(error as Error).message}`);
  process.exit(1);
}
