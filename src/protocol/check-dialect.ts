import { isRecord, isString } from './fields.js';
import { readSessionUrl } from './session-url.js';
import type { SpeechDialect } from './speech-dialect.js';

/** Largest dialect, in characters as JSON. */
const SIZE_MAX = 16_384;
/** Deepest nesting of a template. */
const DEPTH_MAX = 8;
/** Most entries of a list. */
const LIST_MAX = 16;
/** Most names in a path, and longest name. */
const PATH_MAX = 8;
const NAME_MAX = 64;
/** Names that every session gives to templates, besides its dialect's values. */
const SESSION_NAMES = ['voice', 'rate'];

/** Returns what must be true of a value, to follow its name; null if it is. */
type Check = (value: unknown, at: string) => string | null;

/**
 * Checks a value that should be a {@link SpeechDialect}, before anything uses it.
 *
 * Never throws on a value that JSON or a structured clone can bring; any thread.
 *
 * @returns The first problem, with the place of it, such as `send.text[0]: {speaker} is not known`; null for a dialect.
 */
export function checkDialect(value: unknown): string | null {
  const size = sizeOf(value);
  if (size === null) return 'dialect must be data that JSON can hold';
  if (size > SIZE_MAX) return `dialect must be at most ${SIZE_MAX} characters as JSON`;
  const names = isRecord(value) && isRecord(value.values) ? Object.keys(value.values) : [];
  const context = templates([...SESSION_NAMES, ...names, 'context']);
  return object({
    name: required(text),
    subprotocols: list(text),
    query: strings,
    values: (given) => (isRecord(given) ? null : 'must be an object'),
    send: required(
      object({
        open: templates([...SESSION_NAMES, ...names]),
        begin: context,
        text: required(templates([...SESSION_NAMES, ...names, 'context', 'text'], 'text')),
        end: required(context),
        close: context,
        cancel: context,
        keepAlive: object({ seconds: required(number(1, 3600)), messages: required(context) }),
      }),
    ),
    receive: required(
      object({
        context: path,
        audio: required(audio),
        format: oneOf('s16le', 'f32le'),
        done: required(condition),
        cancelled: condition,
        failed: required(object({ at: required(path), is: literal, message: required(path) })),
        times: object({
          when: condition,
          from: path,
          to: path,
          words: path,
          characters: path,
          start: required(path),
          end: path,
          duration: path,
          unit: oneOf('s', 'ms'),
          since: oneOf('context', 'message'),
          phones: object({ names: required(path), start: required(path), end: required(path) }),
        }),
      }),
    ),
    contextIdleSeconds: number(0.1, 3600),
    isOneContext: (given) => (typeof given === 'boolean' ? null : 'must be true or false'),
  })(value, 'dialect');
}

/**
 * Checks whether the URL of a session asks for the audio that its dialect reads. Otherwise, it would be heard as noise, or at
 * another pitch.
 *
 * @param dialect - Was checked.
 * @param url - A session URL.
 * @param rate - Sample rate of the session, in Hz.
 * @returns The first problem; null if there is none.
 */
export function checkQuery({ name, query = {} }: SpeechDialect, url: string, rate: number): string | null {
  const parameters = readSessionUrl(url)?.searchParams;
  for (const [parameter, template] of Object.entries(query)) {
    const given = parameters?.get(parameter) ?? null;
    const wanted = template.replaceAll('{rate}', String(rate));
    if (given !== null && given !== wanted) return `${name}: ${parameter} in the URL must be ${wanted}, not ${given}`;
  }
  return null;
}

/** Returns the number of characters as JSON; null for a value that JSON would change. */
function sizeOf(value: unknown): number | null {
  try {
    const json = JSON.stringify(value, (_, one: unknown) => {
      if (['function', 'symbol', 'bigint'].includes(typeof one)) throw new TypeError('no data');
      return one;
    });
    return json?.length ?? 0;
  } catch {
    return null; // Also a value that contains itself.
  }
}

/** A field that must be there. */
function required(check: Check): Check & { readonly isRequired: true } {
  return Object.assign((value: unknown, at: string) => check(value, at), { isRequired: true as const });
}

