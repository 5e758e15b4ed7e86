import { nothing, type PropertyValues, type TemplateResult } from 'lit';
import type { PlayoutNode } from '../output/index.js';
import { Playback, ReadyState, type SpeakerError, type SpeakerStats, type Utterance } from '../playback/index.js';
import type { SessionRequest, SessionResponse } from '../protocol/index.js';
import type { ControlDetails } from './control-details.js';
import { controlsBar, type ControlsState } from './controls-bar.js';
import { showStates } from './custom-states.js';
import { eventOf, type SvcSpeakerEventMap } from './events.js';
import { onDemand, playbackHost } from './playback-host.js';
import { double, upgradeProperties } from './reflect.js';
import { hasSource, type SessionProvider } from './session-sources.js';
import type { TextStream } from './read-sentences.js';
import { SpeakerAttributes } from './speaker-attributes.js';
import { SpeakerSound } from './speaker-sound.js';
import { styles } from './styles.js';

/** As in the session's messages. */
const CONTEXT_ID_MAX = 256;

/**
 * Plays streamed speech as it arrives: `<svc-speaker>`.
 *
 * A media element in every respect that makes sense for speech. The socket lives in a worker and the sound on the audio
 * thread, so that a busy page is not heard. Without `controls` it draws nothing.
 *
 * @tag svc-speaker
 * @attr {string} src - Session URL (`wss:`, or `ws:` to this machine). Setting it drops what was playing.
 * @attr {string} session-endpoint - URL on the page's own backend that answers a POST with a session.
 * @attr {string} session-request - JSON: what is posted to `session-endpoint`.
 * @attr {string} text - What `play()` speaks.
 * @attr {boolean} autoplay - Play as soon as there is a source.
 * @attr {boolean} controls - Show play/pause, what is heard as a waveform, status, time, volume and the words.
 * @attr {boolean} muted - Muted at first.
 * @attr {'adaptive' | 'fixed' | 'low-delay'} [jitter-buffer=adaptive] - Whether delay and pace follow the network.
 * @attr {number} [jitter-buffer-target=120] - Speech held before playback starts, 0 to 4000 ms; 60 if low-delay.
 * @attr {'fine' | 'eco'} [resampler=fine] - How speech gets to the rate of the device: `eco` takes half the work.
 * @attr {'auto' | 'shared' | 'message'} [transport=auto] - How samples get to the audio thread.
 * @attr {'auto' | 'native' | 'standardized'} [audio-backend=auto] - Which implementation of Web Audio is used.
 * @attr {string} worklet-url - The page's copy of the worklet file; one for each audio context, the first that is named.
 * @attr {string} worker-url - The page's copy of the worker file.
 * @attr {boolean} keep-open - Keep the socket open after the last word. It is paid for while it is open.
 *
 * @fires {Event} emptied - Back in the empty state.
 * @fires {Event} loadstart - There is something to load.
 * @fires {Event} durationchange - `duration` has changed.
 * @fires {Event} loadedmetadata - The socket is open, and the rate of the speech is known.
 * @fires {Event} canplay - The first speech is there.
 * @fires {Event} play - `paused` is false.
 * @fires {Event} playing - Sound is leaving.
 * @fires {Event} waiting - Nothing to play, and more is to come. `readyState` is below 3.
 * @fires {Event} pause - `paused` is true.
 * @fires {Event} timeupdate - `currentTime` has gone on; about four times a second.
 * @fires {Event} progress - Speech is arriving.
 * @fires {Event} seeking - `play()` after the end has begun again.
 * @fires {Event} seeked - And `currentTime` is 0. There is no other seeking.
 * @fires {Event} ended - The last sample has been heard.
 * @fires {Event} error - `error` says what happened.
 * @fires {Event} volumechange - `volume` or `muted` has changed.
 * @fires {Event} ratechange - `playbackRate` or `defaultPlaybackRate` has changed.
 * @fires {Event} blocked - The browser plays no sound before a gesture of the user.
 * @fires {UtteranceEvent} utterancestart - The first sample of an utterance is heard.
 * @fires {UtteranceEvent} utteranceend - The last sample of an utterance has been heard.
 * @fires {ContextDoneEvent} contextdone - The service says that a context is finished.
 * @fires {UnderrunEvent} underrun - The buffer ran dry, and speech is back; short ones are made up for.
 * @fires {SocketCloseEvent} socketclose - The socket is closed.
 *
 * @slot play-label - Label of the button when it plays.
 * @slot pause-label - Label of the button when it pauses.
 * @slot retry-label - Label of the button after an error.
 * @slot volume-label - Label of the volume slider.
 * @slot ready-status - Status when there is nothing to do.
 * @slot connecting-status - Status while a session is asked for.
 * @slot buffering-status - Status while speech is awaited.
 * @slot speaking-status - Status while sound leaves.
 * @slot paused-status - Status while paused.
 * @slot blocked-status - Status while the browser wants a gesture.
 * @slot error-status - Status after an error.
 * @slot error - What is shown instead of the message of an error: it is written for developers.
 * @slot caption - What is shown instead of the words that are spoken, for example in another language.
 *
 * @csspart controls - All of the controls.
 * @csspart toggle - The play/pause button.
 * @csspart meter - The waveform: what is heard, what was, and how much has come. Only to look at.
 * @csspart status - The line of text.
 * @csspart time - The time that has been heard, and the duration where it is known.
 * @csspart loudness - The volume slider with its icon.
 * @csspart volume - The volume slider.
 * @csspart caption - The words that are spoken; those of `text` before.
 * @csspart error - What went wrong, in the place of the words.
 * @cssprop --svc-speaker-accent - Colour of button, waveform and slider.
 * @cssprop --svc-speaker-on-accent - Colour of the button's icon.
 * @cssprop --svc-speaker-surface - Background of the bar.
 * @cssprop --svc-speaker-text - Colour of the text.
 * @cssprop --svc-speaker-muted - Colour of status and time.
 * @cssprop --svc-speaker-wave - Colour of the waveform, if it is not the accent.
 * @cssprop --svc-speaker-buffered - Colour of what has come and is not heard yet.
 * @cssprop --svc-speaker-track - Colour of what is empty, in waveform and slider.
 * @cssprop --svc-speaker-error - Colour of an error.
 * @cssprop --svc-speaker-caption-lines - Lines of words that have room; 2 by default, 0 for none.
 * @cssprop --svc-speaker-radius - Radius of the bar's corners.
 * @cssprop --svc-speaker-font - Font family.
 * @cssState playing - Sound is leaving.
 * @cssState buffering - Speech is awaited.
 * @cssState blocked - The browser wants a gesture.
 * @cssState error - `error` is set.
 */
