import { writeSync } from 'node:fs';

/**
 * Reporter for `node:test` that prints the name and the file of the first failed test, and ends the process.
 *
 * @param {AsyncIterable<{ type: string, data: any }>} events
 */
export default async function* firstFailure(events) {
  for await (const { type, data } of events) {
    if (type !== 'test:fail' || data.todo !== undefined || data.details.error?.failureType === 'subtestsFailed')
      continue;
    writeSync(1, `\n${data.name.replaceAll(/\s+/g, ' ')}\t${data.file}\n`);
    process.exit(1);
  }
  yield '';
}
