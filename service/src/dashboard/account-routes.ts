/// <reference types="@fastify/swagger" />
import type { FastifyInstance } from 'fastify';
import { createAccounts } from '../account/accounts.js';
import { CREDITS_MAX } from '../account/credits.js';
import { KNOWN_HOURS } from '../account/idempotency.js';
import { readKeyPage } from '../account/keys.js';
import { PLAN_NAMES, PLANS, type PlanName } from '../account/plans.js';
import { checkUserId } from '../account/user-id.js';
import { readUsers } from '../account/users.js';
import { IDEMPOTENCY_KEY_PATTERN } from '../api/errors.js';
import { refusalSchema } from '../api/refusal-schema.js';
import { changeData, type DataOptions } from './change-data.js';
import { answer, body, count, credits, limit, path, query, rows, text, time, userFilter, wrong } from './schema.js';

const planField = { type: 'string', enum: PLAN_NAMES, description: 'The plan of the user.' } as const;

const creditsField = {
  type: 'number',
  minimum: 0,
  maximum: CREDITS_MAX,
  description: 'Seconds of an open socket to give, with up to 3 decimals.',
} as const;

const refusals = { 404: refusalSchema('It does not exist.'), 422: wrong };

/** Header of requests that move money. */
const idempotency = {
  type: 'object',
  properties: {
    'idempotency-key': {
      type: 'string',
      pattern: IDEMPOTENCY_KEY_PATTERN,
      description:
        `Up to 255 visible ASCII characters, such as a UUID, chosen by the client for one change. A repetition within ` +
        `${KNOWN_HOURS} hours changes nothing.`,
    },
  },
} as const;

/** Headers of a request with {@link idempotency}. */
interface IdempotencyHeaders {
  'idempotency-key'?: string;
}

function idempotencyOf({ headers }: { readonly headers: IdempotencyHeaders }): { idempotencyKey?: string } {
  const idempotencyKey = headers['idempotency-key'];
  return idempotencyKey === undefined ? {} : { idempotencyKey };
}

