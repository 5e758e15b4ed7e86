/// <reference types="@fastify/swagger" />
import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { createAccounts } from '../account/accounts.js';
import { readLedgerPage } from '../account/ledger.js';
import { requireUser } from '../account/users.js';
import { readUsage } from '../account/usage.js';
import { checkUserId } from '../account/user-id.js';
import { refusalSchema } from '../api/refusal-schema.js';
import { readOpenSockets } from '../session/open-sockets.js';
import type { Voice } from '../speech/speech-engine.js';
import type { DataOptions } from './change-data.js';
import { writeLedgerCsv } from './ledger-csv.js';
import { beforeNumber, count, credits, limit, query, rows, text, time, userFilter, wrong } from './schema.js';

/** Maximum number of days in a usage report. */
const USAGE_DAYS_MAX = 366;

/** A text that may be null. */
const maybe = (description: string) => ({ type: ['string', 'null'], description });

/** Adds the routes for usage, open sockets, ledger and audit log. The scope must know the administrator. */
export function addActivityRoutes(app: FastifyInstance, { database, audit }: DataOptions): void {
  app.get<{ Querystring: { days: number; user?: string } }>(
    '/usage',
    {
      schema: {
        operationId: 'getUsage',
        summary: 'Sum the credits used, by day and user',
        querystring: query({
          days: {
            type: 'integer',
            minimum: 1,
            maximum: USAGE_DAYS_MAX,
            default: 30,
            description: 'Days to show, today included.',
          },
          user: userFilter,
        }),
        response: {
          200: rows(
            'The usage. A socket counts for the day on which it was opened.',
            'usage',
            {
              day: text('Day in UTC, such as `2026-11-22`.'),
              user: maybe('The user; null for all users that are not among those who used most.'),
              credits: credits('Seconds of open sockets.'),
              sockets: count('Sockets opened.'),
            },
            { from: text('First day.'), to: text('Last day: today.') },
          ),
          422: wrong,
        },
      },
    },
    async ({ query: { days, user } }) => {
      if (user !== undefined) checkUserId(user);
      const { from, to, rows: usage } = await readUsage(database, days, user);
      return { from, to, usage };
    },
  );

  app.get<{ Querystring: { user?: string; limit: number } }>(
    '/sockets',
    {
      schema: {
        operationId: 'listSockets',
        summary: 'List the sockets that are open on any node, newest first',
        querystring: query({ user: userFilter, limit }),
        response: {
          200: rows(
            'The sockets.',
            'sockets',
            {
              session: text('Id of the session.'),
              user: text('Id of the user.'),
              key: text('Id of the key of its session call.'),
              node: text('Node that holds it.'),
              holds_slot: { type: 'boolean', description: 'True while it counts against the ceiling.' },
              opened_at: time('Opening'),
              credits: credits('Credits charged up to the last heartbeat.'),
            },
            { total: count('Open sockets.'), slots: count('Open sockets that hold a slot.') },
          ),
          422: wrong,
        },
      },
    },
    async ({ query: page }) => {
      if (page.user !== undefined) checkUserId(page.user);
      return readOpenSockets(database, page.limit, page.user);
    },
  );

  app.get<{ Querystring: { user?: string; before?: number; after?: number; limit: number } }>(
    '/ledger',
    {
      schema: {
        operationId: 'listLedger',
        summary: 'List what was given and used, newest first',
        querystring: query({
          user: userFilter,
          before: beforeNumber,
          after: {
            ...beforeNumber,
            minimum: 0,
            description: 'Lists the oldest first, after the row with this `id`; 0 for the first ones.',
          },
          limit,
        }),
        response: {
          200: rows('The rows.', 'ledger', {
            id: count('Number of the row.'),
            user: text('Id of the user.'),
            kind: text('`grant`: given. `usage`: a socket. `balance`: the sum of the rows older than two years.'),
            credits: credits('Seconds of an open socket; below 0 if used.'),
            ms: count('The same in milliseconds.'),
            session: maybe('The socket; null for what was given.'),
            node: maybe('The node that held the socket; null for what was given.'),
            at: time('Creation'),
            updated_at: time('Last change'),
          }),
          404: refusalSchema('There is no such user.'),
          422: wrong,
        },
      },
    },
    async ({ query: page }) => {
      if (page.user !== undefined) await requireUser(database, page.user);
      return { ledger: await readLedgerPage(database, page) };
    },
  );

  app.get<{ Querystring: { user?: string } }>(
    '/ledger.csv',
    {
      schema: {
        operationId: 'exportLedger',
        summary: 'Export the ledger as CSV, oldest first',
        querystring: query({ user: userFilter }),
        response: {
          200: {
            description: 'All rows, as in `GET /admin/api/ledger`.',
            content: { 'text/csv': { schema: { type: 'string' } } },
          },
          404: refusalSchema('There is no such user.'),
          422: wrong,
        },
      },
    },
    async ({ query: { user } }, reply) => {
      const ledger = createAccounts(database).ledger(user)[Symbol.asyncIterator]();
      // Read the first row before the answer begins, so that an error can still become an error response.
      const first = await ledger.next();
      const name = user === undefined ? 'ledger.csv' : `ledger-${user}.csv`;
      return reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', `attachment; filename="${name}"`)
        .send(Readable.from(writeLedgerCsv(resume(first, ledger))));
    },
  );

  app.get<{ Querystring: { before?: number; limit: number } }>(
    '/audit',
    {
      schema: {
        operationId: 'listAudit',
        summary: 'List what administrators did, newest first',
        querystring: query({ before: beforeNumber, limit }),
        response: {
          200: rows('The entries.', 'audit', {
            id: count('Number of the entry.'),
            at: time('Beginning'),
            via: text('`command`: the command line. `api`: the admin token. `dashboard`: a browser.'),
            name: text('Name that was given at the login.'),
            client: maybe('Address of the client; null on the command line.'),
            action: text('The action, such as `keys create`.'),
            details: {
              type: 'object',
              additionalProperties: true,
              description: 'Parameters and results, without secrets.',
            },
            outcome: maybe('`done`, `refused` or `failed`; null if the process ended before.'),
          }),
          422: wrong,
        },
      },
    },
    async ({ query: page }) => ({ audit: await audit.read(page) }),
  );
}

/** Adds the route for the voices. */
export function addVoiceRoute(app: FastifyInstance, voices: readonly Voice[]): void {
  app.get(
    '/voices',
    {
      schema: {
        operationId: 'listVoices',
        summary: 'List the voices, the default first',
        response: {
          200: rows('The voices.', 'voices', {
            id: text('`voice_id` of a session request.'),
            language: text('BCP 47 tag. Numbers, signs and abbreviations are written out in words for `en` only.'),
            sample_rate: count('Rate of the engine in Hz, before it is resampled.'),
            premium: { type: 'boolean', description: 'True if only the plan `pro` may use it.' },
          }),
        },
      },
    },
    async () => ({
      voices: voices.map(({ id, language = 'en', sampleRate, premium = false }) => ({
        id,
        language,
        sample_rate: sampleRate,
        premium,
      })),
    }),
  );
}

async function* resume<Row>(first: IteratorResult<Row>, rest: AsyncIterator<Row>): AsyncGenerator<Row> {
  try {
    for (let next = first; !next.done; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}
