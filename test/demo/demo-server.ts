import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { API_KEY } from './api-key.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** A demo that a test starts, in the same way as `npm start`. */
export interface DemoServer {
  /** URL of the page, with a trailing slash. */
  readonly url: string;
  /** Lines on stdout so far. */
  readonly lines: readonly string[];
  /** Sends SIGTERM; resolves with the exit code once the demo has ended. */
  stop(): Promise<number | null>;
}

/**
 * Starts the demo and waits for its `ready` line.
 *
 * @param environment - Environment variables to add, such as `PORT`. By default, the demo uses any free port.
 * @throws {Error} If it ends before it is ready. The message contains its stderr.
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
