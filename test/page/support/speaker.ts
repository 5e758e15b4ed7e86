// Must be imported before the element sets a timer.
import './timers.js';
import './autoplay.js';
import '../../../src/define.js';
import type { SessionResponse, SvcSpeakerElement, SvcSpeakerEventMap, Utterance } from '../../../src/index.js';
import {
  type FramesSpec,
  type GatewayConnection,
  type GatewayLog,
  type GatewayStep,
  scriptUrl,
  speaking,
} from '../../../src/testing/script.js';
import { gatewayUrl } from '../../setup/gateway-url.js';
import { engine } from './engine.js';
import { contextsClosed, forceSampleRate, nextFrame, silence } from './tap.js';
import { withoutWaiting } from './timers.js';

type Attributes = Record<string, string | number | boolean>;
type Query = Record<string, string | number>;
type Script = readonly GatewayStep[];

/** Default transport of speakers on this page. */
export const transport = crossOriginIsolated ? 'shared' : 'message';

let connections = 0;

/** URL of a socket that runs `steps`. The URL also identifies the socket in the gateway's log. */
export function sessionUrl(steps: Script, query: Query = {}): string {
  return scriptUrl(gatewayUrl, steps, { id: `browser-${performance.timeOrigin}-${++connections}`, ...query });
}

/** Response of a session call. `differences` replace some of its fields, also with invalid values. */
export function sessionResponse(url: string, differences: Readonly<Record<string, unknown>> = {}): SessionResponse {
  return {
    url,
    expires_in_seconds: 30,
    gateway: 'test',
    protocol: 'svctts.v1',
    voice_id: 'any',
    format: 'pcm_s16le',
    sample_rate: 24000,
    messages: [],
    ...differences,
  };
}

/** Script of the service for one utterance: audio after its `end`, then its `context_done`. */
export function speakingOnce(frames: FramesSpec): Script {
  return [{ wait: 'end' }, { frames }, { done: true }];
}

/** Script that sends 30 s of speech at once, and leaves the socket open for 10 minutes. */
export const onAndOn: Script = [{ wait: 'end' }, { frames: { noise: 71, seconds: 30 } }, { wait: 600_000 }];

/** Returns the gateway's log for the socket with this URL, or for all sockets. */
export async function gatewayLog(url?: string): Promise<GatewayLog> {
  const log = new URL('/log', gatewayUrl.replace('ws:', 'http:'));
  if (url) log.searchParams.set('id', new URL(url).searchParams.get('id') ?? '');
  return (await (await fetch(log)).json()) as GatewayLog;
}

/** Returns the gateway's log for the socket with this URL, once the socket is closed. */
export async function endedConnection(url: string): Promise<GatewayConnection> {
  for (;;) {
    const [connection] = (await gatewayLog(url)).connections;
    if (connection?.closed) return connection;
    await nextFrame();
  }
}

/** Appends a speaker with attributes to the page. */
export function makeSpeaker(attributes: Attributes = {}): SvcSpeakerElement {
  const speaker = document.createElement('svc-speaker');
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== false) speaker.setAttribute(name, value === true ? '' : String(value));
  }
  document.body.append(speaker);
  return speaker;
}

/** Dispatches the event that a page receives when it enters the back/forward cache. */
export function leavePage(): void {
  dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }));
}

/** Removes all speakers. Resolves when their audio contexts are closed, so that the next test gets a new recording. */
export async function removeSpeakers(): Promise<void> {
  forceSampleRate(undefined);
  document.body.replaceChildren();
  // A removed speaker is closed in a microtask.
  await Promise.resolve();
  if (engine === 'webkit') await silence();
  leavePage();
  // Longer timers do not elapse early: one limits the start of a worker, which the next test may use.
  await withoutWaiting(contextsClosed, (ms) => ms < 5000);
}

/** Creates a speaker whose sessions all run `steps`. */
export function scriptedSpeaker(steps: Script, attributes: Attributes = {}, query: Query = {}): SvcSpeakerElement {
  return scriptedSessions([steps], attributes, query).speaker;
}

/**
 * Creates a speaker whose sessions run one script after the other. Further sessions run the last script.
 *
 * @returns The speaker, and the sessions that it has requested so far, with their reasons. The array grows.
 */
