/** Compiled, never run: the types by which Svelte checks a tag. */
import type { SvelteHTMLElements } from 'svelte/elements';
import type { SvcSpeakerEventMap } from 'svc-speaker';
import type {} from 'svc-speaker/svelte.js';

type Tag = SvelteHTMLElements['svc-speaker'];
type ReaderTag = SvelteHTMLElements['svc-reader'];

/** Attributes and properties of the right types. */
export const whole: Tag = {
  'session-endpoint': '/speech/session',
  'session-request': '{"voice_id":"anna"}',
  sessionRequest: { voice_id: 'anna' },
  sessionProvider: ({ signal, reason }) => Promise.resolve(`wss://example.com/?${signal.aborted}${reason}`),
  session: undefined,
  controls: false,
  'keep-open': true,
  keepOpen: Math.random() > 0.5,
  volume: 0.5,
  messages: { playLabel: 'Listen' },
  class: 'speaker',
  'data-testid': 'speaker',
  onutteranceend: ({ utterance, currentTarget }) => console.log(utterance.text, currentTarget.currentTime),
  onunderrun: ({ durationMs }) => console.log(durationMs.toFixed()),
  onclick: ({ currentTarget }) => currentTarget.cancel(),
};

type Listener = Extract<keyof Tag, `on${keyof SvcSpeakerEventMap}`>;
/** Each event has a listener. */
export const heard: Record<`on${keyof SvcSpeakerEventMap}`, true> = {} as Record<Listener, true>;

export const reader: ReaderTag = {
  for: 'article',
  speaker: 'voice',
  highlight: 'sentence',
  remember: false,
  voices: { fr: 'ff_siwis' },
  onclick: ({ currentTarget }) => currentTarget.stop(),
};

export const wrongReaders: ReaderTag[] = [
  // @ts-expect-error -- no such highlight
  { highlight: 'letters' },
  // @ts-expect-error -- no voice
  { voices: { fr: 1 } },
];

export const wrong: Tag[] = [
  // @ts-expect-error -- misspelt
  { 'sesion-endpoint': '/speech/session' },
  // @ts-expect-error -- no such property
  { apiKey: 'secret' },
  // @ts-expect-error -- Svelte would write keep-open="false", which sets the attribute
  { 'keep-open': false },
  // @ts-expect-error -- a message is a string
  { messages: { playLabel: 1 } },
  // @ts-expect-error -- no such transport
  { transport: 'pigeon' },
  // @ts-expect-error -- this event has no utterance
  { onunderrun: ({ utterance }) => console.log(utterance) },
];
