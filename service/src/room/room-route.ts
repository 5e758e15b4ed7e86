/// <reference types="@fastify/swagger" />
import type { FastifyInstance } from 'fastify';
import { callerOf } from '../api/caller.js';
import { NAME_PATTERN } from '../api/errors.js';
import { fieldRefusalSchema, refusalSchema } from '../api/refusal-schema.js';
import { avatarRefusals, findAvatarFor } from '../avatar/avatar-access.js';
import type { Avatars } from '../avatar/avatars.js';
import type { Clock } from '../clock.js';
import type { Queries } from '../store/database.js';
import type { RoomSigningKey } from './room-signing-key.js';
import { issueRoomToken, makeRoomName } from './room-token.js';
import { claimRoom } from './rooms.js';

/** Options of {@link addRoomRoutes}. */
export interface RoomRouteOptions {
  readonly avatars: Avatars;
  readonly clock: Clock;
  readonly database: Queries;
  /** Returns the key that signs room tokens now. */
  readonly roomKey: () => Promise<RoomSigningKey>;
}

/** Default name of a user (interface-spec 4.4). */
const DEFAULT_NAME = 'my name';

/** Schema of a readable name: 1 to 128 characters, at least one that is not a space, no control characters. */
const nameSchema = { type: 'string', minLength: 1, maxLength: 128, pattern: NAME_PATTERN } as const;

/** Adds `GET /rtc/getToken` (interface-spec 4.4). The scope must authenticate the caller. */
export async function addRoomRoutes(
  app: FastifyInstance,
  { avatars, clock, database, roomKey }: RoomRouteOptions,
): Promise<void> {
  app.get<{ Querystring: { avatar_id: string; name?: string; room?: string } }>(
    '/rtc/getToken',
    {
      schema: {
        operationId: 'getRoomToken',
        summary: 'Get a token to join a real-time room with an avatar',
        tags: ['rooms'],
        querystring: {
          type: 'object',
          required: ['avatar_id'],
          properties: {
            avatar_id: { type: 'string', minLength: 1, description: 'Avatar of the caller, or a public one.' },
            name: {
              ...nameSchema,
              description:
                `What the user is called; ${DEFAULT_NAME} by default. With the account, it is the identity in the room. ` +
                'Without a name, each token has an identity of its own, so that visitors do not replace each other.',
            },
            room: {
              ...nameSchema,
              description:
                'The room; one that nobody can guess by default. A room belongs to the account that first had a token ' +
                'for it, until 24 hours after its last token.',
            },
          },
        },
        response: {
          200: {
            description: 'The token, and the room it is for.',
            type: 'object',
            required: ['token', 'room_name'],
            properties: {
              token: { type: 'string', description: 'JWT with the grants of LiveKit, good for 15 minutes.' },
              room_name: { type: 'string' },
            },
          },
          ...avatarRefusals,
          403: refusalSchema("The status of the avatar is not available, or the room is another account's."),
          422: fieldRefusalSchema('A parameter is missing or wrong; the body names it.'),
        },
      },
    },
    async (request, reply) => {
      const { accountId } = callerOf(request);
      const { avatar_id: avatarId, name, room = makeRoomName() } = request.query;
      const access = await findAvatarFor(accountId, avatarId, avatars);
      reply.header('cache-control', 'no-store');
      if (!access.ok) return reply.code(access.status).send(access.body);
      if (!(await claimRoom(database, room, accountId))) {
        return reply.code(403).send({ detail: 'This room belongs to another account: choose another name.' });
      }
      const entry = { accountId, avatarId, name: name ?? DEFAULT_NAME, isGuest: name === undefined, room };
      return reply.send({ token: await issueRoomToken(await roomKey(), entry, clock), room_name: room });
    },
  );
}
