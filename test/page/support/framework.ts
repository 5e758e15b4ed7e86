import { expect } from 'chai';
import type { SvcSpeakerElement } from '../../../src/index.js';
import type { FramesSpec } from '../../../src/testing/script.js';

/** Shorter than the default target delay, so it starts when all of it has arrived. */
export const short: FramesSpec = { noise: 70, seconds: 0.1 };

/** For every prop that can be removed, a value other than the default. */
export const settings = {
  audioBackend: 'native',
  audioSession: 'transient',
  autoplay: true,
  controls: true,
  controlsList: 'nodownload',
  defaultPlaybackRate: 1.25,
  jitterBuffer: 'fixed',
  jitterBufferTarget: 300,
  leadIn: 250,
  history: 30,
  keepOpen: true,
  mediaMetadata: { title: 'Greeting' },
  mediaSession: true,
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

/** The one speaker of the page. */
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

/** Collects warnings and errors of the framework instead of printing them. */
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
