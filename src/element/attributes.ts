import {
  booleanAttribute,
  keywordAttribute,
  numberAttribute,
  type Reflection,
  stringAttribute,
  tokensAttribute,
} from './reflect.js';

/**
 * Part of the element that a change of an attribute concerns at once: the source of speech, the text or endpoint of the
 * next `play()`, how speech sounds, the page's sessions, what is shown, and so on. Null: it counts with the next use.
 */
export type Concern = 'source' | 'words' | 'sound' | 'page' | 'keep-open' | 'history' | 'preload' | 'look' | null;

/** The properties that reflect an attribute: how each does, and what a change concerns. */
export const ATTRIBUTES = {
  src: [stringAttribute('src'), 'source'],
  crossOrigin: [stringAttribute('crossorigin', null), null],
  sessionEndpoint: [stringAttribute('session-endpoint'), 'words'],
  text: [stringAttribute('text'), 'words'],
  markup: [keywordAttribute('markup', ['markdown', 'plain']), null],
  autoplay: [booleanAttribute('autoplay'), 'look'],
  controls: [booleanAttribute('controls'), 'look'],
  controlsList: [tokensAttribute('controlslist', ['nodownload', 'noplaybackrate']), 'look'],
  defaultMuted: [booleanAttribute('muted'), 'sound'],
  preload: [keywordAttribute('preload', ['auto', 'none']), 'preload'],
  prepare: [stringAttribute('prepare'), null],
  keepOpen: [booleanAttribute('keep-open'), 'keep-open'],
  resume: [keywordAttribute('resume', ['auto', 'none']), null],
  history: [numberAttribute('history', { max: 3600, fallback: () => 600 }), 'history'],
  jitterBuffer: [keywordAttribute('jitter-buffer', ['adaptive', 'fixed', 'low-delay']), 'sound'],
  jitterBufferTarget: [numberAttribute('jitter-buffer-target', { max: 4000, fallback: targetOf }), 'sound'],
  leadIn: [numberAttribute('lead-in', { max: 1000, fallback: () => 0 }), 'sound'],
  resampler: [keywordAttribute('resampler', ['fine', 'eco']), 'sound'],
  mediaSession: [booleanAttribute('media-session'), 'page'],
  audioSession: [keywordAttribute('audio-session', ['auto', 'playback', 'transient', 'ambient']), 'page'],
  transport: [keywordAttribute('transport', ['auto', 'shared', 'message']), null],
  audioBackend: [keywordAttribute('audio-backend', ['auto', 'native', 'standardized']), null],
  workletUrl: [stringAttribute('worklet-url'), null],
  workerUrl: [stringAttribute('worker-url'), null],
} as const satisfies Readonly<Record<string, readonly [Reflection, Concern]>>;

/** The concern of each attribute. */
export const CONCERNS: ReadonlyMap<string, Concern> = new Map(
  Object.values(ATTRIBUTES).map(([{ attribute }, concern]) => [attribute, concern]),
);

/** Returns the default of `jitterBufferTarget`, in ms. */
function targetOf(element: HTMLElement): number {
  return ATTRIBUTES.jitterBuffer[0].read(element) === 'low-delay' ? 60 : 120;
}
