/**
 * `npm start`: installs missing packages, builds what the page needs, and starts the embedded speech service and the
 * demo.
 *
 * Prints one line on stdout, `ready http://localhost:PORT/`, when the page can be opened; everything else goes to
 * stderr. The static imports are only Node's modules and our own, because a fresh clone has no packages yet.
 *
 * Environment: `PORT` (default 5173; 0 takes a free one). With `SVC_BASE_URL` and `SVC_API_KEY`, a hosted service is
 * used and none is started. `SVC_API_KEY` alone becomes the key of the embedded service, which otherwise gets a random
 * key.
 */
import { spawn } from 'node:child_process';
import { Console } from 'node:console';
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { inspect } from 'node:util';
import { ROOT } from './root.mjs';

const DEFAULT_PORT = 5173;

/** Interval between checks that npm is still running, in milliseconds. */
const PARENT_CHECK_MS = 500;

/** Time after Ctrl+C for the speech service to end before it gets a signal of its own, in milliseconds. */
const INTERRUPT_GRACE_MS = 1000;

/** An error that the user at the terminal can fix. Shown without a stack; the message explains the remedy. */
class StartError extends Error {}

/** @type {(() => unknown)[]} Functions that stop what has been started, in the order of the starts. */
const closers = [];
let closing = false;

/** True after Ctrl+C, which the terminal sends to all our processes and not only to this one. */
let interrupted = false;

/**
 * Stops everything that was started, newest first, and exits. Idempotent.
 *
 * @param {number} code - Exit code.
 */
async function shutDown(code) {
  if (closing) return;
  closing = true;
  for (const close of closers.reverse()) {
    try {
      await close();
    } catch (error) {
      say(`While stopping: ${String(error)}`);
    }
  }
  process.exit(code);
}

/** @param {string} text */
function say(text) {
  process.stderr.write(`${text}\n`);
}

/**
 * Runs one of our build scripts in a separate process, so that none of its output goes to stdout.
 *
 * @param {string} file - Path relative to the root.
 * @throws {StartError} If it fails.
 */
async function runScript(file) {
  const child = spawn(process.execPath, [file], { cwd: ROOT, stdio: ['ignore', process.stderr, process.stderr] });
  closers.push(() => child.kill());
  const code = await new Promise((resolve) => {
    child.once('error', () => resolve(127));
    child.once('exit', resolve);
  });
  closers.pop();
  if (code !== 0) throw new StartError(`${file} failed; what it says is above.`);
}

/**
 * Returns the port to listen on.
 *
 * @throws {StartError} If `PORT` is not a port number.
 */
function readPort() {
  const text = process.env.PORT || String(DEFAULT_PORT);
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65535) return Number(text);
  throw new StartError(`PORT must be a number from 0 to 65535, not "${text}".`);
}

/**
 * Checks that `port` is free, before an installation takes minutes.
 *
 * @param {number} port
 * @throws {StartError} If it is in use.
 */
async function checkPort(port) {
  if (port === 0) return;
  const probe = createServer();
  const error = await new Promise((resolve) => {
    probe.once('error', resolve);
    probe.listen(port, 'localhost', () => probe.close(() => resolve(null)));
  });
  if (error === null) return;
  const other = `take another one: PORT=${port < 65535 ? port + 1 : DEFAULT_PORT} npm start`;
  if (error.code === 'EADDRINUSE') throw new StartError(`Port ${port} is taken. End what listens there, or ${other}`);
  throw new StartError(`Cannot listen on port ${port} (${error.message}). Perhaps ${other}`);
}

/**
 * Returns the speech service to use: the hosted one of the environment, or an embedded one on a free loopback port.
 *
 * @returns {Promise<{ baseUrl: string, apiKey: string }>}
 * @throws {StartError} If the environment has only one of the two variables of a hosted service, or the embedded one
 *   does not start.
 */
async function findService() {
  const { SVC_BASE_URL: baseUrl, SVC_API_KEY: apiKey } = process.env;
  if (baseUrl && apiKey) return { baseUrl, apiKey };
  if (baseUrl) throw new StartError('SVC_BASE_URL needs SVC_API_KEY beside it: the key of the service it names.');
  return startService(apiKey || randomBytes(32).toString('base64url'));
}

/** @param {string} apiKey */
async function startService(apiKey) {
  // This script decides on its port, the URLs in its sessions and its data. Only this machine can reach it.
  const { SVC_PORT: _port, SVC_PUBLIC_URL: _publicUrl, SVC_DATABASE_URL: _database, ...environment } = process.env;
  const child = spawn(process.execPath, ['service/dist/cli.js', 'start', '--port', '0', '--data', 'memory'], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', process.stderr],
    env: { ...environment, SVC_API_KEY: apiKey, SVC_HOST: '127.0.0.1' },
  });
  const gone = new Promise((resolve) => child.once('exit', resolve));
  closers.push(() => {
    // A second signal would end it before it has cleaned up.
    if (interrupted) setTimeout(() => child.kill(), INTERRUPT_GRACE_MS).unref();
    else child.kill();
    return gone;
  });
  const address = await new Promise((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const ready = /^ready (http:\/\/\S+)$/.exec(line);
      if (ready) resolve(ready[1]);
      else say(line);
    });
    void gone.then((code) =>
      reject(new StartError(`The speech service ended with code ${code}; what it says is above.`)),
    );
  });
  void gone.then((code) => {
    if (closing) return;
    say(`The speech service has ended with code ${code}, so there is nobody to speak. Run npm start again.`);
    void shutDown(1);
  });
  return { baseUrl: address.replace(/\/$/, ''), apiKey };
}

/**
 * Starts Vite's development server, which is also the host's backend (see `vite.config.ts`).
 *
 * @param {number} port
 * @returns {Promise<number>} The port on which it listens.
 */
async function startPage(port) {
  const { createLogger, createServer: createPageServer } = await import('vite');
  const server = await createPageServer({
    root: ROOT,
    clearScreen: false,
    customLogger: createLogger('warn', { console: new Console(process.stderr, process.stderr) }),
    server: { port, strictPort: true },
  });
  closers.push(() => server.close());
  await server.listen();
  return server.config.server.port ?? port;
}

for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
  process.on(signal, () => {
    interrupted = signal === 'SIGINT';
    void shutDown(0);
  });
}

if (process.env.npm_lifecycle_event) {
  // npm runs this process in a shell that ends on a signal without forwarding it, so check for the end of npm.
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && void shutDown(0), PARENT_CHECK_MS).unref();
}

try {
  const port = readPort();
  await checkPort(port);
  await runScript('scripts/install.mjs');
  // `npm test` has already built them, and its other stages are using them now.
  if (!process.env.SVC_BUILT) {
    say('Building …');
    await runScript('scripts/build-threads.mjs');
    if (!process.env.SVC_BASE_URL) await runScript('service/build.mjs');
  }
  say('Starting …');
  const { baseUrl, apiKey } = await findService();
  // vite.config.ts reads these in this process. No later process inherits them.
  process.env.SVC_BASE_URL = baseUrl;
  process.env.SVC_API_KEY = apiKey;
  const listening = await startPage(port);
  process.stdout.write(`ready http://localhost:${listening}/\n`);
} catch (error) {
  if (!closing) say(error instanceof StartError ? error.message : inspect(error));
  await shutDown(1);
}
