import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { API_KEY } from './api-key.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** A demo of its own, started as `npm start` does. */
export interface DemoServer {
  /** Address of the page, with a slash at the end. */
  readonly url: string;
  /** Every line of stdout so far. */
  readonly lines: readonly string[];
  /** Asks it to end; resolves with its exit code when it has. */
  stop(): Promise<number | null>;
}

/**
 * Starts the demo and waits for its `ready` line.
 *
 * @param environment - Added to the environment, such as `PORT`; by default any free port.
 * @throws {Error} If it ends before it is ready; the message holds what it said on stderr.
 */
export async function startDemo(environment: Record<string, string> = {}): Promise<DemoServer> {
  const child = spawn(process.execPath, ['scripts/start.mjs'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, PORT: '0', CI: '1', SVC_BASE_URL: '', SVC_API_KEY: API_KEY, ...environment },
  });
  const gone = new Promise<number | null>((resolve) => child.once('exit', resolve));
  let complaints = '';
  child.stderr.on('data', (chunk: Buffer) => {
    complaints += chunk.toString();
  });
  const lines: string[] = [];
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      lines.push(line);
      const ready = /^ready (http:\/\/localhost:\d+\/)$/.exec(line);
      if (ready) resolve(ready[1]!);
    });
    void gone.then((code) => reject(new Error(`npm start ended with code ${code}:\n${complaints}`)));
  });
  return {
    url,
    lines,
    stop: () => {
      child.kill('SIGTERM');
      return gone;
    },
  };
}
