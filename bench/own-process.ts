import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/**
 * Runs a benchmark in a process of its own and gives back what it prints, which is JSON.
 *
 * V8 compiles a function for what it has seen in it: measured side by side in one process, variants would slow each
 * other down, as they do not where only one of them is at work.
 *
 * @param url - `import.meta.url` of the file to run.
 * @param args - For `process.argv`, from the third on.
 * @param flags - Options for Node.
 * @throws {Error} If the process fails; what it says goes to our own stderr.
 */
export function inOwnProcess(url: string, args: readonly string[], flags: readonly string[] = []): unknown {
  const command = [...flags, '--import', 'tsx', fileURLToPath(url), ...args];
  const stdio = ['ignore', 'pipe', 'inherit'] as const;
  return JSON.parse(execFileSync(process.execPath, command, { encoding: 'utf8', stdio: [...stdio] }));
}
