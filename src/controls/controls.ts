import { html, nothing, render, svg, type TemplateResult } from 'lit';
import type { SpeakerMessages } from '../messages/speaker-messages.js';
import type { SpeakerError, SpeakerState, SpokenWord, Utterance } from '../playback/index.js';
import { ICONS, icon, label } from './buttons.js';
import { Caption } from './caption.js';
import { errorMessage } from './error-message.js';
import { ProgressBar, type SeekableSpeaker } from './progress-bar.js';
import { saveSpeech } from './save-speech.js';
import { isKnownSilent, sourceOf, type SpeechSource } from './speech-source.js';
import { speedMenu } from './speed-menu.js';
import { styles } from './styles.js';
import { ENGLISH, STATES, Texts } from './texts.js';
import { Waveform } from './waveform.js';

const loudness = svg`<path class="line" d="M14.5 8.8a4.6 4.6 0 0 1 0 6.4M17 6.3a8 8 0 0 1 0 11.4"/>`;
const silence = svg`<path class="line" d="M15 9.5l5 5m0-5l-5 5"/>`;

/** The members of a speaker that the controls show and set. */
export interface ControlledSpeaker extends SpeechSource, SeekableSpeaker {
  readonly state: SpeakerState;
  readonly currentWord: SpokenWord | null;
  readonly paused: boolean;
  readonly error: SpeakerError | null;
  readonly messages: Partial<SpeakerMessages> | null;
  readonly buffered: TimeRanges;
  readonly played: TimeRanges;
  readonly controlsList: DOMTokenList;
  readonly ownerDocument: Document;
  readonly outputNode: AudioNode | null;
  playbackRate: number;
  volume: number;
  muted: boolean;
  play(): Promise<void>;
  pause(): void;
  toBlob(): Promise<Blob>;
  toVTT(): Promise<string>;
}

/** The utterance that is playing or is next. */
interface Spoken {
  readonly utterance: Utterance;
  /** Length of the audio; null while more may arrive. */
  readonly seconds: number | null;
}

/** The facts about playback that only the controls need. */
export interface ControlledPlayback {
  readonly head: Spoken | undefined;
  /** True if `play()` would replay the kept speech without a session. */
  readonly replays: boolean;
}

/**
 * The controls of one speaker: button, waveform, status, time, volume, progress, speed, downloads, caption and error.
 *
 * Loaded when a speaker first has `controls`. Main thread.
 *
 * @slot play-label - Label of the button when it plays.
 * @slot pause-label - Label of the button when it pauses.
 * @slot retry-label - Label of the button after an error.
 * @slot replay-label - Label of the button when it replays speech that has been heard.
 * @slot volume-label - Label of the volume slider.
 * @slot progress-label - Label of the progress bar.
 * @slot progress-value - Value of the progress bar for assistive technology, with `{time}` and `{duration}`, which are
 *   digits: `0:05`.
 * @slot speed-label - Label of the speed menu.
 * @slot download-label - Label of the download button.
 * @slot download-captions-label - Label of the button that saves captions.
 * @slot ready-status - Status when there is nothing to play.
 * @slot connecting-status - Status while a session is requested.
 * @slot buffering-status - Status while waiting for speech.
 * @slot speaking-status - Status while sound is playing.
 * @slot paused-status - Status while paused.
 * @slot blocked-status - Status while the browser requires a gesture.
 * @slot error-status - Status after an error.
 * @slot interrupted-status - Status after an error in the middle of speech; by default that of `error-status`, if it is
 *   set.
 * @slot silent-status - Status when `play()` has nothing to say; by default that of `ready-status`, if it is set.
 * @slot error - Replaces the sentence about an error.
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
 * @csspart download-captions - The button that saves the words as captions; only with words.
 * @csspart caption - The words that are spoken; before that, `text`.
 * @csspart error - The error, in place of the words.
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
 */
export class Controls {
  readonly #speaker: ControlledSpeaker;
  /** Style sheet of the controls; the element adopts it. */
  readonly styles = styles;
  readonly #root: ShadowRoot;
  readonly #playback: ControlledPlayback;
  readonly #progress: ProgressBar;
  #texts = ENGLISH;
  #waveform: Waveform | undefined;
  #spoken: Spoken | undefined;
  readonly #caption: Caption;
  /** True once the first sample of the latest utterance has been heard. */
  #isHeard = false;
  /** The source for which `play()` has reported that there is nothing to say. */
  #silentSource: readonly unknown[] | undefined;
  /** True if the latest download has failed. */
  #isUnsaved = false;
  /** The current error, if it was written to the console. */
  #logged: SpeakerError | null = null;

