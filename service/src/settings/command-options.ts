import { parseArgs } from 'node:util';
import { SettingsError } from './settings-error.js';

/** Options of a command: `string` options have a value, `boolean` ones have none. */
export type OptionKinds = Readonly<Record<string, 'string' | 'boolean'>>;

/** The parsed arguments of a command. */
export interface CommandOptions {
  /** Values of `string` options, by name without dashes. If an option is repeated, the last value counts. */
  readonly values: Readonly<Record<string, string>>;
  /** The `boolean` options that were given. */
  readonly flags: ReadonlySet<string>;
  /** Arguments that are not options, in order. */
  readonly words: readonly string[];
  /** True if `--help` or `-h` was given. Other arguments are then ignored, even invalid ones. */
  readonly help: boolean;
}

/**
 * Reads options, `--name value` or `--name=value`, and other words.
 *
 * @param args - Arguments after the command.
 * @param command - The command, for messages.
 * @throws {SettingsError} If an option is not among `kinds`, lacks its value, or has a value that it does not take.
 */
export function readCommandOptions(
  args: readonly string[],
  kinds: OptionKinds,
  command = 'svc-service',
): CommandOptions {
  // Not strict: the error messages of `parseArgs` name neither the command nor its help.
  const { tokens } = parseArgs({
    args: [...args],
    options: Object.fromEntries(Object.entries(kinds).map(([name, type]) => [name, { type }])),
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  const values: Record<string, string> = {};
  const flags = new Set<string>();
  const words: string[] = [];
  const options = tokens.filter((token) => token.kind === 'option');
  if (options.some(({ rawName }) => rawName === '--help' || rawName === '-h'))
    return { values, flags, words, help: true };
  for (const { name, rawName, value, inlineValue } of options) {
    const kind = rawName.startsWith('--') && Object.hasOwn(kinds, name) ? kinds[name] : undefined;
    if (kind === undefined) throw new SettingsError(`${rawName} is not known; ${command} --help shows what is.`);
    if (kind === 'boolean') {
      if (value !== undefined) throw new SettingsError(`${rawName} takes no value: leave out what follows the =.`);
      flags.add(name);
    } else {
      // An option is not the value of the option before it. A value that begins with -- needs the form --name=value.
      if (value === undefined || (!inlineValue && value.startsWith('--'))) {
        throw new SettingsError(`${rawName} needs a value: ${rawName} VALUE.`);
      }
      values[name] = value;
    }
  }
  for (const token of tokens) if (token.kind === 'positional') words.push(token.value);
  return { values, flags, words, help: false };
}
