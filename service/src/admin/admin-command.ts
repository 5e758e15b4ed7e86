import { AccountError } from '../account/account-error.js';
import { createAccounts } from '../account/accounts.js';
import type { PlanName } from '../account/plans.js';
import { AvatarError } from '../avatar/avatar-error.js';
import { createAvatars, type AvatarStatus } from '../avatar/avatars.js';
import type { Database } from '../store/database.js';
import { StoreError } from '../store/store-error.js';
import { listSecrets, rotateSecrets, SECRET_NAMES, SecretError, type SecretName } from '../store/secret-versions.js';
import { AuditLog, type Actor } from './audit.js';

/** A command that reads or changes the data. Commands travel between two processes as JSON. */
export type AdminCommand =
  | {
      readonly command: 'keys create';
      readonly user?: string;
      readonly plan?: PlanName;
      readonly credits?: number;
      readonly idempotencyKey?: string;
    }
  | { readonly command: 'keys list' }
  | { readonly command: 'keys revoke'; readonly id: string }
  | { readonly command: 'users plan'; readonly user: string; readonly plan: PlanName }
  | {
      readonly command: 'credits add';
      readonly user: string;
      readonly credits: number;
      readonly idempotencyKey?: string;
    }
  | {
      readonly command: 'avatars add';
      readonly id?: string;
      readonly owner: string;
      readonly isPublic: boolean;
      readonly status: AvatarStatus;
      /** Parsed content of the bundle's file. */
      readonly bundle: unknown;
    }
  | { readonly command: 'avatars list' }
  | { readonly command: 'avatars status'; readonly id: string; readonly status: AvatarStatus }
  | { readonly command: 'ledger'; readonly user?: string }
  | { readonly command: 'secrets list' }
  /** Without `name`, rotates all secrets in the store. */
  | { readonly command: 'secrets rotate'; readonly name?: SecretName; readonly isLeaked: boolean }
  /** Copies the data of the embedded database into a new folder, an absolute path on the machine of the service. */
  | { readonly command: 'data backup'; readonly path: string };

/** Error for a command that cannot be carried out. The message is one line that gives the reason. */
export class AdminError extends Error {
  override readonly name = 'AdminError';
  /** True if the command names something that does not exist. */
  readonly isMissing: boolean;
  /** True if it was carried out before. */
  readonly isConflict: boolean;

  constructor(
    message: string,
    { isMissing = false, isConflict = false }: { readonly isMissing?: boolean; readonly isConflict?: boolean } = {},
  ) {
    super(message);
    this.isMissing = isMissing;
    this.isConflict = isConflict;
  }
}

type Kind = 'string' | 'number' | 'boolean' | 'anything';

/** Members of each command besides its name; those with a `?` are optional. */
const MEMBERS: Readonly<Record<AdminCommand['command'], Readonly<Record<string, Kind | `${Kind}?`>>>> = {
  'keys create': { user: 'string?', plan: 'string?', credits: 'number?', idempotencyKey: 'string?' },
  'keys list': {},
  'keys revoke': { id: 'string' },
  'users plan': { user: 'string', plan: 'string' },
  'credits add': { user: 'string', credits: 'number', idempotencyKey: 'string?' },
  'avatars add': { id: 'string?', owner: 'string', isPublic: 'boolean', status: 'string', bundle: 'anything' },
  'avatars list': {},
  'avatars status': { id: 'string', status: 'string' },
  ledger: { user: 'string?' },
  'secrets list': {},
  'secrets rotate': { name: 'string?', isLeaked: 'boolean' },
  'data backup': { path: 'string' },
};

/**
 * Reads a command from an untrusted source. Checks the types of its members; running the command checks their values.
 *
 * @throws {AdminError} If the value is not a command, or one of its members has the wrong type.
 */
export function readAdminCommand(value: unknown): AdminCommand {
  const members = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>;
  const { command } = members;
  if (typeof command !== 'string' || !Object.hasOwn(MEMBERS, command)) {
    throw new AdminError(
      'The running service does not know this command: it may be of another version. Restart it with this version.',
    );
  }
  const kinds = MEMBERS[command as AdminCommand['command']];
  for (const [name, kind] of Object.entries(kinds)) {
    if (kind.endsWith('?') && members[name] === undefined) continue;
    if (kind !== 'anything' && typeof members[name] !== kind.replace('?', '')) {
      throw new AdminError(`${name} of ${command} must be a ${kind.replace('?', '')}.`);
    }
  }
  return members as unknown as AdminCommand;
}

/** Commands that only read. The others are recorded in the audit log. */
const READING: ReadonlySet<AdminCommand['command']> = new Set(['keys list', 'avatars list', 'ledger', 'secrets list']);

/** Members of commands and results that the audit log leaves out: secrets and large values. */
const UNRECORDED = ['command', 'key', 'secret', 'bundle'];

const COMMAND_LINE: Actor = { via: 'command', name: 'command line', client: null };

