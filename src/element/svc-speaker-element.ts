import type { SpeakerMessages } from '../messages/speaker-messages.js';
import type { PlayoutNode } from '../output/index.js';
import { Playback, type SpeechInput, type Utterance } from '../playback/index.js';
import { objectOrNull } from '../base/object-or-null.js';
import type { AudioSource } from '../launch/audio-input.js';
import type { SessionRequest, SessionResponse } from '../protocol/index.js';
import { type SessionProvider, SessionSource } from '../sessions/session-source.js';
import type { Lexicon } from '../speakable/marks.js';
import type { TextStream } from '../text/read-text.js';
import {
  checkAudio,
  checkContextId,
  checkPause,
  checkSampleRate,
  checkText,
  lexiconOf,
  messagesOf,
  type SpeakOptions,
  spokenAsOf,
} from './arguments.js';
import { ATTRIBUTES, CONCERNS, type ReflectedProperties } from './attributes.js';
import { showState } from './custom-states.js';
import { eventOf, type ListenerMethod } from './events.js';
import { MEDIA, type MediaMembers } from './media-members.js';
import { onDemand, playbackHost } from './playback-host.js';
import { defineMembersOf, defineReflected, double, upgradeProperties } from './reflect.js';
import { SinkChoice } from './sink-choice.js';
import { SOUND, type SoundMembers, SoundSettings } from './sound-settings.js';
import { ShadowView } from './shadow-view.js';

/** On a server, there is no HTMLElement, but the class can still be imported. */
const Base = globalThis.HTMLElement ?? (Object as unknown as typeof HTMLElement);

/**
 * Plays streamed speech as it arrives: `<svc-speaker>`.
 *
 * A media element in every respect that makes sense for speech. The socket is in a worker and the playout on the audio
 * thread, so a busy main thread does not interrupt speech. Without `controls` it draws nothing.
 *
 * @tag svc-speaker
 * @attr {'anonymous' | 'use-credentials'} crossorigin
 * @attr {string} session-request - JSON: body of the POST to `session-endpoint`.
 *
 * @cssState idle - Nothing to play.
 * @cssState connecting - A session is requested, or the socket is opening.
 * @cssState buffering - Waiting for speech; also set while connecting.
 * @cssState playing - Sound is playing.
 * @cssState paused - Held by `pause()`.
 * @cssState blocked - The browser requires a gesture.
 * @cssState ended - Everything has been heard.
 * @cssState error - `error` is set, and nothing is left to play.
 */
export class SvcSpeakerElement extends Base {
  static get observedAttributes(): string[] {
    return [...CONCERNS.keys()];
  }

  static {
    defineReflected(this.prototype, ATTRIBUTES);
    defineMembersOf<SvcSpeakerElement, MediaMembers>(this.prototype, Playback, MEDIA, (speaker) => speaker.#playback);
    defineMembersOf<SvcSpeakerElement, SoundMembers>(this.prototype, SoundSettings, SOUND, (speaker) => speaker.#sound);
    // Only where the browser's AudioContext can choose a device.
    if (!('setSinkId' in Object(globalThis.AudioContext?.prototype))) {
      for (const name of ['sinkId', 'setSinkId']) Reflect.deleteProperty(this.prototype, name);
    }
  }

  readonly #internals = this.attachInternals?.();
  readonly #source: SessionSource;
  readonly #sound: SoundSettings;
  readonly #playback: Playback;
  readonly #view: ShadowView;
  readonly #sink = new SinkChoice(() => this.#playback.moveOutput());
  #lexicon: Lexicon | null = null;
  /** HTML's autoplaying flag: true until the page calls a method, so that `autoplay` may start playback. */
  #isAutoplaying = true;

  constructor() {
    super();
    this.#source = new SessionSource(this);
    this.#sound = new SoundSettings(() => this.defaultMuted, {
      soundChanged: (event) => {
        this.#playback.node?.update();
        if (!event) return;
        this.#view.draw();
        queueMicrotask(() => this.dispatchEvent(new Event(event)));
      },
      outputChanged: () => this.#playback.outputChanged(),
    });
    this.#playback = new Playback(
      playbackHost(this, this.#source, this.#sound, (event) => {
        showState(this.#internals, this.state);
        // The controls do not show visemes, of which there are a dozen a second. What `progress` reports while sound plays
        // is shown with the next `timeupdate`.
        if (event.type !== 'viseme' && (event.type !== 'progress' || this.state !== 'playing')) this.#view.draw();
        this.dispatchEvent(eventOf(event));
      }),
    );
    this.#view = new ShadowView(this, this.#playback);
    showState(this.#internals, this.state);
  }

