import { readCommandOptions, type OptionKinds } from '../settings/command-options.js';
import type { Environment } from '../settings/read-values.js';
import { SettingsError } from '../settings/settings-error.js';
import { readStore, STORE_OPTION_KINDS } from '../settings/store-settings.js';
import type { StoreOptions } from '../store/open-database.js';
import { COMMAND_NAMES, COMMANDS, findCommand, type Command, type CommandName, type Job } from './commands.js';

/** A command as typed on the command line. */
export interface AdminArguments {
  readonly name: CommandName;
  readonly store: StoreOptions;
  readonly job: Job;
  /** Key of LiveKit in the environment. */
  readonly livekitKey: string | undefined;
}

/** True if the arguments are those of an admin command rather than of the service. */
export function isAdminCommand(args: readonly string[]): boolean {
  return COMMAND_NAMES.some((name) => name.split(' ')[0] === args[0]);
}

/**
 * Reads a command that works on the data. The arguments must satisfy {@link isAdminCommand}.
 *
 * @returns `null` if help is asked for.
 * @throws {SettingsError} If an argument is invalid.
 */
export function readAdminArguments(args: readonly string[], environment: Environment): AdminArguments | null {
  const name = findCommand(args);
  if (!name) {
    if (args.includes('--help') || args.includes('-h')) return null;
    const known = COMMAND_NAMES.filter((candidate) => candidate.startsWith(`${args[0]} `)).join(', ');
    throw new SettingsError(
      `${args.slice(0, 2).join(' ')} is not known: there are ${known}; see svc-service ${args[0]} --help.`,
    );
  }
  const command: Command = COMMANDS[name];
  const usage = Object.keys(command.arguments);
  const rest = args.slice(name.split(' ').length);
  const options = readCommandOptions(rest, { ...STORE_OPTION_KINDS, ...optionKinds(usage) }, `svc-service ${name}`);
  if (options.help) return null;
  const { values, words } = options;
  const expected = usage.filter((argument) => !argument.includes('--'));
  const wordsMin = expected.filter(isRequired).length;
  if (words.length < wordsMin || words.length > expected.length) {
    const extra = words[expected.length];
    const problem = extra === undefined ? `${expected[words.length]} is missing` : `unexpected argument ${extra}`;
    throw new SettingsError(
      `${problem}: svc-service ${[name, ...expected].join(' ')}; see svc-service ${name} --help.`,
    );
  }
  const missing = usage.find((argument) => argument.startsWith('--') && values[nameOf(argument)] === undefined);
  if (missing !== undefined) throw new SettingsError(`${name} needs ${missing}: ${command.arguments[missing]}.`);
  const store = readStore(values, environment);
  if (store.databaseUrl === undefined && store.dataDir === undefined) {
    throw new SettingsError(
      `${name} cannot reach what another process holds in memory: give it --data or --database-url.`,
    );
  }
  return { name, store, job: command.job(words, options), livekitKey: environment.SVC_LIVEKIT_KEY || undefined };
}

function isRequired(argument: string): boolean {
  return !argument.startsWith('[');
}

/** Returns the name of an option in a usage, such as `user` of `[--user ID]`. */
function nameOf(argument: string): string {
  return /--([a-z-]+)/.exec(argument)![1]!;
}

function optionKinds(usage: readonly string[]): OptionKinds {
  const options = usage.filter((argument) => argument.includes('--'));
  return Object.fromEntries(options.map((option) => [nameOf(option), option.includes(' ') ? 'string' : 'boolean']));
}
