import { resolve } from 'node:path';
import { AccountError } from '../account/account-error.js';
import { creditsToMs } from '../account/credits.js';
import { PLAN_NAMES } from '../account/plans.js';
import { checkUserId } from '../account/user-id.js';
import { AVATAR_STATUSES } from '../avatar/avatars.js';
import { readCommandOptions, type CommandOptions, type OptionKinds } from '../settings/command-options.js';
import { defined, readChoice, type Environment } from '../settings/read-values.js';
import { SettingsError } from '../settings/settings-error.js';
import { readStore, STORE_OPTION_KINDS } from '../settings/store-settings.js';
import type { StoreOptions } from '../store/open-database.js';
import { SECRET_NAMES, type SecretName } from '../store/secret-versions.js';
import type { AdminCommand } from './admin-command.js';

type WithoutBundle<Command> = Command extends { bundle: unknown } ? Omit<Command, 'bundle'> : Command;

/** Command that exports the data folder of a stopped service into a file. */
interface ExportCommand {
  readonly command: 'data export';
  readonly path: string;
}

type TypedCommand = WithoutBundle<AdminCommand> | ExportCommand;

/** Name of a command. */
export type CommandName = TypedCommand['command'];

/** A command as typed on the command line. */
export interface AdminArguments {
  readonly store: StoreOptions;
  /** The command. Its bundle, if any, is not yet read from `file`. */
  readonly command: TypedCommand;
  /** Path of the bundle, for `avatars add`. */
  readonly file?: string;
  /** Key of LiveKit in the environment. */
  readonly livekitKey?: string;
}

interface Shape {
  /** Names of the words after the command's name, as the help shows them; optional ones in brackets. */
  readonly words: readonly string[];
  readonly options: OptionKinds;
  read(words: readonly string[], options: CommandOptions): Omit<AdminArguments, 'store' | 'livekitKey'>;
}

/** Words and options of each command. */
export const SHAPES: Readonly<Record<CommandName, Shape>> = {
  'keys create': {
    words: [],
    options: { user: 'string', plan: 'string', credits: 'string' },
    read: (_words, { values: { user, plan, credits } }) => ({
      command: {
        command: 'keys create',
        ...defined<{ user?: string; credits?: number; plan?: (typeof PLAN_NAMES)[number] }>({
          user: user === undefined ? undefined : readUser('--user', user),
          plan: plan === undefined ? undefined : mustChoose('--plan', plan, PLAN_NAMES),
          credits: credits === undefined ? undefined : readCredits('--credits', credits),
        }),
      },
    }),
  },
  'keys list': { words: [], options: {}, read: () => ({ command: { command: 'keys list' } }) },
  'keys revoke': { words: ['ID'], options: {}, read: ([id]) => ({ command: { command: 'keys revoke', id: id! } }) },
  'users plan': {
    words: ['USER', 'PLAN'],
    options: {},
    read: ([user, plan]) => ({
      command: { command: 'users plan', user: readUser('USER', user!), plan: mustChoose('PLAN', plan!, PLAN_NAMES) },
    }),
  },
  'credits add': {
    words: ['USER', 'N'],
    options: {},
    read: ([user, credits]) => ({
      command: { command: 'credits add', user: readUser('USER', user!), credits: readCredits('N', credits!) },
    }),
  },
  'avatars add': {
    words: ['FILE'],
    options: { owner: 'string', id: 'string', public: 'boolean', status: 'string' },
    read: ([file], { values: { owner, id, status = 'available' }, flags }) => {
      if (owner === undefined) throw new SettingsError('avatars add needs --owner USER: whose avatar it is.');
      return {
        file: file!,
        command: {
          command: 'avatars add',
          owner: readUser('--owner', owner),
          isPublic: flags.has('public'),
          status: mustChoose('--status', status, AVATAR_STATUSES),
          ...defined<{ id?: string }>({ id }),
        },
      };
    },
  },
  'avatars list': { words: [], options: {}, read: () => ({ command: { command: 'avatars list' } }) },
  'avatars status': {
    words: ['ID', 'STATUS'],
    options: {},
    read: ([id, status]) => ({
      command: { command: 'avatars status', id: id!, status: mustChoose('STATUS', status!, AVATAR_STATUSES) },
    }),
  },
  'data backup': {
    words: ['FOLDER'],
    options: {},
    read: ([path]) => ({ command: { command: 'data backup', path: resolve(path!) } }),
  },
  'data export': {
    words: ['FILE'],
    options: {},
    read: ([path]) => ({ command: { command: 'data export', path: path! } }),
  },
  ledger: {
    words: [],
    options: { user: 'string' },
    read: (_words, { values: { user } }) => ({
      command: {
        command: 'ledger',
        ...defined<{ user?: string }>({
          user: user === undefined ? undefined : readUser('--user', user),
        }),
      },
    }),
  },
  'secrets list': { words: [], options: {}, read: () => ({ command: { command: 'secrets list' } }) },
  'secrets rotate': {
    words: ['[SECRET]'],
    options: { leaked: 'boolean' },
    read: ([name], { flags }) => ({
      command: {
        command: 'secrets rotate',
        isLeaked: flags.has('leaked'),
        ...defined<{ name?: SecretName }>({
          name: name === undefined ? undefined : mustChoose('SECRET', name, SECRET_NAMES),
        }),
      },
    }),
  },
};

const NAMES = Object.keys(SHAPES) as CommandName[];

/** True if the arguments are those of an admin command rather than of the service. */
export function isAdminCommand(args: readonly string[]): boolean {
  return NAMES.some((name) => name.split(' ')[0] === args[0]);
}

/**
 * Reads a command that works on the data. The arguments must satisfy {@link isAdminCommand}.
 *
 * @returns `null` if help is asked for.
 * @throws {SettingsError} If an argument is invalid.
 */
export function readAdminArguments(args: readonly string[], environment: Environment): AdminArguments | null {
  const name = NAMES.find((candidate) => candidate === args.slice(0, candidate.split(' ').length).join(' '));
  const rest = name ? args.slice(name.split(' ').length) : args;
  if (!name) {
    if (args.includes('--help') || args.includes('-h')) return null;
    const known = NAMES.filter((candidate) => candidate.startsWith(`${args[0]} `)).join(', ');
    throw new SettingsError(
      `${args.slice(0, 2).join(' ')} is not known: there are ${known}; see svc-service ${args[0]} --help.`,
    );
  }
  const shape = SHAPES[name];
  const options = readCommandOptions(rest, { ...STORE_OPTION_KINDS, ...shape.options }, `svc-service ${name}`);
  if (options.help) return null;
  const { words } = options;
  const wordsMin = shape.words.filter((word) => !word.startsWith('[')).length;
  if (words.length < wordsMin || words.length > shape.words.length) {
    const extra = words[shape.words.length];
    const problem = extra === undefined ? `${shape.words[words.length]} is missing` : `unexpected argument ${extra}`;
    throw new SettingsError(
      `${problem}: svc-service ${[name, ...shape.words].join(' ')}; see svc-service ${name} --help.`,
    );
  }
  const store = readStore(options.values, environment);
  if (store.databaseUrl === undefined && store.dataDir === undefined) {
    throw new SettingsError(
      `${name} cannot reach what another process holds in memory: give it --data or --database-url.`,
    );
  }
  return {
    store,
    ...shape.read(words, options),
    ...defined<{ livekitKey?: string }>({ livekitKey: environment.SVC_LIVEKIT_KEY || undefined }),
  };
}

function mustChoose<Word extends string>(name: string, text: string, words: readonly Word[]): Word {
  const word = readChoice(name, text || 'nothing', words);
  return word!;
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
