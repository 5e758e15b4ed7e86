import type { AudioBackendName, ResamplerQuality } from '../output/index.js';
import type { Transport } from '../ring/index.js';
import type { MarkupMode } from '../speakable/marks.js';
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

// The manifest describes the attributes with these comments.
/** The properties that reflect an attribute. */
export interface ReflectedProperties {
  /**
   * Session URL (`wss:`, or `ws:` to this machine), or URL of an audio stream (`https:`, relative) that `play()` plays as
   * it arrives; empty if there is none. Setting it drops what was playing.
   */
  src: string;

  /** As in HTML: `use-credentials` requests audio streams of other origins with cookies; null, without. */
  crossOrigin: string | null;

  /** URL on the page's own backend that answers a POST of `sessionRequest` with a session. */
  sessionEndpoint: string;

  /** Text that `play()` speaks; empty for the words that the session brings. */
  text: string;

  /**
   * `markdown` speaks what Markdown shows: without its marks, code blocks, tags and `<think>` blocks. `plain` speaks text
   * as it is. Captions and `utterance.text` show the original. Takes effect with the next call.
   */
  markup: MarkupMode;

  /** Keep the socket open after the last word. The meter runs while it is open. */
  keepOpen: boolean;

  /**
   * `auto` lets another session speak the rest of an utterance whose socket has died in the middle, after the last word
   * that was received whole: if the service reports when words are spoken, the source can give another session, and at
   * most three times. `none` reports an error after what was received. Takes effect with the next session.
   */
  resume: 'auto' | 'none';

  /** Start playback as soon as there is a source. */
  autoplay: boolean;

  /**
   * As in HTML. `auto` loads the code and the thread files while the page is idle; `none` loads them with the first word.
   * Neither requests a session, opens a socket or starts audio.
   */
  preload: 'auto' | 'none';

  /**
   * CSS selector of the page's buttons after which it speaks, such as `#ask, .read`. When the pointer or the focus comes to
   * one of them, the audio output is made and the worker starts, before the click that follows, so the first word is heard
   * sooner. Requests no session, opens no socket, plays nothing. The controls do the same. Has no effect with
   * `preload="none"`.
   */
  prepare: string;

  /** Seconds of received speech that are kept for seeking, 0 to 3600. The oldest is dropped first. 0 keeps nothing. */
  history: number;

  /** Initial value of `muted`. */
  defaultMuted: boolean;

  /** Delay and pace follow the network, with a lower target if `low-delay`, or are `fixed`. Takes effect at once. */
  jitterBuffer: 'adaptive' | 'fixed' | 'low-delay';

  /**
   * Speech held before playback starts, in ms, 0 to 4000; by default 120, or 60 if `jitterBuffer` is `low-delay`. A
   * minimum, unless `jitterBuffer` is `fixed`: then the exact value, also after an underrun. Takes effect at once.
   */
  jitterBufferTarget: number;

  /**
   * Inaudible signal before the first sample of speech if the output has been idle for 5 s, in ms, 0 to 1000. Bluetooth
   * devices swallow the first 100 to 300 ms while they wake up. Takes effect with the next start.
   */
  leadIn: number;

  /** Resampler to the device's rate: `eco` takes half the work. Takes effect at once. */
  resampler: ResamplerQuality;

  /** Transport of samples to the audio thread. Takes effect with the next session. */
  transport: Transport | 'auto';

  /** The implementation of Web Audio. Takes effect when the output is opened, at the latest after `close()`. */
  audioBackend: AudioBackendName | 'auto';

  /** The page's copy of the worklet file; empty for the built-in one. Each audio context uses the first that it is given. */
  workletUrl: string;

  /** The page's copy of the worker file; empty for the built-in one. */
  workerUrl: string;

  /**
   * Shows and controls this speaker on lock screen and media keys, through `navigator.mediaSession`: play, pause, stop,
   * and, with a `history`, seeks. The last speaker of a page that played has the session. It is released when the
   * speaker is removed or closed.
   */
  mediaSession: boolean;

  /**
   * Value of `navigator.audioSession.type` while there is something to play, where the browser has it. With `playback`,
   * an iPhone plays even if its silent switch is on, and a page may play in the background. `auto` does not change the
   * type.
   */
  audioSession: 'auto' | 'playback' | 'transient' | 'ambient';

  /** Show play/pause, a waveform, status, time, volume, progress, speed, download and the words. */
  controls: boolean;

  /** Controls to leave out, as in HTML: `nodownload`, `noplaybackrate`. Setting it sets the attribute. */
  readonly controlsList: DOMTokenList;
}

/** How each property reflects its attribute, and what a change concerns. */
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
} as const satisfies Readonly<Record<keyof ReflectedProperties, readonly [Reflection, Concern]>>;

/** The concern of each attribute. */
export const CONCERNS: ReadonlyMap<string, Concern> = new Map(
  Object.values(ATTRIBUTES).map(([{ attribute }, concern]) => [attribute, concern]),
);

/** Returns the default of `jitterBufferTarget`, in ms. */
function targetOf(element: HTMLElement): number {
  return ATTRIBUTES.jitterBuffer[0].read(element) === 'low-delay' ? 60 : 120;
}
