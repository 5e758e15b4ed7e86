/** The page of the soak: plays scenes with `<svc-speaker>`. Sets `window.soak`. */
import type { SvcSpeakerElement, Utterance } from '../../src/index.js';
import { generatePcm } from '../../src/testing/pcm.js';
import { readArticle } from './article.js';
import { sampleFault } from './sample-fault.js';
import type { PageAct, Scene, SceneReport } from './scene.js';

/** Calls from the process that drives the page. */
export interface SoakPage {
  /** Starts a scene. Resolves when its act is due, or when every utterance has settled. */
  start(scene: Scene): Promise<void>;
  /** Does an act of the page. */
  act(act: PageAct, seconds: number): Promise<void>;
  /** Plays on the device with this label; on the default device if there is no label. */
  setDevice(label: string | null): Promise<void>;
  /** Ends a scene: resolves when every utterance has settled and every socket has closed. */
  end(): Promise<SceneReport>;
  /** Counts the audio contexts of the page that were not collected. */
  contexts(): { contexts: number; 'closed contexts': number };
  /** Describes the state of the scene, for a report of a scene that does not end. */
  describe(): string;
}

declare global {
  interface Window {
    soak: SoakPage;
  }
}

/** Samples that the page pushes at a time: 100 ms. */
const CHUNK_SAMPLES = 2400;

/** An utterance of the scene, and what has become of it. */
interface Spoken {
  readonly utterance: Utterance;
  readonly settled: Promise<void>;
  outcome: string;
  /** Number of events `utteranceend`. */
  ends: number;
}

/** A scene that is being played. */
interface Play {
  readonly scene: Scene;
  readonly speaker: SvcSpeakerElement;
  readonly spoken: Spoken[];
  /** Counts of the speaker when the scene began. */
  before: Counts;
  /** True once the first utterance is replayed. */
  isReplayed: boolean;
  /** Report of an article that was read. */
  article: SceneReport | null;
  readonly stop: AbortController;
}

interface Counts {
  readonly received: number;
  readonly emitted: number;
}

const NOTHING: Counts = { received: 0, emitted: 0 };
const attributes = JSON.parse(document.body.dataset['attributes']!) as Record<string, string>;
let audioContexts: WeakRef<AudioContext>[] = [];
globalThis.AudioContext = class extends AudioContext {
  constructor(options?: AudioContextOptions) {
    super(options);
    audioContexts.push(new WeakRef(this));
  }
};
// The element creates its context when it speaks.
const resident = makeSpeaker({});
let play: Play | null = null;
/** True if speech of the previous scene was dropped: the threads may still report how much was received and played. */
let isAfterDrop = false;

window.soak = {
  async start(scene) {
    const speaker = scene.isFresh ? makeSpeaker(scene.attributes) : resident;
    let requested = 0;
    speaker.sessionProvider = () => Promise.resolve(scene.sessions[Math.min(requested++, scene.sessions.length - 1)]!);
    const stop = new AbortController();
    const begun: Play = {
      scene,
      speaker,
      spoken: [],
      before: countsOf(speaker),
      isReplayed: false,
      article: null,
      stop,
    };
    play = begun;
    if (scene.isRead) {
      begun.article = await readArticle(speaker, scene);
      return;
    }
    const { signal } = stop;
    speaker.addEventListener('emptied', () => (begun.before = NOTHING), { signal });
    speaker.addEventListener(
      'utteranceend',
      ({ utterance }) => {
        for (const each of begun.spoken) if (each.utterance === utterance) each.ends++;
      },
      { signal },
    );
    for (let index = 0; index < scene.utterances; index++) begun.spoken.push(speak(speaker, scene));
    const settled = Promise.all(begun.spoken.map((each) => each.settled)).then(() => {});
    await (scene.act === null ? settled : Promise.race([settled, reaches(speaker, scene.atSeconds, signal)]));
  },

  async act(act, seconds) {
    const { speaker, spoken } = play!;
    switch (act) {
      case 'block':
        for (const until = performance.now() + 1000 * seconds; performance.now() < until;);
        break;
      case 'cancel':
        speaker.cancel();
        break;
      case 'remove':
        speaker.remove();
        break;
      case 'pause':
        speaker.pause();
        await pass(seconds);
        if (speaker.hasSpeech) await speaker.play();
        break;
      case 'rate':
        speaker.playbackRate = 1.5;
        await spoken[0]!.settled;
        speaker.playbackRate = 1;
        break;
      case 'duck':
        speaker.duck();
        await spoken[0]!.settled;
        speaker.unduck();
        break;
      case 'hide':
        setHidden(true);
        await pass(seconds);
        setHidden(false);
        break;
      case 'replay':
        await spoken[0]!.settled;
        play!.isReplayed = true;
        await spoken[0]!.utterance.replay();
        if (!speaker.paused) await new Promise((resolve) => speaker.addEventListener('pause', resolve, { once: true }));
        break;
    }
  },

  async setDevice(label) {
    const devices = await navigator.mediaDevices.enumerateDevices();
    const device = devices.find((each) => each.kind === 'audiooutput' && each.label === label);
    if (label !== null && !device) {
      throw new Error(`No device ${label}. There are: ${devices.map((each) => each.label).join(', ')}.`);
    }
    await play!.speaker.setSinkId(device?.deviceId ?? '');
  },

  async end() {
    const ended = play!;
    await Promise.all(ended.spoken.map((each) => each.settled));
    const faults = ended.article?.faults ?? (await faultsOf(ended));
    isAfterDrop = ended.spoken.some(({ outcome }) => outcome !== 'finished');
    ended.stop.abort();
    if (ended.scene.isFresh) ended.speaker.remove();
    play = null;
    return ended.article ?? { outcomes: ended.spoken.map(({ outcome }) => outcome), faults };
  },

  contexts() {
    audioContexts = audioContexts.filter((one) => one.deref());
    const states = audioContexts.map((one) => one.deref()?.state).filter((state) => state !== undefined);
    const closed = states.filter((state) => state === 'closed').length;
    return { contexts: states.length - closed, 'closed contexts': closed };
  },

  describe() {
    if (!play) return 'no scene';
    const { scene, speaker, spoken } = play;
    const outcomes = spoken.map(({ outcome }) => outcome || 'unsettled').join(', ');
    return `${scene.name}: ${outcomes}; the speaker is ${speaker.state} at ${speaker.currentTime.toFixed(2)} s`;
  },
};