export class SvcSpeakerElement extends SpeakerSound {
  static override styles = styles;

  static override get observedAttributes(): string[] {
    return [...super.observedAttributes, 'src', 'session-endpoint', 'text', 'autoplay', 'controls', 'keep-open'];
  }

  readonly #internals = this.attachInternals?.();
  readonly #playback: Playback;
  /** What the controls have beside their button, and that it is being loaded. */
  #details: ControlDetails | undefined;
  #detailsReady: Promise<void> | undefined;
  #session: SessionResponse | null = null;
  /** In ms since the epoch. @internal */
  sessionSetAt = 0;
  #sessionProvider: SessionProvider | null = null;
  #sessionRequest: SessionRequest | null = null;
  #sinkId = '';
  /** HTML's flag: nothing has been asked of the element yet, so that `autoplay` may start it. */
  #autoplaying = true;

  constructor() {
    super();
    this.#playback = new Playback(
      playbackHost(
        this,
        () => this.playoutSettings,
        (event) => {
          showStates(this.#internals, this.#playback.state);
          this.requestUpdate();
          this.dispatchEvent(eventOf(event));
        },
      ),
    );
  }

  // --- where the session comes from

  /** Answer of a session call (interface-spec 2.2). Setting it sets `src`. */
  get session(): SessionResponse | null {
    return this.#session;
  }

  set session(session: SessionResponse | null) {
    if (session !== null && typeof session !== 'object') {
      throw new TypeError(`session must be the answer of a session call or null, not ${typeof session}`);
    }
    this.#session = session;
    this.sessionSetAt = Date.now();
    if (session === null) this.removeAttribute('src');
    else this.setAttribute('src', String(session.url));
  }

  /** Called each time a socket is needed. */
  get sessionProvider(): SessionProvider | null {
    return this.#sessionProvider;
  }

  set sessionProvider(provider: SessionProvider | null) {
    if (provider !== null && typeof provider !== 'function') {
      throw new TypeError(`sessionProvider must be a function or null, not ${typeof provider}`);
    }
    this.#sessionProvider = provider;
    this.#autoplay();
  }

