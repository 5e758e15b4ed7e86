import type { Controls } from '../controls/controls.js';
import type { AudioBackendName, HostContext, PlayoutNode, ResamplerQuality } from '../output/index.js';
import {
  Playback,
  type SpeakerError,
  type SpeakerState,
  type SpeakerStats,
  type Utterance,
} from '../playback/index.js';
import type { AudioSource } from '../launch/audio-input.js';
import type { SessionRequest, SessionResponse } from '../protocol/index.js';
import type { Transport } from '../ring/index.js';
import { type SessionProvider, SessionSource } from '../sessions/session-source.js';
import type { TextStream } from '../text/read-sentences.js';
import { showState } from './custom-states.js';
import { eventOf, type SvcSpeakerEventMap } from './events.js';
import { playbackHost } from './playback-host.js';
import {
  booleanAttribute,
  defineReflected,
  double,
  keywordAttribute,
  numberAttribute,
  stringAttribute,
  tokensAttribute,
  upgradeProperties,
} from './reflect.js';
import { SoundSettings } from './sound-settings.js';
import { adoptStyles, styles } from './styles.js';

/** Longest context id of the protocol, in characters. */
const CONTEXT_ID_MAX = 256;
/** Default of `jitterBufferTarget`, in ms. WebRTC has the same limits. */
const TARGET = { adaptive: 120, lowDelay: 60, min: 0, max: 4000 } as const;
/** Default and maximum of `history`, in seconds. */
const HISTORY = { fallback: 600, max: 3600 } as const;
/** Maximum of `leadIn`, in ms. */
const LEAD_IN_MAX = 1000;
/** Class names of the objects that have audio. */
const AUDIO_CLASSES = /^\[object (String|URL|Request|Response|ReadableStream|Blob|File|ArrayBuffer)\]$/;
/** Attributes that change how speech sounds. */
const SOUND_ATTRIBUTES = ['muted', 'jitter-buffer', 'jitter-buffer-target', 'lead-in', 'resampler'];

/** Attributes that change what the page shares with the platform. */
const PAGE_ATTRIBUTES = ['media-session', 'audio-session'];

/** On a server there is no HTMLElement; the class is imported there all the same. */
const Base = globalThis.HTMLElement ?? (Object as unknown as typeof HTMLElement);

/** Delay: what the network requires, exactly the target, or as `adaptive` with a lower target. */
export type JitterBuffer = 'adaptive' | 'fixed' | 'low-delay';

