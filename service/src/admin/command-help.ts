import { START_ENVIRONMENT, START_OPTIONS, STORE_OPTIONS } from '../settings/usage.js';
import type { CommandName } from './read-admin-arguments.js';

/** Help of one command. */
interface CommandHelp {
  /** Words and options that follow the command's name. */
  readonly synopsis: string;
  /** Its effect, in one line. */
  readonly effect: string;
  /** Its words and options, each with an explanation. */
  readonly parts?: readonly (readonly [name: string, explanation: string])[];
  readonly notes?: string;
  /** True if the service must be stopped first. */
  readonly isOffline?: boolean;
}

const HELP: Readonly<Record<CommandName, CommandHelp>> = {
  'keys create': {
    synopsis: '[--user ID] [--plan none|starter|pro] [--credits N]',
    effect: 'creates an API key and shows it, once',
    parts: [
      ['--user ID', 'user of the key; a new user by default'],
      ['--plan PLAN', 'plan of the user: none, starter or pro; a new user has starter by default'],
      ['--credits N', 'credits to give to the user; a new user gets the first credits of the plan by default'],
    ],
    notes: 'An existing user keeps plan and credits, unless an option changes them.',
  },
  'keys list': { synopsis: '', effect: 'lists the ids and users of all keys; never the keys themselves' },
  'keys revoke': {
    synopsis: 'ID',
    effect: 'ends a key at once',
    parts: [['ID', 'id of the key, as keys list shows it: key_…']],
    notes: 'A key that was revoked never works again.',
  },
  'users plan': {
    synopsis: 'USER PLAN',
    effect: 'changes the plan of a user',
    parts: [
      ['USER', 'id of the user'],
      ['PLAN', 'none, starter or pro'],
    ],
  },
  'credits add': {
    synopsis: 'USER N',
    effect: 'gives credits to a user',
    parts: [
      ['USER', 'id of the user'],
      ['N', 'number of credits, in seconds of an open socket'],
    ],
  },
  'avatars add': {
    synopsis: 'FILE --owner USER [--id ID] [--public] [--status STATUS]',
    effect: 'adds the avatar whose bundle is in a file',
    parts: [
      ['FILE', 'bundle of the avatar, JSON'],
      ['--owner USER', 'user whose avatar it is'],
      ['--id ID', 'id of the avatar; that in the bundle by default'],
      ['--public', 'makes it available to every user'],
      ['--status STATUS', 'processing, available or disabled; available by default'],
    ],
  },
  'avatars list': { synopsis: '', effect: 'lists all avatars' },
  'avatars status': {
    synopsis: 'ID STATUS',
    effect: 'changes the status of an avatar',
    parts: [
      ['ID', 'id of the avatar, as avatars list shows it'],
      ['STATUS', 'processing, available or disabled'],
    ],
  },
  ledger: {
    synopsis: '[--user ID]',
    effect: 'lists what was given and used, a row for each grant and each socket',
    parts: [['--user ID', 'only that of this user']],
  },
  'data backup': {
    synopsis: 'FOLDER',
    effect: 'copies the data folder, while it is used, into a new folder that start can use',
    parts: [['FOLDER', 'a copy of the data folder; contains the secrets that sign tokens']],
    notes: 'The service writes it, and must be allowed to. Back up PostgreSQL with pg_dump.',
  },
  'data export': {
    synopsis: 'FILE',
    effect: 'writes a data folder into a new file of SQL, which psql loads into an empty PostgreSQL database',
    parts: [['FILE', 'SQL; contains the secrets that sign tokens']],
    isOffline: true,
  },
  'secrets list': {
    synopsis: '',
    effect: 'lists the versions of the secrets that sign tokens; never the secrets themselves',
  },
  'secrets rotate': {
    synopsis: '[session-token|room-token] [--leaked]',
    effect: 'signs tokens with new secrets, and accepts the old ones for 2 hours',
    parts: [
      ['SECRET', 'session-token or room-token; all that are in the store by default'],
      ['--leaked', 'deletes the old ones: their tokens are refused from now on'],
    ],
    notes: `Room tokens change 1 hour later, or at once with --leaked. Until then, add the key (kid) and the secret, which are
shown once, to the LiveKit server.`,
  },
};

const NAMES = Object.keys(HELP) as CommandName[];

const PRINTS = 'Prints one JSON object per line.';

const START_SYNOPSIS = '[--port N] [--host H] [--data DIR|memory | --database-url URL]';

/** Returns the help for a command line: for its command, the commands with its first word, or the whole program. */
export function helpFor(args: readonly string[]): string {
  if (args[0] === 'start') return `Usage: svc-service start ${START_SYNOPSIS}\n\n${describeStart()}`;
  const name = NAMES.find((candidate) => candidate === args.slice(0, candidate.split(' ').length).join(' '));
  if (name) return describeCommand(name);
  const group = NAMES.filter((candidate) => candidate.startsWith(`${args[0]} `));
  return group.length > 0 ? describeGroup(group) : describeProgram();
}

function describeStart(): string {
  return `start (or nothing) speaks svctts.v1, and prints ready http://HOST:PORT/ when it listens.

${listParts([...START_OPTIONS, ...STORE_OPTIONS])}

More environment:

${listParts(START_ENVIRONMENT)}`;
}

function describeCommand(name: CommandName): string {
  const { synopsis, effect, parts = [], notes, isOffline } = HELP[name];
  const when = isOffline ? 'Stop the service first.' : 'Works while the service runs.';
  return [
    `Usage: svc-service ${name} ${synopsis}`.trimEnd(),
    `${effect[0]!.toUpperCase()}${effect.slice(1)}.`,
    listParts([...parts, ...STORE_OPTIONS]),
    [notes, `${PRINTS} ${when}`].filter(Boolean).join('\n'),
  ].join('\n\n');
}

function describeGroup(names: readonly CommandName[]): string {
  return `Usage: ${listSynopses(names)}

${listParts(names.map((name) => [name, HELP[name].effect]))}

Add --help to a command to see its options, as in svc-service ${names[0]} --help.`;
}

function describeProgram(): string {
  return `Usage: svc-service [start] ${START_SYNOPSIS}
       ${listSynopses(NAMES)}

${describeStart()}

The other commands print one JSON object per line, and work while the service runs, except for data export. Add --help
to one to see its options.

${listParts(NAMES.map((name) => [name, HELP[name].effect]))}`;
}

function listSynopses(names: readonly CommandName[]): string {
  return names.map((name) => `svc-service ${name} ${HELP[name].synopsis}`.trimEnd()).join('\n       ');
}

function listParts(parts: readonly (readonly [name: string, explanation: string])[]): string {
  const width = Math.max(...parts.map(([name]) => name.length));
  return parts.map(([name, explanation]) => `  ${name.padEnd(width)}  ${explanation}`).join('\n');
}