/**
 * Carries out a command. A command that changes something is recorded in the audit log.
 *
 * @param livekitKey - Key of LiveKit in the environment, if it signs the room tokens.
 * @returns The rows to print, each a JSON object on its own line.
 * @throws {AdminError} If the command cannot be carried out.
 */
export async function* runAdminCommand(
  database: Database,
  command: AdminCommand,
  livekitKey?: string,
): AsyncGenerator<object> {
  if (READING.has(command.command)) yield* asAdminErrors(rowsOf(database, command, livekitKey));
  else yield* await changeData(database, new AuditLog(database), COMMAND_LINE, command, livekitKey);
}

/**
 * Carries out a command that changes something, and records it.
 *
 * @param livekitKey - As for {@link runAdminCommand}.
 * @returns The rows to print.
 * @throws {AdminError} If the command cannot be carried out.
 */
export function changeData(
  database: Database,
  audit: AuditLog,
  actor: Actor,
  command: AdminCommand,
  livekitKey?: string,
): Promise<object[]> {
  return audit.record(
    actor,
    command.command,
    recordable(command),
    async () => {
      const rows: object[] = [];
      for await (const row of asAdminErrors(rowsOf(database, command, livekitKey))) rows.push(row);
      const [only, ...others] = rows.map(recordable);
      return { result: rows, details: others.length > 0 ? { rows: [only, ...others] } : (only ?? {}) };
    },
    (error) => error instanceof AdminError,
  );
}

/** Returns the members of a command or a row to record: no secrets, and only the length of each list. */
function recordable(members: object): object {
  const entries = Object.entries(members).filter(([name]) => !UNRECORDED.includes(name));
  return Object.fromEntries(entries.map(([name, value]) => [name, Array.isArray(value) ? value.length : value]));
}

async function* asAdminErrors(rows: AsyncIterable<object>): AsyncGenerator<object> {
  try {
    yield* rows;
  } catch (error) {
    if (error instanceof AccountError) throw new AdminError(error.message, error);
    if (error instanceof AvatarError || error instanceof SecretError || error instanceof StoreError)
      throw new AdminError(error.message);
    throw error;
  }
}

async function* rowsOf(database: Database, command: AdminCommand, livekitKey?: string): AsyncGenerator<object> {
  const accounts = createAccounts(database);
  const avatars = createAvatars(database);
  switch (command.command) {
    case 'keys create':
      yield await accounts.createKey(command);
      break;
    case 'keys list':
      yield* await accounts.listKeys();
      break;
    case 'keys revoke':
      yield await accounts.revokeKey(command.id);
      break;
    case 'users plan':
      yield await accounts.setPlan(command.user, command.plan);
      break;
    case 'credits add':
      yield await accounts.grant(command.user, command.credits, command.idempotencyKey);
      break;
    case 'avatars add':
      yield await avatars.add(command);
      break;
    case 'avatars list':
      for (const { id, owner, isPublic, status, name, bundleBytes, createdAt } of await avatars.list()) {
        yield { id, owner, public: isPublic, status, name, bytes: bundleBytes, created_at: createdAt };
      }
      break;
    case 'avatars status':
      if (!(await avatars.setStatus(command.id, command.status))) {
        const id = JSON.stringify(command.id.slice(0, 40));
        throw new AdminError(`There is no avatar ${id}: svc-service avatars list shows the ids of all.`, {
          isMissing: true,
        });
      }
      yield { id: command.id, status: command.status };
      break;
    case 'ledger':
      yield* accounts.ledger(command.user);
      break;
    case 'secrets list':
      yield* await listSecrets(database);
      break;
    case 'secrets rotate':
      yield* await rotateSecrets(database, secretsToRotate(command.name, livekitKey), command.isLeaked);
      break;
    case 'data backup':
      if (!database.backUp) {
        throw new AdminError('data backup copies a data folder (--data). Back up PostgreSQL with pg_dump.');
      }
      await database.backUp(command.path);
      yield { backup: command.path };
      break;
  }
}

/** Returns the secrets that a command selects. Throws for a secret that is not in the store. */
function secretsToRotate(name: SecretName | undefined, livekitKey: string | undefined): readonly SecretName[] {
  if (name !== undefined && !SECRET_NAMES.includes(name)) {
    throw new AdminError(`There is no secret ${JSON.stringify(name)}: choose one of ${SECRET_NAMES.join(', ')}.`);
  }
  if (livekitKey === undefined) return name === undefined ? SECRET_NAMES : [name];
  if (name === 'room-token') {
    throw new AdminError(
      `room-token cannot be rotated: its secret is not in the store, but in SVC_LIVEKIT_SECRET (key ${livekitKey}). ` +
        'Add another key to the LiveKit server, set SVC_LIVEKIT_KEY and SVC_LIVEKIT_SECRET to it, and restart the nodes.',
    );
  }
  return ['session-token'];
}