/**
 * Plays streamed speech as it arrives: `<svc-speaker>`.
 *
 * A media element in every respect that makes sense for speech. The socket is in a worker and the sound on the audio
 * thread, so a busy main thread does not interrupt speech. Without `controls` it draws nothing.
 *
 * @tag svc-speaker
 * @attr {string} src - Session URL (`wss:`, or `ws:` to this machine), or URL of an audio stream (`https:`, relative).
 *   Setting it drops what was playing.
 * @attr {'anonymous' | 'use-credentials'} crossorigin - Whether a stream of another origin is requested with its cookies.
 * @attr {string} session-endpoint - URL on the page's own backend that answers a POST with a session.
 * @attr {string} session-request - JSON: body of the POST to `session-endpoint`.
 * @attr {string} text - Text that `play()` speaks.
 * @attr {boolean} autoplay - Play as soon as there is a source.
 * @attr {boolean} controls - Show play/pause, a waveform, status, time, volume, progress, speed, download and the words.
 * @attr {string} controlslist - Controls to leave out: `nodownload`, `noplaybackrate`.
 * @attr {boolean} muted - Muted at first.
 * @attr {'adaptive' | 'fixed' | 'low-delay'} [jitter-buffer=adaptive] - Whether delay and pace follow the network.
 * @attr {number} [jitter-buffer-target=120] - Speech held before playback starts, 0 to 4000 ms; 60 if low-delay.
 * @attr {number} [lead-in=0] - Inaudible signal before speech if the output was idle for 5 s, 0 to 1000 ms.
 * @attr {'fine' | 'eco'} [resampler=fine] - Resampler to the device's rate: `eco` takes half the work.
 * @attr {'auto' | 'shared' | 'message'} [transport=auto] - How samples get to the audio thread.
 * @attr {'auto' | 'native' | 'standardized'} [audio-backend=auto] - Which implementation of Web Audio is used.
 * @attr {string} worklet-url - The page's copy of the worklet file; one for each audio context, the first that is named.
 * @attr {string} worker-url - The page's copy of the worker file.
 * @attr {number} [history=600] - Seconds of received speech that are kept for seeking, 0 to 3600.
 * @attr {boolean} media-session - Lock screen and media keys show and steer this speaker, if it played last.
 * @attr {'auto' | 'playback' | 'transient' | 'ambient'} [audio-session=auto] - Type of the page's audio session while it speaks.
 * @attr {boolean} keep-open - Keep the socket open after the last word. The meter runs while it is open.
 *
 * @fires {Event} emptied - Back in the empty state.
 * @fires {Event} loadstart - There is something to load.
 * @fires {Event} durationchange - `duration` has changed.
 * @fires {Event} loadedmetadata - The socket is open, and the rate of the speech is known.
 * @fires {Event} canplay - The first speech is there.
 * @fires {Event} play - `paused` is false.
 * @fires {Event} playing - Sound is playing.
 * @fires {Event} waiting - Nothing to play, and more will come. `readyState` is below 3.
 * @fires {Event} pause - `paused` is true.
 * @fires {Event} timeupdate - `currentTime` has changed; about four times a second.
 * @fires {Event} progress - Speech is arriving.
 * @fires {Event} seeking - `currentTime` was set, or `play()` after the end starts again.
 * @fires {Event} seeked - The speech from there is on its way to the output.
 * @fires {Event} ended - The last sample has been heard.
 * @fires {Event} error - `error` is set.
 * @fires {Event} statechange - `state` has changed.
 * @fires {Event} volumechange - `volume` or `muted` has changed.
 * @fires {Event} duckstart - `duck()` lowers speech: `ducked` is true.
 * @fires {Event} duckend - Speech is no longer lowered, after `unduck()` or a cancel: `ducked` is false.
 * @fires {Event} ratechange - `playbackRate` or `defaultPlaybackRate` has changed.
 * @fires {Event} blocked - The browser requires a gesture before it plays sound.
 * @fires {UtteranceEvent} utterancestart - The first sample of an utterance is heard.
 * @fires {UtteranceEvent} utteranceend - The last sample of an utterance has been heard.
 * @fires {ContextDoneEvent} contextdone - The service reports that a context is finished.
 * @fires {UnderrunEvent} underrun - The buffer ran empty, and speech is back. Short gaps are concealed.
 * @fires {SocketCloseEvent} socketclose - The socket is closed.
 *
 * @slot play-label - Label of the button when it plays.
 * @slot pause-label - Label of the button when it pauses.
 * @slot retry-label - Label of the button after an error.
 * @slot replay-label - Label of the button when it plays again what has been heard.
 * @slot volume-label - Label of the volume slider.
 * @slot progress-label - Label of the progress bar.
 * @slot progress-value - Its value for assistive technology, with `{time}` and `{duration}`.
 * @slot speed-label - Label of the speed menu.
 * @slot download-label - Label of the download button.
 * @slot ready-status - Status when there is nothing to play.
 * @slot connecting-status - Status while a session is requested.
 * @slot buffering-status - Status while speech is awaited.
 * @slot speaking-status - Status while sound is playing.
 * @slot paused-status - Status while paused.
 * @slot blocked-status - Status while the browser requires a gesture.
 * @slot error-status - Status after an error.
 * @slot interrupted-status - Status after an error in the middle of speech; by default that of `error-status`, if it is set.
 * @slot silent-status - Status when `play()` has nothing to say; by default that of `ready-status`, if it is set.
 * @slot error - Replaces the message of an error, which is written for developers.
 * @slot caption - Replaces the words that are spoken, for example with a translation.
 *
 * @csspart controls - All of the controls.
 * @csspart toggle - The play/pause button.
 * @csspart meter - The waveform: heard, playing, and received speech. Not interactive.
 * @csspart status - The line of text.
 * @csspart time - `currentTime`, and `duration` where it is known.
 * @csspart loudness - The volume slider with its icon.
 * @csspart volume - The volume slider.
 * @csspart tools - The row of progress bar, speed menu and download button.
 * @csspart progress - The progress bar: a slider over the speech that is kept; disabled if there is none.
 * @csspart speed - The speed menu, a `<select>`.
 * @csspart download - The download button.
 * @csspart caption - The words that are spoken; before that, `text`.
 * @csspart error - The error, in the place of the words.
 * @cssprop --svc-speaker-accent - Colour of button, waveform and sliders.
 * @cssprop --svc-speaker-on-accent - Colour of the button's icon.
 * @cssprop --svc-speaker-surface - Background of the bar.
 * @cssprop --svc-speaker-text - Colour of the text.
 * @cssprop --svc-speaker-muted - Colour of status and time.
 * @cssprop --svc-speaker-wave - Colour of the waveform, if it is not the accent.
 * @cssprop --svc-speaker-buffered - Colour of received speech that is not heard yet.
 * @cssprop --svc-speaker-track - Colour of the empty part of waveform and sliders.
 * @cssprop --svc-speaker-error - Colour of an error.
 * @cssprop --svc-speaker-caption-lines - Lines of the caption; 2 by default, 0 for none.
 * @cssprop --svc-speaker-radius - Radius of the bar's corners.
 * @cssprop --svc-speaker-font - Font family.
 * @cssState idle - Nothing to play.
 * @cssState connecting - A session is requested, or the socket is opening.
 * @cssState buffering - Speech is awaited; also while connecting.
 * @cssState playing - Sound is playing.
 * @cssState paused - Held by `pause()`.
 * @cssState blocked - The browser requires a gesture.
 * @cssState ended - Everything has been heard.
 * @cssState error - `error` is set, and nothing is left to play.
 */
