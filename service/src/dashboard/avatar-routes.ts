/// <reference types="@fastify/swagger" />
import type { FastifyInstance } from 'fastify';
import { refusalSchema } from '../api/refusal-schema.js';
import { BUNDLE_MAX_BYTES } from '../avatar/avatar-bundle.js';
import { AvatarError } from '../avatar/avatar-error.js';
import { drawAvatarPreview } from '../avatar/avatar-preview.js';
import { AVATAR_STATUSES, createAvatars, type AvatarStatus } from '../avatar/avatars.js';
import { changeData, type DataOptions } from './change-data.js';
import { answer, body, count, limit, path, query, rows, text, time, wrong } from './schema.js';

/** Largest body of an upload, in bytes: JSON may escape what a bundle contains. */
const UPLOAD_MAX_BYTES = 2 * BUNDLE_MAX_BYTES;

const statusField = {
  type: 'string',
  enum: AVATAR_STATUSES,
  description: 'Clients can use an avatar only if it is `available`.',
} as const;

const refusals = { 404: refusalSchema('There is no such avatar.'), 422: wrong };

/** Adds the routes for avatars. The scope must know the administrator. */
export function addAvatarAdminRoutes(app: FastifyInstance, { database, audit }: DataOptions): void {
  const avatars = createAvatars(database);
  app.get<{ Querystring: { after?: string; limit: number } }>(
    '/avatars',
    {
      schema: {
        operationId: 'listAvatars',
        summary: 'List avatars, by id',
        querystring: query({
          after: { type: 'string', maxLength: 64, description: 'Continues the list after this id.' },
          limit,
        }),
        response: {
          200: rows('The avatars.', 'avatars', {
            id: text('Id of the avatar.'),
            owner: text('Id of the user that it belongs to.'),
            public: { type: 'boolean', description: 'True if every user may use it.' },
            status: statusField,
            name: text('Name in its bundle.'),
            bytes: count('Size of its bundle.'),
            created_at: time('Creation'),
          }),
        },
      },
    },
    async ({ query: page }) => ({
      avatars: (await avatars.list(page)).map(({ id, owner, isPublic, status, name, ...rest }) => {
        return { id, owner, public: isPublic, status, name, bytes: rest.bundleBytes, created_at: rest.createdAt };
      }),
    }),
  );

  app.post<{ Body: { id?: string; owner: string; public: boolean; status: AvatarStatus; bundle: object } }>(
    '/avatars',
    {
      bodyLimit: UPLOAD_MAX_BYTES,
      schema: {
        operationId: 'addAvatar',
        summary: 'Upload an avatar',
        body: body(
          {
            id: text('Id; by default that of the bundle, or a new one.'),
            owner: text('Id of a user.'),
            public: { type: 'boolean', default: false, description: 'True if every user may use it.' },
            status: { ...statusField, default: 'available' },
            bundle: { type: 'object', description: 'The bundle, as in the file of `svc-service avatars add`.' },
          },
          ['owner', 'bundle'],
        ),
        response: {
          201: answer('The avatar.', { id: text('Id of the avatar.') }),
          413: refusalSchema('The bundle is too large.'),
          422: wrong,
        },
      },
    },
    async (request, reply) => {
      const { public: isPublic, ...members } = request.body;
      const avatar = { isPublic, ...members };
      return reply.code(201).send(await changeData(audit, request, 'avatars add', avatar, () => avatars.add(avatar)));
    },
  );

  app.patch<{ Params: { id: string }; Body: { status: AvatarStatus } }>(
    '/avatars/:id',
    {
      schema: {
        operationId: 'changeAvatar',
        summary: 'Change the status of an avatar',
        params: path('id', 'Id of the avatar.'),
        body: body({ status: statusField }),
        response: { 200: answer('The avatar.', { id: text('Id of the avatar.'), status: statusField }), ...refusals },
      },
    },
    (request) => {
      const change = { id: request.params.id, status: request.body.status };
      return changeData(audit, request, 'avatars status', change, async () => {
        if (await avatars.setStatus(change.id, change.status)) return change;
        const id = JSON.stringify(change.id.slice(0, 40));
        throw new AvatarError(`There is no avatar ${id}: svc-service avatars list shows the ids of all.`, {
          isMissing: true,
        });
      });
    },
  );

  app.get<{ Params: { id: string }; Querystring: { scheme: 'light' | 'dark' } }>(
    '/avatars/:id/preview',
    {
      schema: {
        operationId: 'previewAvatar',
        summary: 'Draw an avatar, whatever its status',
        params: path('id', 'Id of the avatar.'),
        querystring: query({
          scheme: { type: 'string', enum: ['light', 'dark'], default: 'light', description: 'Colours of the drawing.' },
        }),
        response: {
          200: { description: 'The drawing.', content: { 'image/svg+xml': { schema: { type: 'string' } } } },
          ...refusals,
        },
      },
    },
    async ({ params: { id }, query: { scheme } }, reply) => {
      const bundle = await avatars.readBundle(id);
      if (bundle === null)
        return reply.code(404).send({ detail: `There is no avatar ${JSON.stringify(id.slice(0, 64))}.` });
      return reply.type('image/svg+xml').send(drawAvatarPreview(bundle, scheme));
    },
  );
}
