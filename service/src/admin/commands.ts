import { resolve } from 'node:path';
import { AccountError } from '../account/account-error.js';
import { creditsToMs } from '../account/credits.js';
import { PLAN_NAMES } from '../account/plans.js';
import { checkUserId } from '../account/user-id.js';
import { AVATAR_STATUSES } from '../avatar/avatars.js';
import { ROWS_MAX } from '../dashboard/schema.js';
import type { CommandOptions } from '../settings/command-options.js';
import { defined, readChoice } from '../settings/read-values.js';
import { SettingsError } from '../settings/settings-error.js';
import { SECRET_NAMES } from '../store/secret-versions.js';
import type { HttpRequest } from './ask-service.js';

/** A request to the admin API. */
export interface AdminRequest {
  readonly method: HttpRequest['method'];
  /** Path below `/admin/api`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object | undefined;
  /** File with the member `bundle` of the body. */
  readonly bundleFile?: string;
  /**
   * Member of the answer with the rows to print; by default the answer is the only row. If `query` has a `limit`, more
   * rows follow after the `id` of the last one.
   */
  readonly rows?: string;
}

/** Export of a data folder that no service uses. */
interface Export {
  readonly exportFile: string;
}

/** Work of a command. */
export type Job = AdminRequest | Export;

/** A command that reads or changes the data. */
export interface Command {
  /** Its effect, in one line. */
  readonly effect: string;
  /** Its words and options as in its usage, each with an explanation. Optional ones are in brackets. */
  readonly arguments: Readonly<Record<string, string>>;
  readonly notes?: string;
  /** True if the service must be stopped first. */
  readonly isOffline?: boolean;
  /**
   * Reads what was typed.
   *
   * @param words - One for each word that is not optional, at least.
   * @throws {SettingsError} If an argument is invalid.
   */
  job(words: readonly string[], options: CommandOptions): Job;
}

const PLANS = PLAN_NAMES.join('|');
const STATUSES = AVATAR_STATUSES.join(', ');

/** The first page of a list, oldest row first. */
const firstPage = (after: string): Record<string, string> => ({ after, limit: String(ROWS_MAX) });