  constructor(speaker: ControlledSpeaker, root: ShadowRoot, playback: ControlledPlayback) {
    this.#speaker = speaker;
    this.#root = root;
    this.#playback = playback;
    this.#caption = new Caption(speaker, root);
    this.#progress = new ProgressBar(speaker, () => this.draw(true));
  }

  /** Draws the current state. @param isShown - False removes the controls. */
  draw(isShown: boolean): void {
    render(isShown ? this.#template() : nothing, this.#root);
    if (isShown) this.#update();
    else this.stopDrawing();
  }

  /** Ends the waveform. The next `draw` creates another one, in the document that then contains the element. */
  stopDrawing(): void {
    this.#waveform?.close();
    this.#waveform = undefined;
    this.#caption.unmark();
  }

  /** Writes an error to the console once, because the sentence that the user sees does not help a developer. */
  #log(error: SpeakerError | null): void {
    if (error && error !== this.#logged) console.error(error);
    this.#logged = error;
  }

  #template(): TemplateResult {
    const { duration, error, messages, paused, state, text } = this.#speaker;
    if (this.#texts.messages !== messages) this.#texts = messages ? new Texts(messages) : ENGLISH;
    const texts = this.#texts;
    const lang = texts.get('lang');
    this.#log(error);
    const spoken = this.#playback.head;
    const volume = this.#volume;
    const name = STATES[state];
    const startAction = state === 'error' ? 'retry' : this.#playback.replays ? 'replay' : 'play';
    const action = paused ? startAction : 'pause';
    const isSilent = this.#isSilent;
    if (spoken && spoken.utterance !== this.#spoken?.utterance) this.#begin(spoken.utterance);
    this.#spoken = spoken;
    if (spoken) this.#caption.words = spoken.utterance.text;
    else if (Number.isNaN(duration)) this.#caption.words = '';
    const problem = this.#problem;
    // Between utterances, the caption shows the text that `play()` would speak, or else the latest one.
    const words = spoken ? this.#caption.words : text || this.#caption.words;
    return html`<div part="controls" class=${name}>
      <button
        part="toggle"
        type="button"
        lang=${lang}
        aria-disabled=${isSilent ? 'true' : nothing}
        aria-describedby=${isSilent ? 'status' : nothing}
        @click=${this.#toggle}
      >
        ${icon(ICONS[action])} ${label(action, texts.get(`${action}Label`))}
      </button>
      <div class="middle" lang=${lang}>
        <div class="top">
          <div part="meter" aria-hidden="true"><canvas></canvas></div>
          <label part="loudness">
            ${label('volume', texts.get('volumeLabel'))}
            <svg viewBox="0 0 24 24" aria-hidden="true">
              <path d="M4.5 9.8v4.4h2.4l3.6 3.1V6.7L6.9 9.8z" />
              ${volume > 0 ? loudness : silence}
            </svg>
            <input
              part="volume"
              type="range"
              min="0"
              max="1"
              step="0.05"
              aria-valuetext=${texts.percent(volume)}
              @input=${this.#onVolume}
            />
          </label>
        </div>
        <div class="below">
          <span part="status" id="status">${this.#status(name, isSilent)}</span>
          ${this.#time()}
        </div>
      </div>
      <div part="tools" lang=${lang}>${this.#progress.template(texts)} ${this.#speed()} ${this.#download(words)}</div>
      ${problem ? this.#error(problem) : nothing}
      <div part="caption" ?hidden=${problem || !(words || this.#caption.isReplaced)}>
        <slot name="caption" @slotchange=${() => this.draw(true)}>${words}</slot>
      </div>
    </div>`;
  }

  /** In a special case, the slot of the state is nested in the slot of the case. A page may fill either one. */
  #status(name: (typeof STATES)[SpeakerState], isSilent: boolean): TemplateResult {
    const special = isSilent ? 'silent' : name === 'error' && this.#isHeard ? 'interrupted' : undefined;
    const state = html`<slot name="${name}-status">${this.#texts.get(`${special ?? name}Status`)}</slot>`;
    return special ? html`<slot name="${special}-status">${state}</slot>` : state;
  }

  /** Name of the message about the error, or about a download that has failed. */
  get #problem(): keyof SpeakerMessages | undefined {
    const { error, state } = this.#speaker;
    if (error && state === 'error') return errorMessage(error, this.#isHeard);
    return this.#isUnsaved ? 'loadError' : undefined;
  }

  #error(name: keyof SpeakerMessages): TemplateResult {
    const message = this.#texts.get(name);
    return html`<p part="error" role="alert" lang=${this.#texts.get('lang')}><slot name="error">${message}</slot></p>`;
  }

  /** Starts to follow another utterance, which is playing or is next. */
  #begin(utterance: Utterance): void {
    this.#isHeard = false;
    this.#isUnsaved = false;
    utterance.started.then(
      () => (this.#isHeard ||= this.#spoken?.utterance === utterance),
      () => {}, // It was not heard.
    );
  }