export class SvcSpeakerElement extends Base {
  static get observedAttributes(): string[] {
    const observed = [
      'src',
      'session-endpoint',
      'text',
      'autoplay',
      'controls',
      'controlslist',
      'keep-open',
      'history',
    ];
    return [...SOUND_ATTRIBUTES, ...PAGE_ATTRIBUTES, ...observed];
  }

  static {
    defineReflected(this.prototype, {
      src: stringAttribute('src'),
      crossOrigin: stringAttribute('crossorigin', null),
      sessionEndpoint: stringAttribute('session-endpoint'),
      text: stringAttribute('text'),
      autoplay: booleanAttribute('autoplay'),
      controls: booleanAttribute('controls'),
      controlsList: tokensAttribute('controlslist', ['nodownload', 'noplaybackrate']),
      defaultMuted: booleanAttribute('muted'),
      keepOpen: booleanAttribute('keep-open'),
      history: numberAttribute('history', { min: 0, max: HISTORY.max, fallback: () => HISTORY.fallback }),
      jitterBuffer: keywordAttribute('jitter-buffer', ['adaptive', 'fixed', 'low-delay']),
      jitterBufferTarget: numberAttribute('jitter-buffer-target', {
        min: TARGET.min,
        max: TARGET.max,
        fallback: (element) =>
          (element as SvcSpeakerElement).jitterBuffer === 'low-delay' ? TARGET.lowDelay : TARGET.adaptive,
      }),
      leadIn: numberAttribute('lead-in', { min: 0, max: LEAD_IN_MAX, fallback: () => 0 }),
      resampler: keywordAttribute('resampler', ['fine', 'eco']),
      mediaSession: booleanAttribute('media-session'),
      audioSession: keywordAttribute('audio-session', ['auto', 'playback', 'transient', 'ambient']),
      transport: keywordAttribute('transport', ['auto', 'shared', 'message']),
      audioBackend: keywordAttribute('audio-backend', ['auto', 'native', 'standardized']),
      workletUrl: stringAttribute('worklet-url'),
      workerUrl: stringAttribute('worker-url'),
    });
    // Only where the browser's AudioContext can choose a device.
    if (!('setSinkId' in Object(globalThis.AudioContext?.prototype))) {
      for (const name of ['sinkId', 'setSinkId']) Reflect.deleteProperty(this.prototype, name);
    }
  }