/** The commands of `svc-service`, except for `start`. Each is a request to the admin API, and `data export`. */
export const COMMANDS = {
  'keys create': {
    effect: 'creates an API key and shows it, once',
    arguments: {
      '[--user ID]': 'user of the key; a new user by default',
      [`[--plan ${PLANS}]`]: 'plan of the user; a new user has starter by default',
      '[--credits N]': 'credits to give to the user; a new user gets the first credits of the plan by default',
    },
    notes: 'An existing user keeps plan and credits, unless an option changes them.',
    job: (_words, { values: { user, plan, credits } }) => ({
      method: 'POST',
      path: '/keys',
      body: defined<object>({
        user: user === undefined ? undefined : readUser('--user', user),
        plan: plan === undefined ? undefined : mustChoose('--plan', plan, PLAN_NAMES),
        credits: credits === undefined ? undefined : readCredits('--credits', credits),
      }),
    }),
  },
  'keys list': {
    effect: 'lists the ids and users of all keys; never the keys themselves',
    arguments: {},
    job: () => ({ method: 'GET', path: '/keys', query: firstPage(''), rows: 'keys' }),
  },
  'keys revoke': {
    effect: 'ends a key at once',
    arguments: { ID: 'id of the key, as keys list shows it: key_…' },
    notes: 'A key that was revoked never works again.',
    job: ([id]) => ({ method: 'POST', path: `/keys/${encodeURIComponent(id!)}/revoke` }),
  },
  'users plan': {
    effect: 'changes the plan of a user',
    arguments: { USER: 'id of the user', PLAN: PLAN_NAMES.join(', ') },
    job: ([user, plan]) => ({
      method: 'PATCH',
      path: `/users/${readUser('USER', user!)}`,
      body: { plan: mustChoose('PLAN', plan!, PLAN_NAMES) },
    }),
  },
  'credits add': {
    effect: 'gives credits to a user',
    arguments: { USER: 'id of the user', N: 'number of credits, in seconds of an open socket' },
    job: ([user, credits]) => ({
      method: 'POST',
      path: `/users/${readUser('USER', user!)}/credits`,
      body: { credits: readCredits('N', credits!) },
    }),
  },
  'avatars add': {
    effect: 'adds the avatar whose bundle is in a file',
    arguments: {
      FILE: 'bundle of the avatar, JSON',
      '--owner USER': 'user whose avatar it is',
      '[--id ID]': 'id of the avatar; that in the bundle by default',
      '[--public]': 'makes it available to every user',
      '[--status STATUS]': `${STATUSES}; available by default`,
    },
    job: ([bundleFile], { values: { owner, id, status = 'available' }, flags }) => ({
      method: 'POST',
      path: '/avatars',
      bundleFile: bundleFile!,
      body: {
        owner: readUser('--owner', owner!),
        public: flags.has('public'),
        status: mustChoose('--status', status, AVATAR_STATUSES),
        ...defined<object>({ id }),
      },
    }),
  },
  'avatars list': {
    effect: 'lists all avatars',
    arguments: {},
    job: () => ({ method: 'GET', path: '/avatars', query: firstPage(''), rows: 'avatars' }),
  },
  'avatars status': {
    effect: 'changes the status of an avatar',
    arguments: { ID: 'id of the avatar, as avatars list shows it', STATUS: STATUSES },
    job: ([id, status]) => ({
      method: 'PATCH',
      path: `/avatars/${encodeURIComponent(id!)}`,
      body: { status: mustChoose('STATUS', status!, AVATAR_STATUSES) },
    }),
  },
  ledger: {
    effect: 'lists what was given and used, a row for each grant and each socket',
    arguments: { '[--user ID]': 'only that of this user' },
    job: (_words, { values: { user } }) => ({
      method: 'GET',
      path: '/ledger',
      query: { ...firstPage('0'), ...(user === undefined ? {} : { user: readUser('--user', user) }) },
      rows: 'ledger',
    }),
  },
  'data backup': {
    effect: 'copies the data folder, while it is used, into a new folder that start can use',
    arguments: { FOLDER: 'a copy of the data folder; contains the secrets that sign tokens' },
    notes: 'The service writes it, and must be allowed to. Back up PostgreSQL with pg_dump.',
    job: ([path]) => ({ method: 'POST', path: '/backup', body: { path: resolve(path!) } }),
  },
  'data export': {
    effect: 'writes a data folder into a new file of SQL, which psql loads into an empty PostgreSQL database',
    arguments: { FILE: 'SQL; contains the secrets that sign tokens' },
    isOffline: true,
    job: ([exportFile]) => ({ exportFile: exportFile! }),
  },
  'secrets list': {
    effect: 'lists the versions of the secrets that sign tokens; never the secrets themselves',
    arguments: {},
    job: () => ({ method: 'GET', path: '/secrets', rows: 'secrets' }),
  },
  'secrets rotate': {
    effect: 'signs tokens with new secrets, and accepts the old ones for 2 hours',
    arguments: {
      '[SECRET]': `${SECRET_NAMES.join(' or ')}; all that are in the store by default`,
      '[--leaked]': 'deletes the old ones: their tokens are refused from now on',
    },
    notes: `Room tokens change 1 hour later, or at once with --leaked. Until then, add the key (kid) and the secret, which are
shown once, to the LiveKit server.`,
    job: ([name], { flags }) => ({
      method: 'POST',
      path: '/secrets/rotate',
      body: {
        isLeaked: flags.has('leaked'),
        ...(name === undefined ? {} : { name: mustChoose('SECRET', name, SECRET_NAMES) }),
      },
      rows: 'secrets',
    }),
  },
} as const satisfies Readonly<Record<string, Command>>;

/** Name of a command. */
export type CommandName = keyof typeof COMMANDS;

/** The names of all commands. */
export const COMMAND_NAMES = Object.keys(COMMANDS) as CommandName[];

/** Returns the command that the first arguments name. */
export function findCommand(args: readonly string[]): CommandName | undefined {
  return COMMAND_NAMES.find((name) => name === args.slice(0, name.split(' ').length).join(' '));
}

function mustChoose<Word extends string>(name: string, text: string, words: readonly Word[]): Word {
  return readChoice(name, text || 'nothing', words)!;
}

function readUser(name: string, text: string): string {
  return rephrase(name, () => {
    checkUserId(text);
    return text;
  });
}

function readCredits(name: string, text: string): number {
  return rephrase(name, () => {
    const credits = /^\d+(\.\d+)?$/.test(text) ? Number(text) : NaN;
    creditsToMs(credits);
    return credits;
  });
}

/** Converts an account error to a settings error that names the argument. */
function rephrase<Value>(name: string, read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    if (error instanceof AccountError) throw new SettingsError(`${name}: ${error.message}`);
    throw error;
  }
}
