import { after } from 'node:test';
import type { Database, Service, ServiceOptions, SpeechEngine } from '../../src/index.js';
import { createService, openDatabase } from './built.js';
import { Conversation } from './conversation.js';
import { StubEngine } from './stub-engine.js';

/** Limits that no test reaches, even on a busy machine, unless it sets its own. */
const LIMITS = {
  requestsPerMinute: 1_000_000,
  inboundBurstBytes: 1_000_000_000,
  inboundBurstMessages: 1_000_000_000,
  countingMs: 600_000,
  slotAnswerMs: 600_000,
  closeMs: 60_000,
  pingMs: 1_000_000_000,
  heartbeatMs: 600_000,
};

/** Key of the services under test. */
export const KEY = 'a-key-for-tests-that-nobody-guesses';

/** A service under test, and calls to it. */
export interface Host<Engine extends SpeechEngine> {
  readonly service: Service;
  readonly engine: Engine;
  /** Errors that the service reported as its own. */
  readonly reports: unknown[];
  /** Makes a session call, with the right key unless there are `headers`. */
  call(body?: unknown, headers?: Record<string, string>): Promise<Response>;
  /** Makes a session and returns the response. */
  session(body?: unknown): Promise<SessionAnswer>;
  /** Makes a session and opens its socket. */
  open(body?: unknown): Promise<Conversation>;
  /** Terminates every socket that {@link open} opened. */
  hangUp(): void;
  /** Terminates every socket, and closes the service. */
  close(): Promise<void>;
}

/** Session response, typed as loosely as a test needs it. */
export type SessionAnswer = Record<string, unknown> & { url: string; messages: unknown[] };

let shared: Promise<Database> | undefined;
const services: Service[] = [];
// A closing service writes its last bills, so this hook runs before those of the test files.
after(async () => {
  await Promise.all(services.map((service) => service.close()));
  await (await shared)?.close();
});

/** Opens the embedded database that the services of a test file share. */
export function sharedDatabase(): Promise<Database> {
  return (shared ??= openDatabase());
}

/** Starts a service on a free port. By default, it has a stub engine and uses {@link sharedDatabase}. */
export async function host<Engine extends SpeechEngine = StubEngine>(
  options: ServiceOptions & { engine?: Engine } = {},
): Promise<Host<Engine>> {
  const engine = (options.engine ?? new StubEngine()) as Engine;
  const reports: unknown[] = [];
  const service = await createService({
    apiKey: KEY,
    port: 0,
    report: (error) => reports.push(error),
    ...options,
    database: options.database ?? (await sharedDatabase()),
    limits: { ...LIMITS, ...options.limits },
    engine,
  });
  services.push(service);
  const conversations: Conversation[] = [];
  const self: Host<Engine> = {
    service,
    engine,
    reports,
    call: (body, headers = { 'X-SVC-Api-Key': KEY }) =>
      fetch(`${service.url}/api/v1/realtime/stream/session`, {
        method: 'POST',
        headers: body === undefined ? headers : { 'content-type': 'application/json', ...headers },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      }),
    async session(body) {
      const response = await self.call(body);
      if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`);
      return (await response.json()) as SessionAnswer;
    },
    async open(body) {
      const conversation = new Conversation((await self.session(body)).url);
      conversations.push(conversation);
      return conversation.opened();
    },
    hangUp() {
      for (const { socket } of conversations.splice(0)) socket.terminate();
    },
    async close() {
      self.hangUp();
      await service.close();
    },
  };
  return self;
}