  readonly #internals = this.attachInternals?.();
  readonly #source: SessionSource;
  readonly #sound: SoundSettings;
  readonly #playback: Playback;
  readonly #root = this.attachShadow({ mode: 'open' });
  #controls: Controls | undefined;
  #drawing: Promise<void> | undefined;
  #sinkId = '';
  /** HTML's autoplaying flag: the page has not called anything yet, so `autoplay` may start playback. */
  #isAutoplaying = true;

  constructor() {
    super();
    this.#source = new SessionSource(this);
    this.#sound = new SoundSettings(() => this.defaultMuted, {
      soundChanged: (event) => {
        this.#playback.node?.update();
        if (!event) return;
        this.#draw();
        queueMicrotask(() => this.dispatchEvent(new Event(event)));
      },
      outputChanged: () => this.#playback.outputChanged(),
    });
    this.#playback = new Playback(
      playbackHost(this, this.#source, this.#sound, (event) => {
        showState(this.#internals, this.state);
        this.#draw();
        this.dispatchEvent(eventOf(event));
      }),
    );
    showState(this.#internals, this.state);
    this.#adoptStyles();
  }

  // --- where the session comes from

  /**
   * Session URL (`wss:`), or URL of an audio stream (`https:`, relative) that `play()` plays as it arrives; empty if there
   * is none. Setting it drops what was playing.
   */
  declare src: string;

  /** As in HTML: `use-credentials` requests an audio stream of another origin with its cookies. Null: without. */
  declare crossOrigin: string | null;

  /** Answer of a session call (interface-spec 2.2). Setting it sets `src`. */
  get session(): SessionResponse | null {
    return this.#source.session;
  }

  set session(session: SessionResponse | null | undefined) {
    this.#source.session = session;
    if (!session) this.removeAttribute('src');
    else this.setAttribute('src', String(session.url));
  }

  /** Called each time a socket is needed. */
  get sessionProvider(): SessionProvider | null {
    return this.#source.provider;
  }

  set sessionProvider(provider: SessionProvider | null | undefined) {
    this.#source.provider = provider;
    this.#playback.sourceChanged();
    this.#autoplay();
  }

  /** URL on the page's own backend that answers a POST of `sessionRequest` with a session. */
  declare sessionEndpoint: string;

  /** Body of that POST (interface-spec 2.1). An object that was set wins over the attribute. */
  get sessionRequest(): SessionRequest | null {
    return this.#source.request;
  }

  set sessionRequest(request: SessionRequest | null | undefined) {
    this.#source.request = request;
    this.#draw();
  }

  // --- speaking

  /** Text that `play()` speaks; empty for the words that the session brings. */
  declare text: string;

  /** Keep the socket open after the last word. The meter runs while it is open. */
  declare keepOpen: boolean;

  /** Start playback as soon as there is a source. */
  declare autoplay: boolean;

  /**
   * Speaks `text` after the utterances that are queued. Plays unless the user has paused.
   *
   * @param text - A string, or a stream of strings such as the output of a language model: each sentence is spoken as soon
   *   as it is complete.
   * @param options - `contextId` names the context on the socket. `signal` cancels the utterance, and its stream.
   * @throws {TypeError} If `text` is neither, or `contextId` does not have 1 to 256 characters.
   * @throws {DOMException} InvalidStateError without a source of sessions; the signal's reason if it is aborted.
   */
  speak(text: string | TextStream, options: { contextId?: string; signal?: AbortSignal } = {}): Utterance {
    const isText = typeof text === 'string' || Symbol.asyncIterator in Object(text) || 'getReader' in Object(text);
    if (!isText) throw new TypeError(`speak() takes a string or a stream of strings, not ${typeof text}.`);
    const { contextId, signal } = options;
    if (contextId !== undefined && !(contextId.length > 0 && contextId.length <= CONTEXT_ID_MAX)) {
      throw new TypeError(`contextId must be a string of 1 to ${CONTEXT_ID_MAX} characters, not ${contextId}.`);
    }
    return this.#begin(() => this.#playback.speak(text, contextId), signal);
  }

  /**
   * Plays an audio stream as it arrives, after the utterances that are queued. Needs no source of sessions. In everything
   * else it is an utterance like that of `speak()`.
   *
   * @param input - A URL or a Request is fetched off the main thread; a Response or a stream of Uint8Array is read there
   *   where the browser can. Formats: WAV, raw samples of 16 bits, MP3, AAC, and Opus in Ogg or WebM.
   * @param options - `text`: the words, for captions. `sampleRate`: of raw samples whose Content-Type does not say, in Hz.
   *   `signal` cancels the utterance, and its request or stream; so does the signal of a Request.
   * @throws {TypeError} If `input` is none of these, or was read before.
   * @throws {DOMException} The signal's reason if it is aborted.
   */
  speakAudio(
    input: AudioSource,
    { text = '', sampleRate, signal }: { text?: string; sampleRate?: number; signal?: AbortSignal } = {},
  ): Utterance {
    const { bodyUsed, locked, signal: ownSignal } = Object(input) as Partial<Request & ReadableStream>;
    const kind = Object.prototype.toString.call(input);
    if (!AUDIO_CLASSES.test(kind) || bodyUsed || locked) {
      throw new TypeError(`speakAudio() takes a URL or unread audio, not ${bodyUsed || locked ? 'read ' : ''}${kind}.`);
    }
    return this.#begin(() => this.#playback.speakAudio({ source: input, sampleRate }, text), signal, ownSignal);
  }

  /** Begins an utterance that is cancelled with any of these signals. */
  #begin(speak: () => Utterance, ...signals: readonly (AbortSignal | undefined)[]): Utterance {
    for (const signal of signals) signal?.throwIfAborted();
    this.#isAutoplaying = false;
    const utterance = speak();
    const cancel = (): void => utterance.cancel();
    for (const signal of signals) signal?.addEventListener('abort', cancel);
    void utterance.finished
      .catch(() => {})
      .then(() => signals.forEach((signal) => signal?.removeEventListener('abort', cancel)));
    return utterance;
  }

  /** Silences everything that is spoken or queued, at once. Closes the socket unless `keep-open`. */
  cancel(): void {
    this.#playback.cancel();
  }

  /**
   * Resolves when sound is playing.
   *
   * Rejects with NotAllowedError if the browser requires a gesture, AbortError if it was interrupted, NotSupportedError if
   * nothing can be played (see `error`), InvalidStateError without a source of sessions.
   */
  play(): Promise<void> {
    this.#isAutoplaying = false;
    return this.#playback.play();
  }

  /** Holds the sound. Nothing is lost: `play()` continues from the same sample. */
  pause(): void {
    this.#isAutoplaying = false;
    this.#playback.pause();
  }

  /** Drops everything, closes the socket, and goes back to the empty state. */
  close(): void {
    this.#playback.close();
  }

  // --- history

  /** Seconds of received speech that are kept for seeking, 0 to 3600; the oldest goes first. With 0, nothing is kept. */
  declare history: number;

  /** As in HTML: a seek is under way. */
  get seeking(): boolean {
    return this.#playback.seeking;
  }

  /** HTML's seek, as setting `currentTime`. */
  fastSeek(seconds: number): void {
    this.currentTime = seconds;
  }

  /** Forgets what has been heard: what plays now, or comes next, begins at 0. */
  clearHistory(): void {
    this.#playback.clearHistory();
  }

  /**
   * Returns everything that is kept as `audio/wav` with 16 bits: the samples as they were received.
   *
   * @returns Rejects with InvalidStateError if nothing is kept.
   */
  toBlob(): Promise<Blob> {
    return this.#playback.toBlob();
  }

  // --- media state

  /** The state of the speaker: `statechange` follows each change. */
  get state(): SpeakerState {
    return this.#playback.state;
  }

  /** An utterance is being spoken or is queued. */
  get hasSpeech(): boolean {
    return this.#playback.hasSpeech;
  }

  /** As in HTML: nothing is to be heard until `play()`. */
  get paused(): boolean {
    return this.#playback.paused;
  }

  /** As in HTML: the last sample has been heard, and nothing is queued. */
  get ended(): boolean {
    return this.#playback.ended;
  }

  /** The browser requires a gesture before it plays sound. */
  get blocked(): boolean {
    return this.state === 'blocked';
  }

  /** Playback position in seconds. Setting it seeks to the nearest time that is `seekable`, and never opens a socket. */
  get currentTime(): number {
    return this.#playback.currentTime;
  }

  set currentTime(seconds: number) {
    this.#playback.seek(double(seconds, 'currentTime'));
  }

  /** Seconds; `Infinity` while more may arrive, NaN before anything is known. */
  get duration(): number {
    return this.#playback.duration;
  }

  /** Received speech: one range from 0, although the oldest may no longer be kept. */
  get buffered(): TimeRanges {
    return this.#playback.buffered;
  }

  /** Speech that has been heard. */
  get played(): TimeRanges {
    return this.#playback.played;
  }

  /** The speech that is kept: one range, up to the newest that was received. It is updated ten times a second. */
  get seekable(): TimeRanges {
    return this.#playback.seekable;
  }

  /** As in HTML, `HAVE_NOTHING` (0) to `HAVE_ENOUGH_DATA` (4). */
  get readyState(): number {
    return this.#playback.readyState;
  }

  /** As in HTML, `NETWORK_EMPTY` (0) to `NETWORK_NO_SOURCE` (3). */
  get networkState(): number {
    return this.#playback.networkState;
  }

  /** The latest error; null again after the next `play()` or `speak()`. */
  get error(): SpeakerError | null {
    return this.#playback.error;
  }

  /** Statistics since the element was last emptied. */
  getStats(): SpeakerStats {
    return this.#playback.stats();
  }

  // --- sound

  /** As in HTML: speech continues, and is not heard. */
  get muted(): boolean {
    return this.#sound.muted;
  }

  set muted(value: boolean) {
    this.#sound.muted = value;
  }

  /** Muted at first. */
  declare defaultMuted: boolean;

  /** 0 to 1. */
  get volume(): number {
    return this.#sound.volume;
  }

  set volume(value: number) {
    this.#sound.volume = value;
  }

  /**
   * Lowers speech, for example while the listener may be about to speak, without touching `volume` and `muted`. What is
   * spoken next is lowered too, until `unduck()`. Calling it again sets another level.
   *
   * Dispatches `duckstart` if speech was not lowered, after `ducked` has changed.
   *
   * @param options - `to`: the level, 0 to 1 times the volume, 0.2 by default. `ms`: the time in which it is reached, 50 by
   *   default, at least 20.
   * @throws {RangeError} If `to` is not between 0 and 1, or `ms` is negative.
   * @throws {TypeError} If one of them is not a finite number.
   */
  duck(options?: { to?: number; ms?: number }): void {
    this.#sound.duck(options);
  }

  /**
   * Restores the level of speech, however often `duck()` was called. So do `cancel()`, `close()`, another source, and the
   * cancel of the last utterance that was left.
   *
   * Dispatches `duckend` if speech was lowered, after `ducked` has changed; after the events of a `cancel()`.
   *
   * @param options - `ms`: the time in which it is restored, 200 by default, at least 20.
   * @throws {RangeError} If `ms` is negative.
   * @throws {TypeError} If it is not a finite number.
   */
  unduck(options?: { ms?: number }): void {
    this.#sound.unduck(options);
  }

  /** `duck()` lowers speech. */
  get ducked(): boolean {
    return this.#sound.ducked;
  }

  /** Seconds of speech per second of listening, 0.5 to 2. Other values throw a NotSupportedError. */
  get playbackRate(): number {
    return this.#sound.playbackRate;
  }

  set playbackRate(value: number) {
    this.#sound.playbackRate = value;
  }

  /** Value of `playbackRate` after `src` or `session` is set. */
  get defaultPlaybackRate(): number {
    return this.#sound.defaultPlaybackRate;
  }

  set defaultPlaybackRate(value: number) {
    this.#sound.defaultPlaybackRate = value;
  }

  /** At a rate other than 1, speech keeps its pitch. */
  get preservesPitch(): boolean {
    return this.#sound.preservesPitch;
  }

  set preservesPitch(value: boolean) {
    this.#sound.preservesPitch = value;
  }

  /** Whether delay and pace follow the network. Takes effect at once. */
  declare jitterBuffer: JitterBuffer;

  /**
   * Speech held before playback starts, in ms, 0 to 4000: the minimum, if `jitterBuffer` is adaptive; the exact value, also
   * after an underrun, if it is fixed. Takes effect at once.
   */
  declare jitterBufferTarget: number;

  /**
   * Inaudible signal before the first sample of speech if the output has been idle for 5 s, in ms, 0 to 1000. Bluetooth
   * devices swallow the first 100 to 300 ms while they wake up. Takes effect with the next start.
   */
  declare leadIn: number;

  /** Resampler to the device's rate: `eco` takes half the work. Takes effect at once. */
  declare resampler: ResamplerQuality;

  /** How samples get to the audio thread. Takes effect with the next session. */
  declare transport: Transport | 'auto';

  /** The implementation of Web Audio. Takes effect when the output is opened, at the latest after `close()`. */
  declare audioBackend: AudioBackendName | 'auto';

  /** The page's copy of the worklet file; empty for the built-in one. */
  declare workletUrl: string;

  /** The page's copy of the worker file; empty for the built-in one. */
  declare workerUrl: string;

  /**
   * A context of the page's own: native, of standardized-audio-context, or Tone.js's; null for the one that all speakers
   * share. `play()` resumes it; it is never suspended or closed. Speech that is playing moves to it.
   */
  get audioContext(): HostContext | null {
    return this.#sound.audioContext;
  }

  set audioContext(context: HostContext | null | undefined) {
    this.#sound.audioContext = context;
  }

  /** A node to connect to instead of the context's destination, in that node's context; null for the destination. */
  get destination(): AudioNode | null {
    return this.#sound.destination;
  }

  set destination(node: AudioNode | null | undefined) {
    this.#sound.destination = node;
  }

  /**
   * The node through which this speaker is heard, for a graph of the page's own: an analyser, an effect. It belongs to
   * `audioBackend`'s context. It changes with the sample rate of the speech, and is null at first: read it at `playing`.
   *
   * Make the nodes that it connects to with its own context, `node.context.createAnalyser()`: with the `standardized`
   * backend it is a node of that library, which `new AnalyserNode(…)` and other native nodes do not accept. It is connected
   * to the context's destination already; for an effect that is to be heard instead, call `node.disconnect()` first.
   */
  get outputNode(): AudioNode | null {
    return (this.#playback.node as PlayoutNode | undefined)?.outputNode ?? null;
  }

  /**
   * Returns a stream of what is heard, with one track that ends when the speaker is closed or given another source. It can
   * be called before there is speech.
   */
  captureStream(): MediaStream {
    return this.#playback.capture() as MediaStream;
  }

  /** Audio output device; empty for the default. Only where the browser's AudioContext has it. */
  get sinkId(): string {
    return this.#sinkId;
  }

  /**
   * Moves this speaker to another device; speech that is playing goes on there. Only where the browser's AudioContext has
   * it.
   *
   * @param sinkId - `deviceId` of an `audiooutput` of `enumerateDevices()`; empty for the default.
   * @throws {DOMException} As HTMLMediaElement's: NotFoundError, NotAllowedError. The device stays the same then.
   */
  async setSinkId(sinkId: string): Promise<void> {
    const before = this.#sinkId;
    this.#sinkId = String(sinkId);
    try {
      await this.#playback.moveOutput();
    } catch (error) {
      this.#sinkId = before;
      throw (error as SpeakerError).cause ?? error;
    }
  }

  // --- the page and the device

  /**
   * Lock screen and media keys show and steer this speaker through `navigator.mediaSession`: play, pause, stop, and, with a
   * `history`, seeks. Of the speakers of a page, the last that played has the session; it is given back when the speaker is
   * removed or closed.
   */
  declare mediaSession: boolean;

  #mediaMetadata: MediaMetadataInit | null = null;

  /** Title, artist, album and artwork for the media session; null for what the browser shows of the page. */
  get mediaMetadata(): MediaMetadataInit | null {
    return this.#mediaMetadata;
  }

  set mediaMetadata(metadata: MediaMetadataInit | null | undefined) {
    metadata ??= null;
    if (typeof metadata !== 'object') {
      throw new TypeError(`mediaMetadata must be an object or null, not ${typeof metadata}.`);
    }
    this.#mediaMetadata = metadata;
    if (this.mediaSession) this.#updateSessions();
  }

  /**
   * `navigator.audioSession.type` while there is something to play, where the browser has it: with `playback`, an iPhone
   * plays although its silent switch is on, and a page may play in the background. `auto` leaves it alone.
   */
  declare audioSession: 'auto' | 'playback' | 'transient' | 'ambient';

  #updateSessions(): void {
    import('./page-sessions.js').then(({ updateSessions }) => updateSessions(this)).catch(globalThis.reportError);
  }

  // --- life cycle

  connectedCallback(): void {
    this.#sound.connected();
    upgradeProperties(this, SvcSpeakerElement.prototype);
    this.#autoplay();
  }

  disconnectedCallback(): void {
    // If it was only moved, it is connected again by then, and goes on speaking.
    queueMicrotask(() => {
      if (!this.isConnected) this.close();
    });
  }

  attributeChangedCallback(name: string, _before: string | null, value: string | null): void {
    if (SOUND_ATTRIBUTES.includes(name)) this.#playback.node?.update();
    else if (PAGE_ATTRIBUTES.includes(name)) this.#updateSessions();
    else if (name === 'src') this.#sourceChanged(value);
    else if (name === 'keep-open') this.#playback.keepOpenChanged();
    else if (name === 'history') this.#playback.setHistory(this.history);
    else this.#autoplay();
    if (name === 'text' || name === 'session-endpoint') this.#playback.sourceChanged();
  }

  #sourceChanged(src: string | null): void {
    if (this.session && src !== String(this.session.url)) this.#source.session = null;
    this.#isAutoplaying = true;
    this.#playback.close();
    if (src !== null) {
      this.playbackRate = this.defaultPlaybackRate;
      this.#playback.load();
    }
    this.#autoplay();
  }

  /** Starts playback if the page asked for it, in a microtask: by then all attributes are set. */
  #autoplay(): void {
    this.#draw();
    queueMicrotask(() => {
      const hasSource = this.#source.exists || this.#source.audioUrl;
      if (!this.#isAutoplaying || !this.autoplay || !this.isConnected || !hasSource) return;
      this.play().catch(() => {}); // `error` and `blocked` report it.
    });
  }

  // --- rendering

  /** Show play/pause, a waveform, status, time, volume, progress, speed, download and the words. */
  declare controls: boolean;

  /** Controls to leave out, as in HTML: `nodownload`, `noplaybackrate`. Setting it sets the attribute. */
  declare readonly controlsList: DOMTokenList;

  /** Resolves once the controls show the current state. */
  get updateComplete(): Promise<void> {
    return this.#drawing ?? Promise.resolve();
  }

  adoptedCallback(): void {
    this.#adoptStyles();
    this.#controls?.documentChanged();
    this.#draw();
    const { ownerDocument } = this;
    // A document that is closed does not disconnect its elements.
    const close = (): void => {
      if (this.ownerDocument === ownerDocument) this.close();
    };
    if (ownerDocument !== document) ownerDocument.defaultView?.addEventListener('pagehide', close);
  }

  #adoptStyles(): void {
    adoptStyles(this.#root, styles, ...(this.#controls ? [this.#controls.styles] : []));
  }

  /** Draws the controls in a microtask, once for all changes until then. */
  #draw(): void {
    if (!this.isConnected || (!this.controls && !this.#controls)) return;
    this.#drawing ??= this.#drawControls();
  }

  async #drawControls(): Promise<void> {
    await Promise.resolve();
    try {
      if (!this.#controls) {
        const { Controls } = await import('../controls/controls.js');
        this.#controls = new Controls(this, this.#root, this.#playback);
        this.#adoptStyles();
      }
      this.#drawing = undefined;
      this.#controls.draw(this.controls);
    } catch (error) {
      // Not drawn again: after the site was updated, for example, the file is gone. The element works without controls.
      globalThis.reportError?.(error);
    }
  }
}

/** Its own events, and those of every element. */
type Events = Omit<HTMLElementEventMap, keyof SvcSpeakerEventMap> & SvcSpeakerEventMap;

export interface SvcSpeakerElement {
  addEventListener<K extends keyof Events>(
    type: K,
    listener: (this: SvcSpeakerElement, event: Events[K]) => unknown,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | AddEventListenerOptions,
  ): void;
  removeEventListener<K extends keyof Events>(
    type: K,
    listener: (this: SvcSpeakerElement, event: Events[K]) => unknown,
    options?: boolean | EventListenerOptions,
  ): void;
  removeEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | EventListenerOptions,
  ): void;
}
