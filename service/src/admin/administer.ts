import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { BUNDLE_MAX_BYTES } from '../avatar/avatar-bundle.js';
import { createAdminApp } from '../dashboard/admin-app.js';
import { exportSql } from '../store/export-sql.js';
import { openDatabase, type StoreOptions } from '../store/open-database.js';
import { FolderInUseError } from '../store/store-error.js';
import { AdminError, askService, type HttpAnswer, type HttpRequest } from './ask-service.js';
import type { AdminRequest } from './commands.js';
import type { AdminArguments } from './read-admin-arguments.js';

/** Maximum wait for a service that holds the folder to accept commands, and delay between attempts, in milliseconds. */
const START_MS = 20_000;
const RETRY_MS = 100;

/** Sends a request to the admin API. */
type Ask = (request: HttpRequest) => Promise<HttpAnswer>;

/**
 * Carries out a command of the command line: a request to the admin API of the service that runs on the data folder. If
 * none runs, this process opens the data and answers the request itself, without listening.
 *
 * A service locks the folder before it accepts commands, so this waits for a service that is starting.
 *
 * @param startMs - Maximum time to wait for it, in milliseconds.
 * @returns The objects to print, one per line.
 * @throws {AdminError} If the command cannot be carried out.
 * @throws {Error} If the database cannot be opened; the message gives the reason.
 */
export async function* administer(
  { store, name, job, livekitKey }: AdminArguments,
  startMs = START_MS,
): AsyncGenerator<object> {
  if ('exportFile' in job) {
    yield await exportSql(store, job.exportFile);
    return;
  }
  const data = reachData(store, { startMs, livekitKey, makesFolder: name === 'keys create' });
  try {
    const bundle = job.bundleFile === undefined ? {} : { bundle: await readBundleFile(job.bundleFile) };
    yield* askForRows(data.ask, { ...job, body: job.body && { ...job.body, ...bundle } });
  } finally {
    await data.close();
  }
}

/** Sends a request, and further ones for the next pages of a list. Yields the rows of the answers. */
async function* askForRows(ask: Ask, { method, path, query = {}, body, rows }: AdminRequest): AsyncGenerator<object> {
  for (let after = query.after; ;) {
    const search = new URLSearchParams(after === undefined ? query : { ...query, after });
    const answer = readAnswer(await ask({ method, url: `/admin/api${path}?${search.toString()}`, body }));
    if (rows === undefined) {
      yield answer;
      return;
    }
    const page = answer[rows] as { readonly id: string | number }[];
    yield* page;
    if (page.length !== Number(query.limit)) return;
    after = String(page.at(-1)!.id);
  }
}

function readAnswer({ status, body }: HttpAnswer): Record<string, unknown> {
  const answer = JSON.parse(body) as Record<string, unknown>;
  if (status < 300) return answer;
  throw new AdminError(status < 500 ? String(answer.detail) : 'The service failed to do it; its log says why.');
}

/** Options of {@link reachData}. */
interface ReachOptions {
  readonly startMs: number;
  readonly livekitKey: string | undefined;
  /** True if a missing folder is no mistake: a first key may be made before the first start. */
  readonly makesFolder: boolean;
}

/** Reaches the data through the service that runs on the folder, or opens it if there is none. */
function reachData(store: StoreOptions, { startMs, livekitKey, makesFolder }: ReachOptions) {
  const folder = store.databaseUrl === undefined ? store.dataDir : undefined;
  const limit = performance.now() + startMs;
  let local: Awaited<ReturnType<typeof openData>> | undefined;

  async function ask(request: HttpRequest): Promise<HttpAnswer> {
    while (!local) {
      const answer = folder === undefined ? null : await askService(folder, request);
      if (answer) return answer;
      if (folder !== undefined && !makesFolder && !existsSync(folder)) {
        throw new AdminError(`There is no data in ${folder}: name the service's folder with --data.`);
      }
      try {
        local = await openData(store, livekitKey);
      } catch (error) {
        if (!(error instanceof FolderInUseError) || performance.now() > limit) throw error;
        await wait(RETRY_MS);
      }
    }
    return local.ask(request);
  }
  return { ask, close: async () => local?.close() };
}

/** Opens the data, and answers requests in this process. Throws what a service would log. */
async function openData(store: StoreOptions, livekitKey: string | undefined) {
  const database = await openDatabase(store);
  const failures: unknown[] = [];
  const app = createAdminApp({ database, livekitKey, report: (error) => failures.push(error) });
  return {
    async ask({ method, url, body }: HttpRequest): Promise<HttpAnswer> {
      const { statusCode, payload } = await app.inject({ method, url, ...(body && { body }) });
      if (failures.length > 0) throw failures[0];
      return { status: statusCode, body: payload };
    },
    async close(): Promise<void> {
      await app.close();
      await database.close();
    },
  };
}

async function readBundleFile(file: string): Promise<unknown> {
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw new AdminError(`${file} cannot be read: ${error.message}`);
  });
  let bundle: unknown;
  try {
    bundle = JSON.parse(text);
  } catch {
    throw new AdminError(`${file} is not JSON: see the avatar bundles of svc-service.`);
  }
  if (Buffer.byteLength(JSON.stringify(bundle)) <= BUNDLE_MAX_BYTES) return bundle;
  throw new AdminError(`${file} is too large: a bundle has at most ${BUNDLE_MAX_BYTES} bytes.`);
}