function makeSpeaker(more: Readonly<Record<string, string>>): SvcSpeakerElement {
  const speaker = document.createElement('svc-speaker');
  // Short, so that the memory for it is soon as large as it can be.
  const all = { history: '10', ...attributes, ...more };
  for (const [name, value] of Object.entries(all)) speaker.setAttribute(name, value);
  document.body.append(speaker);
  return speaker;
}

function speak(speaker: SvcSpeakerElement, scene: Scene): Spoken {
  const utterance = scene.isPushed ? push(speaker, scene) : speaker.speak('A sentence of the day.');
  const spoken: Spoken = {
    utterance,
    outcome: '',
    ends: 0,
    settled: utterance.finished.then(
      () => void (spoken.outcome += 'finished'),
      ({ name, reason }: { name: string; reason?: string }) => void (spoken.outcome += reason ?? name),
    ),
  };
  return spoken;
}

/** Pushes the speech in chunks, as a page does that receives it in real time. */
function push(speaker: SvcSpeakerElement, { speech }: Scene): Utterance {
  const input = speaker.openInput({ sampleRate: 24_000, text: 'A sentence of the day.' });
  const samples = generatePcm(speech, speech.samples);
  const writeAll = async (): Promise<void> => {
    for (let from = 0; from < samples.length; from += CHUNK_SAMPLES) {
      input.write(samples.slice(from, from + CHUNK_SAMPLES));
      await pass(CHUNK_SAMPLES / 24_000);
    }
    input.end();
  };
  void writeAll();
  return input.utterance;
}

/** Resolves when the first utterance of the scene has played for `seconds`. */
function reaches(speaker: SvcSpeakerElement, seconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    let start = Number.NaN;
    const check = (): void => {
      if (speaker.currentTime >= start + seconds) resolve();
    };
    speaker.addEventListener(
      'utterancestart',
      () => {
        if (Number.isNaN(start)) start = speaker.currentTime;
        check();
      },
      { signal },
    );
    speaker.addEventListener('timeupdate', check, { signal });
  });
}

async function faultsOf({ scene, speaker, spoken, before, isReplayed }: Play): Promise<string[]> {
  const faults: string[] = [];
  const expected = generatePcm(scene.speech, scene.speech.samples);
  for (const { utterance, outcome, ends } of spoken) {
    if (!scene.outcomes.includes(outcome)) faults.push(`${outcome}, not ${scene.outcomes.join(' or ')}`);
    const mostEnds = isReplayed ? 2 : 1;
    if (ends > mostEnds || (outcome === 'finished' && ends < 1)) faults.push(`${ends} utteranceend`);
    if (outcome !== 'finished') continue;
    const { seconds } = utterance.heard;
    if (Math.abs(seconds * 24_000 - expected.length) > 1)
      faults.push(`${seconds} s heard of ${expected.length / 24_000}`);
    const fault = await sampleFault(utterance, expected);
    if (fault) faults.push(fault);
  }
  if (isAfterDrop || isReplayed || spoken.some(({ outcome }) => outcome !== 'finished')) return faults;
  const { received, emitted } = countsOf(speaker);
  const sent = expected.length * spoken.length;
  if (received - before.received !== sent) faults.push(`${received - before.received} samples received of ${sent}`);
  if (emitted - before.emitted !== sent) faults.push(`${emitted - before.emitted} samples played of ${sent}`);
  return faults;
}

function countsOf(speaker: SvcSpeakerElement): Counts {
  const { totalSamplesReceived, concealedSamples, jitterBufferEmittedCount } = speaker.getStats();
  return { received: totalSamplesReceived - concealedSamples, emitted: jitterBufferEmittedCount };
}

/** Makes the page report whether it is hidden. Headless Chromium shows all its pages. */
function setHidden(isHidden: boolean): void {
  Object.defineProperty(document, 'hidden', { get: () => isHidden, configurable: true });
  document.dispatchEvent(new Event('visibilitychange'));
}

function pass(seconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 1000 * seconds));
}