  /** True if `play()` has nothing to say, so the button does nothing. */
  get #isSilent(): boolean {
    const { state, hasSpeech } = this.#speaker;
    const isOver = state === 'idle' || state === 'ended';
    if (!isOver || hasSpeech) this.#silentSource = undefined;
    if (!isOver || this.#playback.replays) return false;
    const now = this.#silentSource && sourceOf(this.#speaker);
    return isKnownSilent(this.#speaker) || this.#silentSource?.every((value, index) => value === now![index]) === true;
  }

  readonly #toggle = (): void => {
    if (!this.#speaker.paused) this.#speaker.pause();
    else if (!this.#isSilent) this.#speaker.play().catch(this.#playRejected);
  };

  /** Disables the button if there was nothing to say. The states `error` and `blocked` show the other rejections. */
  readonly #playRejected = ({ name }: Error): void => {
    if (name !== 'InvalidStateError') return;
    this.#silentSource = sourceOf(this.#speaker);
    this.draw(true);
  };

  /** Updates the parts that are not in the template. */
  #update(): void {
    const { currentTime, buffered, playbackRate, outputNode } = this.#speaker;
    const canvas = this.#root.querySelector('canvas')!;
    // Not in the template: the user may have changed them since it was rendered.
    const slider = this.#root.querySelector<HTMLInputElement>('[part=volume]')!;
    slider.value = String(this.#volume);
    slider.style.setProperty('--_value', String(this.#volume));
    const speed = this.#root.querySelector('select');
    if (speed) speed.value = String(playbackRate);
    this.#progress.update(this.#root, this.#texts);

    if (this.#waveform?.canvas !== canvas) {
      this.#waveform?.close();
      this.#waveform = Waveform.on(canvas);
    }
    const source = this.#speaker.state === 'playing' ? outputNode : null;
    this.#waveform?.show({ source, currentTime, bufferedEnd: buffered.length && buffered.end(0), playbackRate });
    this.#caption.update(this.#spoken?.utterance);
  }

  #time(): TemplateResult | typeof nothing {
    const { currentTime, duration } = this.#speaker;
    const { time } = this.#progress;
    if (Number.isNaN(duration) || (this.#speaker.state === 'error' && !(currentTime > 0))) return nothing;
    const end = Number.isFinite(duration) ? html`<span> / ${this.#texts.clock(duration)}</span>` : nothing;
    return html`<span part="time"><span>${this.#texts.clock(time)}</span>${end}</span>`;
  }

  #speed(): TemplateResult | typeof nothing {
    const isShown = !this.#speaker.controlsList.contains('noplaybackrate');
    return isShown ? speedMenu(this.#speaker, this.#texts) : nothing;
  }

  #download(words: string): TemplateResult | typeof nothing {
    const { controlsList, played, seekable } = this.#speaker;
    if (controlsList.contains('nodownload')) return nothing;
    const isEmpty = played.length === 0 || seekable.length === 0;
    const captions = html`<button
      part="download-captions"
      type="button"
      ?disabled=${isEmpty}
      @click=${() => this.#save('vtt', words)}
    >
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <path class="line" d="M4.5 6h15v12h-15zM10.5 10.5a2 2 0 1 0 0 3m6-3a2 2 0 1 0 0 3" />
      </svg>
      ${label('download-captions', this.#texts.get('downloadCaptionsLabel'))}
    </button>`;
    return html`<button part="download" type="button" ?disabled=${isEmpty} @click=${() => this.#save('wav', words)}>
        <svg viewBox="0 0 24 24" aria-hidden="true"><path class="line" d="M12 5v9m-4-3.5 4 4 4-4M5.5 18.5h13" /></svg>
        ${label('download', this.#texts.get('downloadLabel'))}
      </button>
      ${words ? captions : nothing}`;
  }

  /** @param words - Words for the name of the file. */
  #save(kind: 'wav' | 'vtt', words: string): void {
    this.#isUnsaved = false;
    this.draw(true);
    saveSpeech(this.#speaker, kind, words, this.#texts.get('fileName')).catch((error: Error) => {
      // If nothing is kept any more, the button is disabled now.
      this.#isUnsaved = error.name !== 'InvalidStateError';
      if (this.#isUnsaved) console.error(error);
      // The controls may be gone by now.
      if (this.#root.querySelector('[part=download]')) this.draw(true);
    });
  }

  get #volume(): number {
    return this.#speaker.muted ? 0 : this.#speaker.volume;
  }

  readonly #onVolume = ({ currentTarget }: Event): void => {
    this.#speaker.muted = false;
    this.#speaker.volume = (currentTarget as HTMLInputElement).valueAsNumber;
  };
}