/** Checks the fields of an object. A field without a check is refused, since it may be a wrong name. */
function object(checks: Readonly<Record<string, Check | ReturnType<typeof required>>>): Check {
  return (value, at) => {
    if (!isRecord(value)) return `${at} must be an object`;
    for (const name of Object.keys(value)) {
      if (!Object.hasOwn(checks, name)) {
        return `${at}.${name.slice(0, NAME_MAX)} is not known; known are ${Object.keys(checks).join(', ')}`;
      }
    }
    for (const [name, check] of Object.entries(checks)) {
      const field = value[name];
      if (field === undefined && 'isRequired' in check) return `${at}.${name} is missing`;
      if (field === undefined) continue;
      const problem = check(field, `${at}.${name}`);
      if (problem !== null) return problem.startsWith('must') ? `${at}.${name} ${problem}` : problem;
    }
    return null;
  };
}

function list(check: Check): Check {
  return (value, at) => {
    if (!Array.isArray(value) || value.length === 0 || value.length > LIST_MAX) {
      return `must be a list of 1 to ${LIST_MAX} entries`;
    }
    for (const [index, one] of value.entries()) {
      const place = `${at}[${index}]`;
      const problem = check(one, place);
      if (problem !== null) return problem.startsWith('must') ? `${place} ${problem}` : problem;
    }
    return null;
  };
}

function text(value: unknown): string | null {
  return isString(value) && value !== '' ? null : 'must be a string that is not empty';
}

function strings(value: unknown, at: string): string | null {
  if (!isRecord(value) || !Object.values(value).every(isString)) return 'must be an object with strings';
  return badName(value, ['rate'], at, 0);
}

function literal(value: unknown): string | null {
  return ['string', 'number', 'boolean'].includes(typeof value) ? null : 'must be a string, a number or a boolean';
}

function number(min: number, max: number): Check {
  return (value) =>
    typeof value === 'number' && value >= min && value <= max ? null : `must be a number from ${min} to ${max}`;
}

function oneOf(...names: readonly string[]): Check {
  return (value) => (names.includes(value as string) ? null : `must be ${names.join(' or ')}`);
}

function path(value: unknown, at: string): string | null {
  if (Array.isArray(value)) return list(path)(value, at);
  const names = isString(value) ? value.split('.') : [];
  const isGood = names.length > 0 && names.every((name) => name !== '' && name.length <= NAME_MAX);
  const stars = names.filter((name) => name === '*').length;
  if (isGood && names.length <= PATH_MAX && stars <= 1) return null;
  return `must be names of fields, joined by dots, such as alignment.chars: at most ${PATH_MAX}, and one *`;
}

const condition: Check = object({ at: required(path), is: literal });

function audio(value: unknown, at: string): string | null {
  const isBinary = isRecord(value) && 'binary' in value;
  if (isBinary && value.binary !== true) return `${at}.binary must be true`;
  return object(isBinary ? { binary: () => null, headerBytes: number(0, 1024) } : { base64: required(path) })(
    value,
    at,
  );
}

/**
 * Checks messages to send.
 *
 * @param names - Names that may stand in braces.
 * @param needed - One that must.
 */
function templates(names: readonly string[], needed?: string): Check {
  const template: Check = (value, at) => {
    if (!isRecord(value)) return 'must be an object';
    return badName(value, names, at, 0);
  };
  return (value, at) => {
    const problem = list(template)(value, at);
    if (problem !== null || needed === undefined || JSON.stringify(value).includes(`{${needed}}`)) return problem;
    return `must contain {${needed}}`;
  };
}

/** Returns a problem if a string of a template has a name in braces that is not known. */
function badName(value: unknown, names: readonly string[], at: string, depth: number): string | null {
  if (depth > DEPTH_MAX) return `${at} must be at most ${DEPTH_MAX} levels deep`;
  if (isString(value)) {
    for (const [, name] of value.matchAll(/\{(\w+)\}/g)) {
      if (!names.includes(name!)) return `${at}: {${name}} is not known; known are ${names.join(', ')}`;
    }
    return null;
  }
  for (const one of typeof value === 'object' && value !== null ? Object.values(value) : []) {
    const problem = badName(one, names, at, depth + 1);
    if (problem !== null) return problem;
  }
  return null;
}
