import { expect } from 'chai';
import type { SvcSpeakerElement } from '../../../src/index.js';
import type { FramesSpec } from '../../../src/testing/script.js';

/** Shorter than the target delay, so that it is played in one piece however long it is on its way. */
export const short: FramesSpec = { noise: 70, seconds: 0.1 };

/** For every prop that a component may lose again, something other than the default. */
export const settings = {
  audioBackend: 'native',
  autoplay: true,
  controls: true,
  defaultPlaybackRate: 1.25,
  jitterBuffer: 'fixed',
  jitterBufferTarget: 300,
  keepOpen: true,
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

/** What a speaker has for each of the settings. */
export function settingsOf(speaker: SvcSpeakerElement): Record<string, unknown> {
  return Object.fromEntries(Object.keys(settings).map((name) => [name, Reflect.get(speaker, name)]));
}

/** The one speaker of the page. */
export function onlySpeaker(): SvcSpeakerElement {
  const speakers = document.querySelectorAll('svc-speaker');
  expect(speakers).to.have.length(1);
  return speakers[0]!;
}

/** A place in the page for an application, with what a server may have rendered. */
export function makePlace(markup = ''): HTMLElement {
  const place = document.createElement('div');
  place.innerHTML = markup;
  document.body.append(place);
  return place;
}

const { warn, error } = console;
let complaints: unknown[][] = [];

/** Notes what the framework complains of, rather than print it. */
export function listenForComplaints(): void {
  complaints = [];
  console.warn = console.error = (...words: unknown[]) => complaints.push(words);
}

/** Fails if there was any. */
export function expectNoComplaints(): void {
  Object.assign(console, { warn, error });
  const complaint = complaints.map((words) => words.join(' ')).join('\n');
  if (complaint) throw new Error(complaint);
}