  /** Body of that POST (interface-spec 2.1). An object that was set goes before the attribute. */
  get sessionRequest(): SessionRequest | null {
    if (this.#sessionRequest) return this.#sessionRequest;
    const json = this.getAttribute('session-request');
    if (json === null) return null;
    try {
      return JSON.parse(json) as SessionRequest;
    } catch {
      console.warn(`<svc-speaker>: session-request is not JSON: ${json}`);
      return null;
    }
  }

  set sessionRequest(request: SessionRequest | null) {
    if (typeof request !== 'object')
      throw new TypeError(`sessionRequest must be an object or null, not ${typeof request}`);
    this.#sessionRequest = request;
  }

  // --- speaking

  /**
   * Speaks `text` after what is being spoken. Plays unless the user has paused.
   *
   * @param text - Or a stream of it, as a language model writes it: each sentence is spoken as soon as it is complete.
   * @param options - `contextId` names the context on the socket. `signal` cancels the utterance, and its stream.
   * @throws {TypeError} If `text` is neither, or `contextId` none of 1 to 256 characters.
   * @throws {DOMException} InvalidStateError if there is no source of sessions; the signal's reason if it is aborted.
   */
  speak(text: string | TextStream, options: { contextId?: string; signal?: AbortSignal } = {}): Utterance {
    const known = typeof text === 'string' || Symbol.asyncIterator in Object(text) || 'getReader' in Object(text);
    if (!known) throw new TypeError(`speak() takes a string or a stream of them, not ${typeof text}`);
    const { contextId, signal } = options;
    if (contextId !== undefined && !(contextId.length > 0 && contextId.length <= CONTEXT_ID_MAX)) {
      throw new TypeError(`contextId must be a string of 1 to ${CONTEXT_ID_MAX} characters, not ${contextId}`);
    }
    signal?.throwIfAborted();
    this.#autoplaying = false;
    const utterance = this.#playback.speak(text, contextId);
    if (signal) {
      const cancel = (): void => utterance.cancel();
      signal.addEventListener('abort', cancel);
      void utterance.finished.catch(() => {}).then(() => signal.removeEventListener('abort', cancel));
    }
    return utterance;
  }

  /** Silence at once: everything that is spoken or waits is dropped. Closes the socket unless `keep-open`. */
  cancel(): void {
    this.#playback.cancel();
  }

  /**
   * Resolves when sound is leaving.
   *
   * Rejects with NotAllowedError if the browser wants a gesture, AbortError if it was interrupted, NotSupportedError if
   * nothing can be played (`error` says why), InvalidStateError without a source of sessions.
   */
  play(): Promise<void> {
    this.#autoplaying = false;
    return this.#playback.play();
  }

  /** Holds the sound. Nothing is lost: `play()` goes on from the same sample. */
  pause(): void {
    this.#autoplaying = false;
    this.#playback.pause();
  }

  /** Drops everything, closes the socket, and goes back to the empty state. */
  close(): void {
    this.#playback.close();
  }

  // --- media state

  /** As in HTML: nothing is to be heard until `play()`. */
  get paused(): boolean {
    return this.#playback.state.paused;
  }

  /** As in HTML: the last sample has been heard, and nothing waits. */
  get ended(): boolean {
    return this.#playback.state.ended;
  }

  /** The browser plays no sound before a gesture of the user. */
  get blocked(): boolean {
    return this.#playback.state.blocked;
  }

  /** Seconds of speech that have been heard. Setting it does what HTML does where nothing is `seekable`: nothing. */
  get currentTime(): number {
    return this.#playback.currentTime;
  }

  set currentTime(seconds: number) {
    double(seconds, 'currentTime');
  }

  /** Seconds; `Infinity` while more may come, NaN before anything is known. */
  get duration(): number {
    return this.#playback.duration;
  }

  /** Speech that has arrived: one range from 0, though what was heard is gone. */
  get buffered(): TimeRanges {
    return this.#playback.buffered;
  }

  /** Speech that has been heard. */
  get played(): TimeRanges {
    return this.#playback.played;
  }

  /** Always empty. */
  get seekable(): TimeRanges {
    return this.#playback.seekable;
  }

  /** As in HTML, `HAVE_NOTHING` (0) to `HAVE_ENOUGH_DATA` (4). */
  get readyState(): number {
    return this.#playback.state.readyState;
  }

  /** As in HTML, `NETWORK_EMPTY` (0) to `NETWORK_NO_SOURCE` (3). */
  get networkState(): number {
    return this.#playback.state.networkState;
  }

  /** What went wrong; null again after the next `play()` or `speak()`. */
  get error(): SpeakerError | null {
    return this.#playback.state.error;
  }

  /**
   * Everything that is heard of this speaker leaves by this node, for a graph of the page's own: an analyser, an effect.
   * It belongs to `audioBackend`'s context. Another one for speech of another rate, and null before there is any, so ask
   * for it at `playing`.
   *
   * Make what it is connected to by its own context, `node.context.createAnalyser()`: with the `standardized` backend it
   * is a node of that library, which `new AnalyserNode(…)` and other native nodes do not take. It is connected to the
   * context's destination already, which is right for an analyser beside it; an effect, which is to be heard instead,
   * needs `node.disconnect()` first.
   */
  get outputNode(): AudioNode | null {
    return (this.#playback.line as PlayoutNode | undefined)?.outputNode ?? null;
  }

  /**
   * What is heard of this speaker, as a stream with one track, which ends when the speaker is closed or given another
   * source. It may be asked for before there is speech.
   */
  captureStream(): MediaStream {
    return this.#playback.capture() as MediaStream;
  }

  /** Device that this speaker is heard from; empty for the default. Only where the browser's AudioContext has it. */
  get sinkId(): string {
    return this.#sinkId;
  }

  /**
   * Has this speaker heard from another device; what is being spoken goes on there. Only where the browser's AudioContext
   * has it.
   *
   * @param sinkId - `deviceId` of an `audiooutput` of `enumerateDevices()`; empty for the default.
   * @throws {DOMException} As that of HTMLMediaElement: NotFoundError, NotAllowedError. The device stays what it was.
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

  static {
    if (!('setSinkId' in Object(globalThis.AudioContext?.prototype))) {
      for (const name of ['sinkId', 'setSinkId']) Reflect.deleteProperty(this.prototype, name);
    }
  }

  /** What has been counted since the element was last emptied. */
  getStats(): SpeakerStats {
    return this.#playback.stats();
  }

  // --- life

  override connectedCallback(): void {
    super.connectedCallback();
    upgradeProperties(this, SvcSpeakerElement.prototype, SpeakerSound.prototype, SpeakerAttributes.prototype);
    this.#autoplay();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    // Moved within the same task it is connected again by then, and goes on speaking.
    queueMicrotask(() => {
      if (!this.isConnected) this.#playback.close();
    });
  }

  override attributeChangedCallback(name: string, before: string | null, value: string | null): void {
    super.attributeChangedCallback(name, before, value);
    this.requestUpdate();
    switch (name) {
      case 'src':
        this.#sourceChanged(value);
        break;
      case 'keep-open':
        this.#playback.setKeepOpen(this.keepOpen);
        break;
      case 'session-endpoint':
      case 'text':
      case 'autoplay':
        this.#autoplay();
        break;
    }
  }

  #sourceChanged(src: string | null): void {
    if (this.#session && src !== String(this.#session.url)) this.#session = null;
    this.#autoplaying = true;
    this.#playback.close();
    if (src !== null) {
      this.playbackRate = this.defaultPlaybackRate;
      this.#playback.load();
    }
    this.#autoplay();
  }

  /** Starts by itself if the page asked for it. Waits for the task's end, when all attributes are there. */
  #autoplay(): void {
    queueMicrotask(() => {
      if (!this.#autoplaying || !this.autoplay || !this.isConnected || !hasSource(this)) return;
      void this.play().catch(() => {});
    });
  }

  protected override soundChanged(): void {
    this.#playback.line?.update();
  }

  protected override outputChanged(): void {
    this.#playback.outputChanged();
  }

  // --- looks

  protected override createRenderRoot(): HTMLElement | DocumentFragment {
    // Lit's style sheet is none of another document, which has come with `adoptedCallback`.
    return this.ownerDocument === document ? super.createRenderRoot() : this.attachShadow({ mode: 'open' });
  }

  async adoptedCallback(): Promise<void> {
    this.#details?.close();
    await (await onDemand()).moveIn(this, styles.cssText);
    this.#details?.dress();
  }

  get #controlsState(): ControlsState {
    const { blocked, sounding, paused, readyState, error } = this.#playback.state;
    if (sounding) return 'speaking';
    if (blocked) return 'blocked';
    if (!paused) return readyState === ReadyState.nothing ? 'connecting' : 'buffering';
    if (this.#playback.hasSpeech) return 'paused';
    return error ? 'error' : 'ready';
  }

  protected override render(): TemplateResult | typeof nothing {
    if (!this.controls) return nothing;
    // Without its file, as when the site has been renewed, the button works.
    this.#detailsReady ??= this.#loadDetails().catch(reportError);
    const state = this.#controlsState;
    return controlsBar(state, () => this.#toggle(), this.#details?.render(state, this.#playback.head));
  }

  async #loadDetails(): Promise<void> {
    const { ControlDetails } = await import('./control-details.js');
    this.#details = new ControlDetails(this);
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    this.#details?.updated();
  }

  /** Resolves with what `updateComplete` promises: the controls, too, are there. */
  protected override async getUpdateComplete(): Promise<boolean> {
    await super.getUpdateComplete();
    await this.#detailsReady;
    return super.getUpdateComplete();
  }

  #toggle(): void {
    if (this.paused) void this.play().catch(() => {});
    else this.pause();
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
