import type { FieldRule } from './fields.js';
import { sampleRateRule } from './sample-rate.js';
import type { Parsed } from './parsed.js';

/** What a session URL says about its session (interface-spec 2.2: the effective values are in the query). */
export interface UrlSession {
  /** The URL as it was given. */
  readonly url: string;
  /** In Hz; 24000 if the URL does not say. */
  readonly sampleRate: number;
  /** `pcm_s16le` if the URL does not say. */
  readonly format: string;
  /** `null` if the URL does not say. */
  readonly voiceId: string | null;
}

/** The part of the global URL that is needed here. Declared by hand: this room's `lib` has no platform in it. */
declare const URL: new (url: string) => {
  readonly protocol: string;
  readonly hostname: string;
  readonly searchParams: { get(name: string): string | null };
};

/** What a session URL may be. */
export const sessionUrlRule: FieldRule = {
  test: (value) => readSessionUrl(value) !== null,
  must: 'be a wss: URL (ws: only to a loopback host)',
};

/**
 * Reads rate, format and voice from the query of a session URL.
 *
 * Never throws; any thread that has `URL` (every one but an AudioWorklet).
 *
 * @param url - `wss:`, or `ws:` to a loopback host: `localhost`, `*.localhost`, 127.0.0.0/8, `[::1]`.
 */
export function sessionFromUrl(url: string): Parsed<UrlSession> {
  const parsed = readSessionUrl(url);
  if (!parsed) return { ok: false, errors: [{ field: 'url', problem: `must ${sessionUrlRule.must}` }] };
  const query = (name: string) => parsed.searchParams.get(name) || null; // an empty value says nothing
  const sampleRate = Number(query('sample_rate') ?? 24000);
  if (!sampleRateRule.test(sampleRate)) {
    return { ok: false, errors: [{ field: 'sample_rate', problem: `must ${sampleRateRule.must}` }] };
  }
  return { ok: true, value: { url, sampleRate, format: query('format') ?? 'pcm_s16le', voiceId: query('voice_id') } };
}

function readSessionUrl(value: unknown): InstanceType<typeof URL> | null {
  try {
    const url = new URL(value as string);
    const loopback = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname);
    return typeof value === 'string' && (url.protocol === 'wss:' || (url.protocol === 'ws:' && loopback)) ? url : null;
  } catch {
    return null; // not a URL at all
  }
}
