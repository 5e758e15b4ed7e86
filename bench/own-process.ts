import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/**
 * Runs a benchmark in a separate process and returns the JSON that it prints.
 *
 * V8 optimises a function for the types that it has seen. Measured in one process, variants would slow each other down,
 * unlike in real use, where only one of them runs.
 *
 * @param url - `import.meta.url` of the file to run.
 * @param args - For `process.argv`, from the third element on.
 * @param flags - Options for Node.
 * @throws {Error} If the process fails. Its stderr is passed through.
 */
export function inOwnProcess(url: string, args: readonly string[], flags: readonly string[] = []): unknown {
  const command = [...flags, '--import', 'tsx', fileURLToPath(url), ...args];
  const stdio = ['ignore', 'pipe', 'inherit'] as const;
  return JSON.parse(execFileSync(process.execPath, command, { encoding: 'utf8', stdio: [...stdio] }));
}
