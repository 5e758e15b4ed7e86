import type { FastifyBaseLogger } from 'fastify';
import type { Queries } from '../store/database.js';

/** Days after which entries are deleted. Refused logins are deleted after one day, since anyone can cause them. */
const KEPT_DAYS = 400;

/** Maximum number of refused logins recorded per minute, over all addresses, so that nobody can flood the table. */
const REFUSALS_PER_MINUTE = 100;

/** Action of a login with a wrong token. */
const LOGIN = 'login';

/** Deletes entries that are too old to keep. */
export const PURGE_AUDIT = `
  delete from audit where id in
    (select id from audit
      where at < svc_now() - interval '${KEPT_DAYS} days'
         or (at < svc_now() - interval '1 day' and action = '${LOGIN}' and outcome = 'refused')
      for update skip locked)`;

/** Source of an administrator's command. */
export interface Actor {
  /** `command`: the command line. `api`: a request with the admin token. `dashboard`: a browser that logged in. */
  readonly via: 'command' | 'api' | 'dashboard';
  /** Name given at the login, not verified; for the other sources, a description of the source. */
  readonly name: string;
  /** Address of the client; `null` on the command line. */
  readonly client: string | null;
}

/** An entry of the audit log. */
export interface AuditRow extends Actor {
  readonly id: number;
  readonly at: Date;
  /** Name of the action, such as `keys create`. */
  readonly action: string;
  /** Parameters and results, without secrets. */
  readonly details: Readonly<Record<string, unknown>>;
  /** Outcome; `null` while the action runs, or if it could not be recorded, so the action may have been done. */
  readonly outcome: 'done' | 'refused' | 'failed' | null;
}

/** Maximum length of a recorded text, in characters. */
const TEXT_MAX = 500;

/** Characters that PostgreSQL does not store. */
const UNSTORABLE = /[\0\p{Surrogate}]/gu;

/** Serializes details as JSON that PostgreSQL can store. */
function toJson(details: object): string {
  return JSON.stringify(details, (_name, value: unknown) =>
    typeof value === 'string' ? value.slice(0, TEXT_MAX).replace(UNSTORABLE, '\ufffd') : value,
  );
}

/** A log of the changes that administrators make, in the table `audit` and as log lines. */
export class AuditLog {
  readonly #queries: Queries;
  readonly #log: Pick<FastifyBaseLogger, 'info' | 'warn'> | undefined;

  /** @param log - Receives a line for each entry; by default entries go to the table only. */
  constructor(queries: Queries, log?: Pick<FastifyBaseLogger, 'info' | 'warn'>) {
    this.#queries = queries;
    this.#log = log;
  }

  /**
   * Runs an action and records it before and after, so that no action goes unrecorded.
   *
   * @param details - Parameters without secrets.
   * @param work - Runs the action. Returns its result and what to add to the details.
   * @param isRefusal - Returns true for an error that the caller caused, false for a fault of the service.
   * @throws The error that `work` throws, or a database error from recording.
   */
  async record<Result>(
    actor: Actor,
    action: string,
    details: object,
    work: () => Promise<{ readonly result: Result; readonly details: object }>,
    isRefusal: (error: unknown) => boolean,
  ): Promise<Result> {
    const id = await this.#begin(actor, action, details);
    let done;
    try {
      done = await work();
    } catch (error) {
      const refused = isRefusal(error);
      const reason = refused ? { reason: (error as Error).message } : {};
      await this.#end(id, refused ? 'refused' : 'failed', reason);
      const entry = { ...actor, action, details: { ...details, ...reason } };
      if (refused) this.#log?.info(entry, 'admin action refused');
      else this.#log?.warn({ ...entry, err: error }, 'admin action failed');
      throw error;
    }
    // The result matters more than its entry: a new key, for example, is shown only now.
    await this.#end(id, 'done', done.details).catch((error: unknown) => {
      this.#log?.warn({ err: error }, 'An admin action was done, and its outcome could not be recorded.');
    });
    this.#log?.info({ ...actor, action, details: { ...details, ...done.details } }, 'admin action');
    return done.result;
  }

  /** Records a login with a wrong token, unless {@link REFUSALS_PER_MINUTE} is reached. */
  async loginRefused(actor: Actor): Promise<void> {
    await this.#queries.query(
      `insert into audit (via, name, client, action, details, outcome)
       select $1, $2, $3, $4, '{}', 'refused'
        where (select count(*) from audit
                where at > svc_now() - interval '1 minute' and action = $4 and outcome = 'refused') < $5`,
      [actor.via, actor.name, actor.client, LOGIN, REFUSALS_PER_MINUTE],
    );
    this.#log?.warn({ ...actor, action: LOGIN }, 'admin login refused');
  }

  /** Reads entries, newest first. `before` is the id of an entry. */
  read({ before, limit }: { readonly before?: number | undefined; readonly limit: number }): Promise<AuditRow[]> {
    return this.#queries.query<AuditRow>(
      `select id, at, via, name, client, action, details, outcome from audit
        where $1::bigint is null or id < $1 order by id desc limit $2`,
      [before ?? null, limit],
    );
  }

  async #begin({ via, name, client }: Actor, action: string, details: object): Promise<number> {
    const [row] = await this.#queries.query<{ id: number }>(
      'insert into audit (via, name, client, action, details) values ($1, $2, $3, $4, $5::jsonb) returning id',
      [via, name, client, action, toJson(details)],
    );
    return row!.id;
  }

  async #end(id: number, outcome: NonNullable<AuditRow['outcome']>, details: object): Promise<void> {
    await this.#queries.query('update audit set outcome = $2, details = details || $3::jsonb where id = $1', [
      id,
      outcome,
      toJson(details),
    ]);
  }
}
