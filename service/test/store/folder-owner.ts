/**
 * A process that owns a data folder until it is killed. Prints `open`, or why the folder cannot be opened.
 *
 * As `folder-owner.ts FOLDER`, it only opens the folder. As `folder-owner.ts FOLDER write`, it opens the database in
 * it. After a line on stdin, it then inserts rows without end, and prints the number of each committed row.
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
