import type { FastifyInstance } from 'fastify';
import { listSecrets, rotateSecrets, SECRET_NAMES, SecretError, type SecretName } from '../store/secret-versions.js';
import { StoreError } from '../store/store-error.js';
import { changeData, type DataOptions } from './change-data.js';
import { body, text } from './schema.js';

/** Options of {@link addOperatorRoutes}. */
export interface OperatorOptions extends DataOptions {
  /** Key of LiveKit in the environment, if it signs the room tokens. */
  readonly livekitKey: string | undefined;
}

/** Adds the routes for those who run the service: they show secrets, and write files on its machine. */
export function addOperatorRoutes(app: FastifyInstance, { database, audit, livekitKey }: OperatorOptions): void {
  app.get('/secrets', async () => ({ secrets: await listSecrets(database) }));

  app.post<{ Body: { name?: SecretName; isLeaked: boolean } }>(
    '/secrets/rotate',
    {
      schema: {
        body: body({ name: { type: 'string', enum: SECRET_NAMES }, isLeaked: { type: 'boolean' } }, ['isLeaked']),
      },
    },
    (request) => {
      const { name, isLeaked } = request.body;
      const rotate = async () => rotateSecrets(database, secretsToRotate(name, livekitKey), isLeaked);
      return changeData(audit, request, 'secrets rotate', request.body, rotate).then((secrets) => ({ secrets }));
    },
  );

  app.post<{ Body: { path: string } }>(
    '/backup',
    { schema: { body: body({ path: text('Absolute path on the machine of the service.') }) } },
    (request) =>
      changeData(audit, request, 'data backup', request.body, async () => {
        if (!database.backUp) {
          throw new StoreError('data backup copies a data folder (--data). Back up PostgreSQL with pg_dump.');
        }
        await database.backUp(request.body.path);
        return { backup: request.body.path };
      }),
  );
}

/** Returns the secrets to rotate: the one that is named, otherwise all in the store. */
function secretsToRotate(name: SecretName | undefined, livekitKey: string | undefined): readonly SecretName[] {
  if (livekitKey === undefined) return name === undefined ? SECRET_NAMES : [name];
  if (name === 'room-token') {
    throw new SecretError(
      `room-token cannot be rotated: its secret is not in the store, but in SVC_LIVEKIT_SECRET (key ${livekitKey}). ` +
        'Add another key to the LiveKit server, set SVC_LIVEKIT_KEY and SVC_LIVEKIT_SECRET to it, and restart the nodes.',
    );
  }
  return ['session-token'];
}
