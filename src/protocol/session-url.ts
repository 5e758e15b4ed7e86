import type { FieldRule } from './fields.js';
import { sampleRateRule } from './sample-rate.js';
import type { Parsed } from './parsed.js';

/** Facts about a session in its URL (interface-spec 2.2: the effective values are in the query). */
export interface UrlSession {
  /** The URL as it was given. */
  readonly url: string;
  /** Sample rate in Hz; 24000 if the URL has none. */
  readonly sampleRate: number;
  /** Audio encoding; `pcm_s16le` if the URL has none. */
  readonly format: string;
  /** Voice; `null` if the URL has none. */
  readonly voiceId: string | null;
}

/** The part of the global URL that is needed here. Declared by hand: this room's `lib` has no platform types. */
declare const URL: new (url: string) => {
  readonly protocol: string;
  readonly hostname: string;
  readonly searchParams: { get(name: string): string | null };
};

/** Rule for a session URL. */
export const sessionUrlRule: FieldRule = {
  test: (value) => readSessionUrl(value) !== null,
  must: 'be a wss: URL (ws: only to a loopback host)',
};

/**
 * Reads rate, format and voice from the query of a session URL.
 *
 * Never throws; any thread that has `URL`, which is every thread but an AudioWorklet.
 *
 * @param url - `wss:`, or `ws:` to a loopback host: `localhost`, `*.localhost`, 127.0.0.0/8, `[::1]`.
 */
export function sessionFromUrl(url: string): Parsed<UrlSession> {
  const parsed = readSessionUrl(url);
  if (!parsed) return { ok: false, errors: [{ field: 'url', problem: `must ${sessionUrlRule.must}` }] };
  const query = (name: string) => parsed.searchParams.get(name) || null; // An empty value counts as none.
  const sampleRate = Number(query('sample_rate') ?? 24000);
  if (!sampleRateRule.test(sampleRate)) {
    return { ok: false, errors: [{ field: 'sample_rate', problem: `must ${sampleRateRule.must}` }] };
  }
  return { ok: true, value: { url, sampleRate, format: query('format') ?? 'pcm_s16le', voiceId: query('voice_id') } };
}

/** Returns a session URL, or null for anything else. */
export function readSessionUrl(value: unknown): InstanceType<typeof URL> | null {
  try {
    const url = new URL(value as string);
    const loopback = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname);
    return typeof value === 'string' && (url.protocol === 'wss:' || (url.protocol === 'ws:' && loopback)) ? url : null;
  } catch {
    return null; // Not a URL at all.
  }
}