export function scriptedSessions(
  scripts: readonly Script[],
  attributes: Attributes = {},
  query: Query = {},
): { speaker: SvcSpeakerElement; sessions: { url: string; reason: string }[] } {
  const speaker = makeSpeaker(attributes);
  const sessions: { url: string; reason: string }[] = [];
  speaker.sessionProvider = ({ reason }) => {
    const url = sessionUrl(scripts[Math.min(sessions.length, scripts.length - 1)]!, query);
    sessions.push({ url, reason });
    return Promise.resolve(url);
  };
  return { speaker, sessions };
}

/** Creates a speaker whose service responds to every utterance with `frames`. */
export function speakerOf(frames: FramesSpec, attributes: Attributes = {}): SvcSpeakerElement {
  return scriptedSpeaker(speaking(frames), attributes, frames.rate ? { sample_rate: frames.rate } : {});
}

/** Script of the service for an utterance of `speakInParts`: one part of the speech for each sentence. */
export function speakingInParts(...parts: readonly FramesSpec[]): Script {
  return [...parts.flatMap((frames): Script => [{ wait: 'synthesize' }, { frames }]), { wait: 'end' }, { done: true }];
}

/**
 * Speaks an utterance whose speech arrives in parts, when the test requests them. See `speakingInParts` for the script.
 *
 * @returns The utterance, and `goOn`, which writes the text of the next part, and ends the text with the last part.
 *   The first part arrives without a call.
 */
export function speakInParts(speaker: SvcSpeakerElement, parts: number): { utterance: Utterance; goOn: () => void } {
  let writer!: ReadableStreamDefaultController<string>;
  const text = new ReadableStream<string>({ start: (controller) => void (writer = controller) });
  const utterance = speaker.speak(text);
  let written = 0;
  // A sentence is sent when the next one has begun, or at the end of the text.
  const goOn = (): void => (++written < parts ? writer.enqueue('And so on. And') : writer.close());
  goOn();
  return { utterance, goOn };
}

/**
 * Speaks, and pauses before any frame arrives, so that all speech is received before any is played. The script of the
 * service must wait for the end of the text.
 */
export function speakPaused(speaker: SvcSpeakerElement): Utterance {
  const opened = next(speaker, 'loadedmetadata');
  async function* words(): AsyncGenerator<string> {
    yield 'All of it.';
    await opened;
    speaker.pause();
  }
  return speaker.speak(words());
}

/** Resolves with the next event of a type. */
export function next<K extends keyof SvcSpeakerEventMap>(
  speaker: SvcSpeakerElement,
  type: K,
): Promise<SvcSpeakerEventMap[K]> {
  return new Promise((resolve) => {
    speaker.addEventListener(type, (event) => resolve(event), { once: true });
  });
}

/** Resolves when a speaker has ended, at once if it already has. */
export async function ended(speaker: SvcSpeakerElement): Promise<void> {
  if (!speaker.ended) await next(speaker, 'ended');
}

/** Resolves when all of the speech has arrived. */
export async function allReceived(speaker: SvcSpeakerElement): Promise<void> {
  while (!Number.isFinite(speaker.duration)) await next(speaker, 'durationchange');
}

/** Seeks to the end of the speech, once all of it has arrived. Resolves when the speaker has ended. */
export async function skipToEnd(speaker: SvcSpeakerElement): Promise<void> {
  await allReceived(speaker);
  speaker.currentTime = speaker.duration;
  await ended(speaker);
}

/** Resolves with the first event of `type` after one of type `first`, even if both are dispatched in the same task. */
export async function nextAfter<K extends keyof SvcSpeakerEventMap>(
  speaker: SvcSpeakerElement,
  first: keyof SvcSpeakerEventMap,
  type: K,
): Promise<SvcSpeakerEventMap[K]> {
  return new Promise((resolve) => {
    speaker.addEventListener(first, () => void next(speaker, type).then(resolve), { once: true });
  });
}

/** Returns the reason with which a promise rejects. Throws if it resolves. */
export async function rejection(promise: Promise<unknown>): Promise<unknown> {
  const reason: unknown = await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (reason === undefined) throw new Error('The promise resolved, but should reject.');
  return reason;
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

/**
 * Records the types of the events that a speaker dispatches from now on, except `timeupdate` and `progress`, which
 * depend on time. The returned array grows.
 */
export function journal(speaker: SvcSpeakerElement): string[] {
  const types: string[] = [];
  for (const type of mediaEvents) speaker.addEventListener(type, () => types.push(type));
  return types;
}
