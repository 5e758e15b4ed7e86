import { parseArgs } from 'node:util';
import { SettingsError } from './settings-error.js';

/** What a command understands: `string` options have a value, `boolean` ones have none. */
export type OptionKinds = Readonly<Record<string, 'string' | 'boolean'>>;

/** The words behind a command. */
export interface CommandOptions {
  /** Values of `string` options, by name without dashes. Of an option that is given twice, the last one counts. */
  readonly values: Readonly<Record<string, string>>;
  /** The `boolean` options that are given. */
  readonly flags: ReadonlySet<string>;
  /** What is no option, in order. */
  readonly words: readonly string[];
  /** `--help` or `-h` is among it: nothing else counts then, right or wrong. */
  readonly help: boolean;
}

/**
 * Reads options, `--name value` or `--name=value`, and other words.
 *
 * @param args - What follows the command.
 * @param command - The command, for errors.
 * @throws {SettingsError} If an option is not among `kinds`, lacks its value, or has one that it does not take.
 */
export function readCommandOptions(
  args: readonly string[],
  kinds: OptionKinds,
  command = 'svc-service',
): CommandOptions {
  // Not strict: what `parseArgs` says of a mistake names neither the command nor where help is.
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
      // The next option is not a value, even if somebody forgot one; a value that begins with dashes goes behind a =.
      if (value === undefined || (!inlineValue && value.startsWith('--'))) {
        throw new SettingsError(`${rawName} needs a value: ${rawName} VALUE.`);
      }
      values[name] = value;
    }
  }
  for (const token of tokens) if (token.kind === 'positional') words.push(token.value);
  return { values, flags, words, help: false };
}
