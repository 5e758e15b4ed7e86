import './tap.js';
import '../../../src/define.js';
import type { SvcSpeakerElement, SvcSpeakerEventMap } from '../../../src/index.js';
import { createResampler, designResampler } from '../../../src/dsp/index.js';
import {
  type FramesSpec,
  type GatewayLog,
  type GatewayStep,
  pcmOf,
  scriptUrl,
  speaking,
} from '../../gateway/script.js';
import { gatewayUrl } from '../../setup/gateway-url.js';

let connections = 0;

/** The URL of a socket that does `steps`, and by which its log can be found. */
export function sessionUrl(steps: readonly GatewayStep[], query: Record<string, string | number> = {}): string {
  return scriptUrl(gatewayUrl, steps, { id: `browser-${performance.timeOrigin}-${++connections}`, ...query });
}

/** What the gateway saw on the socket with this URL, or on all. */
export async function gatewayLog(url?: string): Promise<GatewayLog> {
  const log = new URL('/log', gatewayUrl.replace('ws:', 'http:'));
  if (url) log.searchParams.set('id', new URL(url).searchParams.get('id') ?? '');
  return (await (await fetch(log)).json()) as GatewayLog;
}

/** A speaker in the page, with attributes. */
export function makeSpeaker(attributes: Record<string, string | number | boolean> = {}): SvcSpeakerElement {
  const speaker = document.createElement('svc-speaker');
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== false) speaker.setAttribute(name, value === true ? '' : String(value));
  }
  document.body.append(speaker);
  return speaker;
}

/** A speaker whose every session does `steps`. */
export function scriptedSpeaker(
  steps: readonly GatewayStep[],
  attributes: Record<string, string | number | boolean> = {},
  query: Record<string, string | number> = {},
): SvcSpeakerElement {
  const speaker = makeSpeaker(attributes);
  speaker.sessionProvider = () => Promise.resolve(sessionUrl(steps, query));
  return speaker;
}

/** A speaker whose service says `frames` to everything. */
export function speakerOf(
  frames: FramesSpec,
  attributes: Record<string, string | number | boolean> = {},
): SvcSpeakerElement {
  return scriptedSpeaker(speaking(frames), attributes, frames.rate ? { sample_rate: frames.rate } : {});
}

/** The next event of a type. */
export function next<K extends keyof SvcSpeakerEventMap>(
  speaker: SvcSpeakerElement,
  type: K,
): Promise<SvcSpeakerEventMap[K]> {
  return new Promise((resolve) => {
    speaker.addEventListener(type, (event) => resolve(event), { once: true });
  });
}

const mediaEvents = [
  'emptied',
  'loadstart',
  'durationchange',
  'loadedmetadata',
  'canplay',
  'play',
  'playing',
  'waiting',
  'pause',
  'ended',
  'error',
  'blocked',
  'utterancestart',
  'utteranceend',
  'contextdone',
  'underrun',
  'socketclose',
] as const;

/** Notes the types of the events of a speaker; not `timeupdate` and `progress`, which depend on time. */
export function journal(speaker: SvcSpeakerElement): string[] {
  const types: string[] = [];
  for (const type of mediaEvents) speaker.addEventListener(type, () => types.push(type));
  return types;
}

/** What the resampler makes of a `frames` step, without ramps. */
export function expected(frames: FramesSpec, contextRate: number): Float32Array {
  const samples = pcmOf(frames);
  const table = designResampler(frames.rate ?? 24000, contextRate);
  const resampler = createResampler(table, samples.length + table.taps);
  resampler.push(samples, 0, samples.length);
  resampler.pushSilence(resampler.latency);
  const out = new Float32Array(Math.ceil((samples.length * table.up) / table.down));
  resampler.pull(out, 0, out.length);
  return out;
}

/** First and one past the last sample above the noise that a ramp's first samples make. */
export function soundingRange(samples: Float32Array): [number, number] {
  let from = 0;
  while (from < samples.length && samples[from] === 0) from++;
  let to = samples.length;
  while (to > from && samples[to - 1] === 0) to--;
  return [from, to];
}

/** Runs of at least `shortest` exactly silent samples between the first sound and the last, as their lengths. */
export function gaps(samples: Float32Array, shortest = 24): number[] {
  const [from, to] = soundingRange(samples);
  const found: number[] = [];
  let run = 0;
  for (let i = from; i < to; i++) {
    if (samples[i] === 0) run++;
    else {
      if (run >= shortest) found.push(run);
      run = 0;
    }
  }
  return found;
}

/**
 * Where in `heard` the sound begins so that it equals `reference` bit for bit between ramps of `ramp` samples at both
 * ends. Throws with the first difference if it is nowhere near the first sound.
 */
export function assertHeard(heard: Float32Array, reference: Float32Array, ramp: number): number {
  const [from] = soundingRange(heard);
  let best = { matched: -1, start: 0 };
  // The first samples of a ramp, or of the speech, may be exactly zero.
  for (let start = Math.max(0, from - 256); start <= from; start++) {
    let i = ramp;
    while (i < reference.length - ramp && heard[start + i] === reference[i]) i++;
    if (i - ramp > best.matched) best = { matched: i - ramp, start };
    if (i >= reference.length - ramp) return start;
  }
  const at = best.start + ramp + best.matched;
  throw new Error(
    `What was heard differs ${best.matched} samples after the ramp: ` +
      `${heard[at]} instead of ${reference[ramp + best.matched]} (${reference.length} expected, heard ${soundingRange(heard).join('..')})`,
  );
}
