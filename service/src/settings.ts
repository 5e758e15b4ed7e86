import type { ServiceOptions } from './service.js';

/** Something in the environment or on the command line that cannot be used; the message says what would be right. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}

/** What `svc-service` can be told on the command line. */
export const USAGE = `Usage: svc-service [start] [--port N]

Speaks svctts.v1: POST /api/v1/realtime/stream/session, and the socket it leads to.

  --port N   where to listen; 0 takes any free port (SVC_PORT, 8787)

Environment: SVC_API_KEY (random, and printed, if there is none), SVC_PORT, SVC_HOST (127.0.0.1),
SVC_PUBLIC_URL (where clients reach it, if that is another address), SVC_TOKEN_SECONDS (30),
SVC_MAX_CONCURRENT_SESSIONS (20).`;

/**
 * Reads the settings of `svc-service`: the command line wins over the environment. Empty variables count as absent.
 *
 * @param args - Without the program's name.
 * @returns `null` if help is asked for.
 * @throws {SettingsError} If something is not understood.
 */
export function readSettings(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): ServiceOptions | null {
  const rest = args[0] === 'start' ? args.slice(1) : [...args];
  let port = readInteger('SVC_PORT', environment.SVC_PORT, 0, 65535);
  while (rest.length) {
    const [name, inline] = rest.shift()!.split('=', 2);
    if (name === '--help' || name === '-h') return null;
    if (name !== '--port') throw new SettingsError(`${name} is not known.\n\n${USAGE}`);
    port = readInteger(name, inline ?? rest.shift() ?? 'nothing', 0, 65535);
  }
  return defined({
    port,
    apiKey: environment.SVC_API_KEY || undefined,
    host: environment.SVC_HOST || undefined,
    publicUrl: readUrl('SVC_PUBLIC_URL', environment.SVC_PUBLIC_URL),
    tokenSeconds: readInteger('SVC_TOKEN_SECONDS', environment.SVC_TOKEN_SECONDS, 1, 3600),
    maxConcurrentSessions: readInteger(
      'SVC_MAX_CONCURRENT_SESSIONS',
      environment.SVC_MAX_CONCURRENT_SESSIONS,
      1,
      1_000_000,
    ),
  });
}

function readInteger(name: string, text: string | undefined, least: number, most: number): number | undefined {
  if (!text) return undefined;
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= least && value <= most) return value;
  throw new SettingsError(`${name} must be a whole number from ${least} to ${most}, not ${text}.`);
}

function readUrl(name: string, text: string | undefined): string | undefined {
  if (!text) return undefined;
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text;
  throw new SettingsError(`${name} must be an http: or https: address, not ${text}.`);
}

/** Leaves out what is undefined, which is not the same as absent. */
function defined(settings: { [Name in keyof ServiceOptions]: ServiceOptions[Name] | undefined }): ServiceOptions {
  return Object.fromEntries(Object.entries(settings).filter((entry) => entry[1] !== undefined));
}
