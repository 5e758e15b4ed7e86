/// <reference types="@fastify/swagger" />
import type { FastifyInstance } from 'fastify';
import { callerOf } from '../api/caller.js';
import { avatarRefusals, findAvatarFor } from './avatar-access.js';
import type { Avatars } from './avatars.js';
import { encryptBundle } from './bundle-payload.js';

/** Options of {@link addAvatarRoutes}. */
export interface AvatarRouteOptions {
  readonly avatars: Avatars;
}

/** Adds `GET /avatars/bundle/:avatar_id` (interface-spec 4.3). The scope must authenticate the caller. */
export async function addAvatarRoutes(app: FastifyInstance, { avatars }: AvatarRouteOptions): Promise<void> {
  app.get<{ Params: { avatar_id: string } }>(
    '/avatars/bundle/:avatar_id',
    {
      schema: {
        operationId: 'getAvatarBundle',
        summary: 'Get what is needed to show an avatar, encrypted for the API key of the call',
        tags: ['avatars'],
        params: {
          type: 'object',
          required: ['avatar_id'],
          properties: { avatar_id: { type: 'string', description: 'Avatar of the caller, or a public one.' } },
        },
        response: {
          200: {
            description: 'The bundle, to be decrypted with the API key.',
            type: 'object',
            required: ['payload'],
            properties: {
              payload: { type: 'string', description: 'Compact JWE (dir, A256GCM) of the bundle, which is JSON.' },
            },
          },
          ...avatarRefusals,
        },
      },
    },
    async (request, reply) => {
      const { accountId, apiKey } = callerOf(request);
      const access = await findAvatarFor(accountId, request.params.avatar_id, avatars);
      reply.header('cache-control', 'no-store');
      if (!access.ok) return reply.code(access.status).send(access.body);
      const json = await avatars.readBundle(access.avatar.id);
      if (json === null) return reply.code(404).send({ detail: 'There is no such avatar.' });
      return reply.send({ payload: await encryptBundle(json, apiKey) });
    },
  );
}