  // --- source of the session

  /** Response to a session call (interface-spec 2.2). Setting it sets `src`. */
  get session(): SessionResponse | null {
    return this.#source.session;
  }

  set session(session: SessionResponse | null | undefined) {
    this.#source.session = session;
    if (!session) this.removeAttribute('src');
    else this.setAttribute('src', String(session.url));
  }

  /** Function that returns a session. Called each time a socket is needed. */
  get sessionProvider(): SessionProvider | null {
    return this.#source.provider;
  }

  set sessionProvider(provider: SessionProvider | null | undefined) {
    if ((provider ?? null) === this.#source.provider) return;
    this.#source.provider = provider;
    this.#playback.sourceChanged();
    this.#autoplay();
  }

  /** Body of that POST (interface-spec 2.1). An object set here takes precedence over the attribute. */
  get sessionRequest(): SessionRequest | null {
    return this.#source.request;
  }

  set sessionRequest(request: SessionRequest | null | undefined) {
    this.#source.request = request;
    this.#view.draw();
  }

  // --- speaking

  /**
   * Words and phrases, with the text that is spoken for them: `{ SQL: 'sequel' }`. Whole words, the longest entry first;
   * an entry with a capital only for the same capitals. Null if all is spoken as written. Takes effect with the next call.
   *
   * @throws {TypeError} If it is no object, or has a value that is no string.
   */
  get lexicon(): Lexicon | null {
    return this.#lexicon;
  }

  set lexicon(lexicon: Lexicon | null | undefined) {
    this.#lexicon = lexiconOf(lexicon);
  }

  /**
   * Speaks `text` after the queued utterances. Starts playback unless the user has paused.
   *
   * @param text - A string, or a stream of strings such as the output of a language model: each sentence is spoken as
   *   soon as it is complete.
   * @param options - `contextId` names the context on the socket, with a number if one there had that name. `signal`
   *   cancels the utterance, and its stream. `markup` and `lexicon` replace the properties for this call. `pauseAfter` is
   *   silence at its end, in seconds.
   * @throws {TypeError} If `text` is neither of these, `contextId` does not have 1 to 256 characters, or `markup` or
   *   `lexicon` has no such value.
   * @throws {RangeError} If `pauseAfter` is not between 0 and 10.
   * @throws {DOMException} InvalidStateError without a source of sessions; the signal's reason if it is aborted.
   */
  speak(text: string | TextStream, options: SpeakOptions = {}): Utterance {
    checkText(text);
    const { contextId, signal, pauseAfter = 0 } = options;
    checkContextId(contextId);
    checkPause(pauseAfter);
    const spokenAs = spokenAsOf(options, this);
    return this.#begin(() => this.#playback.speak(text, contextId, spokenAs, pauseAfter), signal);
  }

  /**
   * Plays an audio stream as it arrives, after the queued utterances. Needs no source of sessions. Otherwise, the
   * utterance is like that of `speak()`.
   *
   * @param input - A URL or a Request is fetched off the main thread. A Response or a stream of Uint8Array is also read
   *   there, where the browser supports it. Formats: WAV, raw samples of 16 bits, MP3, AAC, and Opus in Ogg or WebM.
   * @param options - `text`: the spoken words, for captions. `sampleRate`: rate in Hz of raw samples whose Content-Type
   *   does not give one. `signal` cancels the utterance, and its request or stream; so does the signal of a Request.
   * @throws {TypeError} If `input` is none of these, or was read before.
   * @throws {DOMException} The signal's reason if it is aborted.
   */
  speakAudio(
    input: AudioSource,
    { text = '', sampleRate, signal }: { text?: string; sampleRate?: number; signal?: AbortSignal } = {},
  ): Utterance {
    checkAudio(input);
    const { signal: ownSignal } = Object(input) as Partial<Request>;
    return this.#begin(() => this.#playback.speakAudio({ source: input, sampleRate }, text), signal, ownSignal);
  }

  /**
   * Plays audio that the page receives by itself, such as that of a realtime API or a data channel, after the queued
   * utterances. Needs no source of sessions.
   *
   * @param options - `sampleRate`: rate of the samples in Hz, 8000 to 96000. `text`: the beginning of the text, for captions.
   *   `signal` cancels the utterance.
   * @returns The input, with `write()`, `addText()`, `addWords()`, `end()` and `cancel()`.
   * @throws {RangeError} If the rate is none.
   * @throws {DOMException} The signal's reason if it is aborted.
   */
  openInput({
    sampleRate,
    text = '',
    signal,
  }: {
    sampleRate: number;
    text?: string;
    signal?: AbortSignal;
  }): SpeechInput {
    checkSampleRate(sampleRate);
    let input!: SpeechInput;
    this.#begin(() => (input = this.#playback.openInput(sampleRate, text, new MessageChannel())).utterance, signal);
    return input;
  }

  /** Begins an utterance that any of these signals cancels. */
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

  /**
   * Starts or continues playback. Resolves when sound is playing.
   *
   * Rejects with NotAllowedError if the browser requires a gesture, AbortError if it was interrupted, NotSupportedError
   * if nothing can be played (see `error`), InvalidStateError without a source of sessions.
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

  // --- media state

  /** Playback position in seconds. Setting it seeks to the nearest `seekable` time, and never opens a socket. */
  get currentTime(): number {
    return this.#playback.currentTime;
  }

  set currentTime(seconds: number) {
    this.#playback.seek(double(seconds, 'currentTime'));
  }

  /** Seeks like setting `currentTime`. */
  fastSeek(seconds: number): void {
    this.currentTime = seconds;
  }

  /** True if the browser requires a gesture before it plays sound. */
  get blocked(): boolean {
    return this.state === 'blocked';
  }

  // --- output

  /**
   * Output node of this speaker, for the page's own graph, such as an analyser or an effect. It belongs to
   * `audioBackend`'s context. It changes with the sample rate of the speech and is null at first, so read it on
   * `playing`.
   *
   * Create the nodes that it connects to with its own context, `node.context.createAnalyser()`. With the `standardized`
   * backend, it is a node of that library, which `new AnalyserNode(…)` and other native nodes do not accept. It is
   * already connected to the context's destination. If an effect is to replace that connection, call
   * `node.disconnect()` first.
   */
  get outputNode(): AudioNode | null {
    return (this.#playback.node as PlayoutNode | undefined)?.outputNode ?? null;
  }

  /**
   * Returns a stream of the sound that is played. Its one track ends when the speaker is closed or given another
   * source. Can be called before there is speech.
   */
  captureStream(): MediaStream {
    return this.#playback.capture() as MediaStream;
  }

  /** Audio output device; empty for the default. Exists only where the browser's AudioContext has it. */
  get sinkId(): string {
    return this.#sink.id;
  }

  /**
   * Moves this speaker to another device, with the speech that is playing. Exists only where the browser's AudioContext
   * has it.
   *
   * @param sinkId - `deviceId` of an `audiooutput` of `enumerateDevices()`; empty for the default.
   * @throws {DOMException} NotFoundError or NotAllowedError, as in HTMLMediaElement. The device then stays the same.
   */
  setSinkId(sinkId: string): Promise<void> {
    return this.#sink.choose(sinkId);
  }

  // --- the page and the device

  #mediaMetadata: MediaMetadataInit | null = null;

  /** Title, artist, album and artwork for the media session; null for the browser's default for the page. */
  get mediaMetadata(): MediaMetadataInit | null {
    return this.#mediaMetadata;
  }

  set mediaMetadata(metadata: MediaMetadataInit | null | undefined) {
    this.#mediaMetadata = objectOrNull(metadata, 'mediaMetadata');
    if (this.mediaSession) this.#updateSessions();
  }

  #updateSessions(): void {
    import('./page-sessions.js')
      .then(({ updateSessions }) => updateSessions(this))
      .catch((error: unknown) => globalThis.reportError?.(error));
  }

  // --- life cycle

  connectedCallback(): void {
    this.#sound.connected();
    upgradeProperties(this, SvcSpeakerElement.prototype);
    this.#autoplay();
    this.#preload();
  }

  disconnectedCallback(): void {
    // If the element was only moved, it is connected again by then, and continues to speak.
    queueMicrotask(() => {
      if (this.isConnected) return;
      this.close();
      this.#view.stopDrawing();
    });
  }

  attributeChangedCallback(name: string, _before: string | null, value: string | null): void {
    const concern = CONCERNS.get(name)!;
    switch (concern) {
      case 'source':
        return this.#sourceChanged(value);
      case 'words':
        this.#autoplay();
        return this.#playback.sourceChanged();
      case 'sound':
        return this.#playback.node?.update();
      case 'page':
        return this.#updateSessions();
      case 'keep-open':
        return this.#playback.keepOpenChanged();
      case 'history':
        return this.#playback.setHistory(this.history);
      case 'preload':
        return this.#preload();
      case 'look':
        return this.#autoplay();
      case null:
        return;
      default:
        return concern satisfies never;
    }
  }

  #preload(): void {
    (globalThis.requestIdleCallback ?? setTimeout)(() => {
      // If a file does not load, the first word reports it.
      if (this.preload === 'auto')
        onDemand()
          .then((module) => module.preload(this, () => this.#playback.prepare()))
          .catch(() => {});
    });
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

  /** Starts playback if the page asked for it, in a microtask, when all attributes are set. */
  #autoplay(): void {
    this.#view.draw();
    queueMicrotask(() => {
      const hasSource = this.#source.exists || this.#source.audioUrl;
      if (!this.#isAutoplaying || !this.autoplay || !this.isConnected || !hasSource) return;
      this.play().catch(() => {}); // `error` and `blocked` report it.
    });
  }

  // --- rendering

  #messages: Partial<SpeakerMessages> | null = null;

  /**
   * Labels and messages of the controls, for example those of `svc-speaker/messages/de.js`. What is missing, or null, is
   * English. A change inside the object has no effect until it is set again.
   */
  get messages(): Partial<SpeakerMessages> | null {
    return this.#messages;
  }

  set messages(messages: Partial<SpeakerMessages> | null | undefined) {
    this.#messages = messagesOf(messages);
    this.#view.draw();
  }

  /** Resolves once the controls show the current state. */
  get updateComplete(): Promise<void> {
    return this.#view.complete;
  }

  adoptedCallback(): void {
    this.#view.adopted();
    const { ownerDocument } = this;
    // A closed document does not disconnect its elements.
    const close = (): void => {
      if (this.ownerDocument === ownerDocument) this.close();
    };
    if (ownerDocument !== document) ownerDocument.defaultView?.addEventListener('pagehide', close);
  }
}

export interface SvcSpeakerElement extends ReflectedProperties, MediaMembers, SoundMembers {
  addEventListener: ListenerMethod<this, AddEventListenerOptions>;
  removeEventListener: ListenerMethod<this, EventListenerOptions>;
}
