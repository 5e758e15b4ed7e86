import { expect } from 'chai';
import type { SvcSpeakerElement } from '../../../src/index.js';
import { type FramesSpec, speaking } from '../../../src/testing/script.js';
import type { SpeakerValues } from '../../../src/wrapper/index.js';
import { allReceived, sessionUrl } from './speaker.js';

/** Shorter than the default target delay, so playback starts when all of it has arrived. */
export const short: FramesSpec = { noise: 70, seconds: 0.1 };

/** A value other than the default, for every prop that can be removed. */
export const settings = {
  audioBackend: 'native',
  audioSession: 'transient',
  autoplay: true,
  controls: true,
  controlsList: 'nodownload',
  defaultPlaybackRate: 1.25,
  jitterBuffer: 'fixed',
  jitterBufferTarget: 4000,
  leadIn: 250,
  history: 30,
  keepOpen: true,
  mediaMetadata: { title: 'Greeting' },
  mediaSession: true,
  messages: { playLabel: 'Listen' },
  muted: true,
  playbackRate: 1.5,
  preservesPitch: false,
  resampler: 'eco',
  sessionEndpoint: '/speech/session',
  sessionRequest: { voice_id: 'anna' },
  text: 'Hello.',
  transport: 'message',
  volume: 0.5,
  workerUrl: '/session.worker.js',
  workletUrl: '/speaker.worklet.js',
} as const;

/** Values of a speaker for each of the settings. */
export function settingsOf(speaker: SvcSpeakerElement): Record<string, unknown> {
  return Object.fromEntries(
    Object.keys(settings).map((name) => {
      const value: unknown = Reflect.get(speaker, name);
      return [name, value instanceof DOMTokenList ? value.value : value];
    }),
  );
}

/** Returns the only speaker of the page. */
export function onlySpeaker(): SvcSpeakerElement {
  const speakers = document.querySelectorAll('svc-speaker');
  expect(speakers).to.have.length(1);
  return speakers[0]!;
}

/** Appends a root for an application to the page, with markup that a server may have rendered. */
export function makePlace(markup = ''): HTMLElement {
  const place = document.createElement('div');
  place.innerHTML = markup;
  document.body.append(place);
  return place;
}

const { warn, error } = console;
let complaints: unknown[][] = [];

/** Collects warnings and errors of the framework, and does not print them. */
export function listenForComplaints(): void {
  complaints = [];
  console.warn = console.error = (...words: unknown[]) => complaints.push(words);
}

/** Throws if there was a warning or an error. */
export function expectNoComplaints(): void {
  Object.assign(console, { warn, error });
  const complaint = complaints.map((words) => words.join(' ')).join('\n');
  if (complaint) throw new Error(complaint);
}

/** Values that a component was rendered with. */
export class Renders {
  readonly #all: SpeakerValues[] = [];
  #changed = (): void => {};

  get latest(): SpeakerValues {
    return this.#all.at(-1)!;
  }

  add(values: SpeakerValues): void {
    this.#all.push(values);
    this.#changed();
  }

  /** Resolves when `isSo` returns true for the latest values. */
  async until(isSo: (values: SpeakerValues) => boolean): Promise<void> {
    while (!isSo(this.latest)) await new Promise<void>((resolve) => (this.#changed = resolve));
  }

  /** States without consecutive repetitions. */
  get states(): string[] {
    return this.#all.map(({ state }) => state).filter((state, index, all) => state !== all[index - 1]);
  }
}

export const unspoken: SpeakerValues = {
  state: 'idle',
  currentTime: 0,
  duration: NaN,
  heard: { seconds: 0, text: '' },
  ducked: false,
  error: null,
};

/**
 * Speaks with the only speaker of the page, cancels its next utterance, makes a third one fail, and expects `renders`
 * to follow.
 */
export async function expectValues(renders: Renders): Promise<void> {
  const speaker = onlySpeaker();
  expect(renders.latest).to.deep.equal(unspoken);
  speaker.sessionProvider = () => Promise.resolve(sessionUrl(speaking({ noise: 71, seconds: 20 })));
  const { finished } = speaker.speak('One two.');
  speaker.duck();
  await renders.until(({ state, ducked, heard }) => state === 'playing' && ducked && heard.seconds > 0);
  await allReceived(speaker);
  speaker.currentTime = 19.9;
  await finished;
  await renders.until(({ state }) => state === 'ended');
  expect(renders.latest).to.deep.include({ currentTime: 20, duration: 20, heard: { seconds: 20, text: 'One two.' } });
  expect(renders.states).to.include.members(['idle', 'connecting', 'playing', 'ended']);

  const second = speaker.speak('Three four five.');
  await second.started;
  await renders.until(({ heard }) => heard.text !== 'One two.');
  speaker.cancel();
  expect(await second.finished.catch(({ name }: Error) => name)).to.equal('AbortError');
  await renders.until(({ heard }) => heard.seconds === second.heard.seconds);
  expect(renders.latest.ducked).to.equal(false);

  speaker.sessionProvider = () => Promise.reject(new Error('No voice is left.'));
  await speaker.speak('Six.').finished.catch(() => {});
  await renders.until(({ state }) => state === 'error');
  expect(renders.latest.error).to.equal(speaker.error);
}
