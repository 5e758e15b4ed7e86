import type { NetworkName } from '../../src/testing/networks.js';
import type { Random } from '../../src/testing/random.js';
import { type FramesSpec, type GatewayStep, scriptUrl, speaking } from '../../src/testing/script.js';
import type { Act, Scene } from './scene.js';

/** Samples per second of all speech. */
export const SPEECH_RATE = 24_000;

type Speech = FramesSpec & { readonly samples: number };

/** Settings of a scene. The rest is as on a good day. */
interface Plot {
  /** Script of the socket for each session, in order. By default, all speech is sent at once. */
  readonly scripts?: readonly (readonly GatewayStep[])[];
  /** In place of the speech that other scenes have. */
  readonly speech?: Speech;
  readonly utterances?: number;
  readonly isFresh?: true;
  readonly isPushed?: true;
  readonly isRead?: true;
  readonly attributes?: Readonly<Record<string, string>>;
  readonly act?: Act;
  /** Longest duration of the act, in seconds. */
  readonly actSeconds?: number;
  readonly outcomes?: readonly string[];
}

/** Networks with faults that a page may have. `outage` begins after 10 s, which is longer than a scene. */
const NETWORKS: readonly NetworkName[] = ['busy-wifi', 'stalls', 'lte', 'bufferbloat', 'losses', 'slow-link'];

/** The scenes of the day, by name. Each call makes new random choices. */
const PLOTS: Record<string, (random: Random, speech: Speech) => Plot> = {
  'a good minute': () => ({}),
  'a queue on one socket': () => ({ utterances: 3, isFresh: true, attributes: { 'keep-open': '' } }),
  'audio of the page': () => ({ isPushed: true }),
  'an article': (_, speech) => articleOf(speech),
  'a bad network': (random, speech) => ({
    scripts: [
      [{ network: NETWORKS[random.below(NETWORKS.length)]!, seed: random.below(1000) }, ...speaking(live(speech))],
    ],
  }),
  'a stalled service': (random, speech) => ({
    scripts: [inHalves(speech, [{ stall: random.uniform(500, 2500) }])],
  }),
  'a refused socket': (_, speech) => ({ scripts: [[{ refuse: 503 }], speaking(speech)] }),
  'a connection cut before the speech': (_, speech) => ({
    scripts: [[{ wait: 'end' }, { terminate: true }], speaking(speech)],
  }),
  'a connection cut within the speech': (_, speech) => ({
    scripts: [[{ wait: 'end' }, { frames: live(halvesOf(speech)[0]) }, { terminate: true }]],
    outcomes: ['socket-closed'],
  }),
  'a service that closes the socket': (_, speech) => ({
    scripts: [[{ wait: 'end' }, { frames: speech }, { close: 4500 }]],
    outcomes: ['socket-closed'],
  }),
  'an error of the service': () => ({
    scripts: [[{ wait: 'end' }, { error: 'This text cannot be spoken.' }]],
    outcomes: ['service-error'],
  }),
  'a cancel': () => ({ act: 'cancel', outcomes: ['AbortError', 'finished'] }),
  'a cancel while speech arrives': (_, speech) => ({
    scripts: [speaking(live(speech))],
    act: 'cancel',
    outcomes: ['AbortError', 'finished'],
  }),
  'a pause': () => ({ act: 'pause', actSeconds: 2 }),
  'a replay': () => ({ act: 'replay' }),
  'a change of speed': () => ({ act: 'rate' }),
  'a duck': () => ({ act: 'duck' }),
  'a busy page': () => ({ act: 'block', actSeconds: 1 }),
  'a hidden page': () => ({ act: 'hide', actSeconds: 1, isFresh: true, attributes: { 'keep-open': '' } }),
  'a speaker of a moment': () => ({ isFresh: true }),
  'a speaker removed while it speaks': (_, speech) => ({
    scripts: [speaking(live(speech))],
    isFresh: true,
    act: 'remove',
    outcomes: ['AbortError', 'finished'],
  }),
  'a frozen page': (_, speech) => ({ scripts: [speaking(live(speech))], act: 'freeze', actSeconds: 4 }),
  'a computer that sleeps': (_, speech) => ({ scripts: [speaking(live(speech))], act: 'sleep', actSeconds: 6 }),
  'another device': () => ({ act: 'sink', actSeconds: 0.5 }),
  'an unplugged device': () => ({ act: 'unplug', actSeconds: 0.5 }),
};

