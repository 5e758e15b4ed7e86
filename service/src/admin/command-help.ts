import { START_ENVIRONMENT, START_OPTIONS, STORE_OPTIONS } from '../settings/usage.js';
import { COMMAND_NAMES, COMMANDS, findCommand, type Command, type CommandName } from './commands.js';

const PRINTS = 'Prints one JSON object per line.';

const START_SYNOPSIS = '[--port N] [--host H] [--data DIR|memory | --database-url URL]';

/** Returns the help for a command line: for its command, the commands with its first word, or the whole program. */
export function helpFor(args: readonly string[]): string {
  if (args[0] === 'start') return `Usage: svc-service start ${START_SYNOPSIS}\n\n${describeStart()}`;
  const name = findCommand(args);
  if (name) return describeCommand(name);
  const group = COMMAND_NAMES.filter((candidate) => candidate.startsWith(`${args[0]} `));
  return group.length > 0 ? describeGroup(group) : describeProgram();
}

function describeStart(): string {
  return `start (or nothing) speaks svctts.v1, and prints ready http://HOST:PORT/ when it listens.

${listParts([...START_OPTIONS, ...STORE_OPTIONS])}

More environment:

${listParts(START_ENVIRONMENT)}`;
}

function describeCommand(name: CommandName): string {
  const { effect, arguments: explanations, notes, isOffline }: Command = COMMANDS[name];
  const parts = Object.entries(explanations).map(([part, why]) => [part.replace(/^\[|\]$/g, ''), why] as const);
  const when = isOffline ? 'Stop the service first.' : 'Works while the service runs.';
  return [
    `Usage: ${usageOf(name)}`,
    `${effect[0]!.toUpperCase()}${effect.slice(1)}.`,
    [listParts(parts), listParts(STORE_OPTIONS)].filter(Boolean).join('\n'),
    [notes, `${PRINTS} ${when}`].filter(Boolean).join('\n'),
  ].join('\n\n');
}

function describeGroup(names: readonly CommandName[]): string {
  return `Usage: ${listUsages(names)}

${listEffects(names)}

Add --help to a command to see its options, as in svc-service ${names[0]} --help.`;
}

function describeProgram(): string {
  return `Usage: svc-service [start] ${START_SYNOPSIS}
       ${listUsages(COMMAND_NAMES)}

${describeStart()}

The other commands print one JSON object per line, and work while the service runs, except for data export. Add --help
to one to see its options.

${listEffects(COMMAND_NAMES)}`;
}

function usageOf(name: CommandName): string {
  return ['svc-service', name, ...Object.keys(COMMANDS[name].arguments)].join(' ');
}

function listUsages(names: readonly CommandName[]): string {
  return names.map(usageOf).join('\n       ');
}

function listEffects(names: readonly CommandName[]): string {
  return listParts(names.map((name) => [name, COMMANDS[name].effect]));
}

function listParts(parts: readonly (readonly [name: string, explanation: string])[]): string {
  const width = Math.max(...parts.map(([name]) => name.length));
  return parts.map(([name, explanation]) => `  ${name.padEnd(width)}  ${explanation}`).join('\n');
}