/** Adds the routes for users, plans, credits and keys. The scope must know the administrator. */
export function addAccountRoutes(app: FastifyInstance, { database, audit }: DataOptions): void {
  const accounts = createAccounts(database);
  app.get<{ Querystring: { search?: string; after?: string; limit: number } }>(
    '/users',
    {
      schema: {
        operationId: 'listUsers',
        summary: 'List users, by id',
        querystring: query({
          search: { type: 'string', maxLength: 128, description: 'Text that the id contains.' },
          after: { type: 'string', maxLength: 128, description: 'Continues the list after this id.' },
          limit,
        }),
        response: {
          200: rows('The users.', 'users', {
            id: text('Id of the user.'),
            plan: planField,
            credits: credits('Credits left, in seconds of an open socket.'),
            keys: count('Keys that are not revoked.'),
            created_at: time('Creation'),
          }),
          422: wrong,
        },
      },
    },
    async ({ query: page }) => {
      if (page.after !== undefined) checkUserId(page.after);
      // No id contains a NUL, which the database would refuse.
      return { users: page.search?.includes('\0') ? [] : await readUsers(database, page) };
    },
  );

  app.patch<{ Params: { user: string }; Body: { plan: PlanName } }>(
    '/users/:user',
    {
      schema: {
        operationId: 'changeUser',
        summary: 'Change the plan of a user',
        params: path('user', 'Id of the user.'),
        body: body({ plan: planField }),
        response: { 200: answer('The user.', { user: text('Id of the user.'), plan: planField }), ...refusals },
      },
    },
    (request) => {
      const { user } = request.params;
      const { plan } = request.body;
      return changeData(audit, request, 'users plan', { user, plan }, () => accounts.setPlan(user, plan));
    },
  );

  app.post<{ Params: { user: string }; Body: { credits: number }; Headers: IdempotencyHeaders }>(
    '/users/:user/credits',
    {
      schema: {
        operationId: 'addCredits',
        summary: 'Give credits to a user',
        params: path('user', 'Id of the user.'),
        headers: idempotency,
        body: body({ credits: creditsField }),
        response: {
          200: {
            ...answer('The new balance.', { user: text('Id of the user.'), credits: credits('Credits left.') }),
            headers: {
              'Idempotency-Replayed': text('`true` if this is the answer to an earlier request with the same key.'),
            },
          },
          ...refusals,
        },
      },
    },
    async (request, reply) => {
      const { user } = request.params;
      const { credits: given } = request.body;
      const { idempotencyKey } = idempotencyOf(request);
      const row = await changeData(audit, request, 'credits add', { user, credits: given, idempotencyKey }, () =>
        accounts.grant(user, given, idempotencyKey),
      );
      if (row.isRepeated) void reply.header('idempotency-replayed', 'true');
      return row;
    },
  );

  app.get(
    '/plans',
    {
      schema: {
        operationId: 'listPlans',
        summary: 'List the plans',
        response: {
          200: rows('The plans.', 'plans', {
            name: planField,
            max_concurrent_sessions: count('Slots: sockets that speak at a time.'),
            premium_voices: { type: 'boolean', description: 'True if premium voices may be used.' },
            first_credits: credits('Credits of a new user.'),
          }),
        },
      },
    },
    async () => ({
      plans: PLAN_NAMES.map((name) => ({
        name,
        max_concurrent_sessions: PLANS[name].maxConcurrentSessions,
        premium_voices: PLANS[name].premiumVoices,
        first_credits: PLANS[name].firstCredits,
      })),
    }),
  );

  app.get<{ Querystring: { user?: string; before?: string; after?: string; limit: number } }>(
    '/keys',
    {
      schema: {
        operationId: 'listKeys',
        summary: 'List API keys, newest first; never the keys themselves',
        querystring: query({
          user: userFilter,
          before: { type: 'string', pattern: '^key_[0-9a-f]{18}$', description: 'Continues the list after this id.' },
          after: {
            type: 'string',
            pattern: '^(key_[0-9a-f]{18})?$',
            description: 'Lists the oldest first, after this id; empty for the first ones.',
          },
          limit,
        }),
        response: {
          200: rows('The keys.', 'keys', {
            id: text('Id of the key.'),
            user: text('Id of the user.'),
            plan: planField,
            credits: credits('Credits of the user.'),
            from_environment: { type: 'boolean', description: 'True if it comes from SVC_API_KEY.' },
            created_at: time('Creation'),
            revoked_at: { type: ['string', 'null'], description: 'Revocation: ISO 8601, UTC; null if it is valid.' },
          }),
          422: wrong,
        },
      },
    },
    async ({ query: page }) => {
      if (page.user !== undefined) checkUserId(page.user);
      return { keys: await readKeyPage(database, page) };
    },
  );

  app.post<{ Body: { user?: string; plan?: PlanName; credits?: number } | undefined; Headers: IdempotencyHeaders }>(
    '/keys',
    {
      preValidation: async (request) => {
        if (request.body === undefined) request.body = {};
      },
      schema: {
        operationId: 'createKey',
        summary: 'Create an API key, and its user if that is a new one',
        headers: idempotency,
        body: body(
          {
            user: text('Id of the user; by default a new user.'),
            plan: { ...planField, description: 'Plan to set; by default `starter` for a new user.' },
            credits: creditsField,
          },
          [],
        ),
        response: {
          201: answer('The key. No later answer contains it.', {
            id: text('Id of the key.'),
            key: text('The key, a secret.'),
            user: text('Id of the user.'),
          }),
          409: refusalSchema('The `Idempotency-Key` has made a key before; the body names it. It is not shown again.'),
          ...refusals,
        },
      },
    },
    async (request, reply) => {
      const wanted = { ...request.body, ...idempotencyOf(request) };
      const key = await changeData(audit, request, 'keys create', wanted, () => accounts.createKey(wanted));
      return reply.code(201).send(key);
    },
  );

  app.post<{ Params: { id: string } }>(
    '/keys/:id/revoke',
    {
      schema: {
        operationId: 'revokeKey',
        summary: 'Revoke an API key, at once and for ever',
        params: path('id', 'Id of the key.'),
        response: {
          200: answer('The key.', {
            id: text('Id of the key.'),
            user: text('Id of the user.'),
            revoked_at: time('Revocation'),
          }),
          404: refusals[404],
        },
      },
    },
    (request) => {
      const { id } = request.params;
      return changeData(audit, request, 'keys revoke', { id }, () => accounts.revokeKey(id));
    },
  );
}