/** Pause that the reader makes after a paragraph, in seconds. */
export const PAUSE_SECONDS = 0.4;

/** Speed of the service that speaks articles, as a multiple of real time. */
export const ARTICLE_PACE = 20;

/** Its paragraphs are longer than other speech: a busy machine needs the time to request the next one. */
function articleOf(other: Speech): Plot {
  const speech = { ...other, samples: 4 * other.samples };
  const scripts = [speaking({ ...speech, pace: ARTICLE_PACE })];
  // A busy page compares each paragraph late, and the history must still have it.
  return { speech, scripts, utterances: 3, isFresh: true, isRead: true, attributes: { history: '60' } };
}

/** Returns a scene that is one article, which is read for this many seconds. */
export function longArticle(random: Random, gatewayUrl: string, seconds: number): Scene {
  const scene = sceneOf('an article', random, gatewayUrl);
  return { ...scene, utterances: Math.ceil(seconds / (scene.speech.samples / SPEECH_RATE + PAUSE_SECONDS)) };
}

/** Acts that need sound devices. */
const DEVICE_ACTS: readonly (Act | null)[] = ['sink', 'unplug'];

/**
 * Generates the scenes of a bad day without an end. All scenes come once, in random order, before any comes again.
 *
 * @param gatewayUrl - URL of the gateway that runs the scripts.
 * @param hasDevices - False leaves out the scenes with sound devices.
 */
export function* badDay(random: Random, gatewayUrl: string, hasDevices: boolean): Generator<Scene, never> {
  for (;;) {
    const names = Object.keys(PLOTS);
    while (names.length > 0) {
      const [name] = names.splice(random.below(names.length), 1) as [string];
      const scene = sceneOf(name, random, gatewayUrl);
      if (hasDevices || !DEVICE_ACTS.includes(scene.act)) yield scene;
    }
  }
}

function sceneOf(name: string, random: Random, gatewayUrl: string): Scene {
  const seconds = random.uniform(0.8, 2);
  const speech = { noise: random.below(1000), samples: Math.round(seconds * SPEECH_RATE) };
  const plot = PLOTS[name]!(random, speech);
  return {
    name,
    sessions: (plot.scripts ?? [speaking(speech)]).map((steps) => scriptUrl(gatewayUrl, steps)),
    isFresh: plot.isFresh ?? false,
    isPushed: plot.isPushed ?? false,
    attributes: plot.attributes ?? {},
    speech: plot.speech ?? speech,
    utterances: plot.utterances ?? 1,
    isRead: plot.isRead ?? false,
    act: plot.act ?? null,
    atSeconds: random.uniform(0, seconds / 2),
    actSeconds: random.uniform(0.2, 1) * (plot.actSeconds ?? 0),
    outcomes: plot.outcomes ?? ['finished'],
  };
}

function live(speech: FramesSpec): FramesSpec {
  return { ...speech, pace: 'realtime' };
}

function halvesOf(speech: Speech): [Speech, Speech] {
  const half = speech.samples >> 1;
  return [
    { ...speech, samples: half },
    { ...speech, samples: speech.samples - half, from: half },
  ];
}

/** Returns the script of a service that does `between` after half of the speech. */
function inHalves(speech: Speech, between: readonly GatewayStep[]): GatewayStep[] {
  const [first, second] = halvesOf(speech);
  return [{ wait: 'end' }, { frames: first }, ...between, { frames: second }, { done: true }];
}
