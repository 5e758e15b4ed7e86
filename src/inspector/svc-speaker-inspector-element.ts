import { html, LitElement, nothing, svg, type TemplateResult } from 'lit';
import type { SvcSpeakerElement } from '../index.js';
import { frameToEar, type LatencyTerms, longestWait, untilSound } from './latency.js';
import { latencyBar, milliseconds } from './latency-bars.js';
import { PlotGestures, ZOOM_STEP } from './plot-gestures.js';
import { SpeakerRecorder } from './recorder.js';
import { parseRecording, type SpeakerRecording, stringifyRecording } from './recording.js';
import { ShownRecording } from './shown-recording.js';
import { styles } from './styles.js';
import { spokenFigures, trackHead } from './track-heads.js';
import { drawTrack, type TrackColors, type TrackName } from './tracks.js';

/** Figures change at most so often; a picture, for those who asked for less motion. In milliseconds. */
const FIGURES_MS = 100;
const CALM_MS = 500;

/** So much more than twice the target is held because the service is ahead, not because the network was late. */
const AHEAD_SECONDS = 0.5;

const tracks: readonly TrackName[] = ['buffer', 'arrivals', 'pace', 'heard', 'events', 'time'];

const icons = {
  pause: svg`<path d="M6 4v8M10 4v8"/>`,
  live: svg`<path d="M5.5 3.8v8.4L12 8z"/>`,
  out: svg`<path d="M4 8h8"/>`,
  in: svg`<path d="M4 8h8M8 4v8"/>`,
  save: svg`<path d="M8 2.5v7M5 7l3 3 3-3M3 13h10"/>`,
  load: svg`<path d="M8 10V3M5 5.5l3-3 3 3M3 13h10"/>`,
};

/**
 * Shows what a speaker did and does: what came, what was held, how it was played, what had to be made up, and how long
 * the way from a frame to the ear is. What it has recorded can be saved, sent, and looked at elsewhere.
 *
 * It records from when it finds its speaker, seen or not, for as long as it is in the page; the last ten minutes in which
 * something happened are kept. Nothing runs while nothing happens.
 *
 * Keys: left and right move the cursor (with Shift, far), Home and End to the ends, Page Up and Page Down to the underrun
 * before and behind, + and - zoom, Escape puts the cursor away. Zooms with the wheel too, when it has the focus or with
 * Ctrl.
 *
 * @tag svc-speaker-inspector
 * @attr {string} for - `id` of the speaker, in the same document or shadow tree.
 *
 * @csspart inspector - All of it.
 * @csspart toolbar - The buttons.
 * @csspart plots - The pictures.
 * @csspart latency - The bars of delays.
 * @csspart error - Why a file could not be read.
 * @cssprop --svc-speaker-inspector-line - Colour of lines behind the pictures.
 * @cssprop --svc-speaker-inspector-target - Colour of the target, and of the output's delay.
 * @cssprop --svc-speaker-inspector-arrivals - Colour of arrivals.
 * @cssprop --svc-speaker-inspector-pace - Colour of the pace.
 * @cssprop --svc-speaker-inspector-concealed - Colour of what was made up.
 * @cssprop --svc-speaker-accent - Colour of the buffer, as of the speaker's controls; so are the next.
 * @cssprop --svc-speaker-surface - Background.
 * @cssprop --svc-speaker-text - Colour of the text.
 * @cssprop --svc-speaker-muted - Colour of lesser text.
 * @cssprop --svc-speaker-error - Colour of underruns.
 * @cssprop --svc-speaker-radius - Radius of the corners.
 * @cssprop --svc-speaker-font - Font family.
 */
export class SvcSpeakerInspectorElement extends LitElement {
  static override styles = styles;

  static override get observedAttributes(): string[] {
    return [...super.observedAttributes, 'for'];
  }

  #speaker: SvcSpeakerElement | null = null;
  #unsubscribe: (() => void) | null = null;
  readonly #shown = new ShownRecording();
  readonly #gestures = new PlotGestures(this.#shown, () => this.#show());
  #error = '';
  #frame = 0;
  #drawnMs = 0;
  #figuresMs = 0;
  #search: MutationObserver | undefined;
  #resize: ResizeObserver | undefined;
  #calm: MediaQueryList | undefined;

  /** `id` of the speaker. */
  get htmlFor(): string {
    return this.getAttribute('for') ?? '';
  }

  set htmlFor(id: string) {
    this.setAttribute('for', id);
  }

  /** The speaker that is looked at; null while there is none. Setting it goes before `for`. */
  get speaker(): SvcSpeakerElement | null {
    return this.#speaker;
  }

  set speaker(speaker: SvcSpeakerElement | null) {
    this.#stopSearch();
    this.#watch(speaker);
  }

  /** A recording that was imported, else all that has been recorded so far; null without a speaker. */
  get recording(): SpeakerRecording | null {
    return this.#shown.imported?.recording ?? this.#shown.recorder?.recording() ?? null;
  }

  /** True while the pictures move with the present. */
  get following(): boolean {
    return this.#shown.following;
  }

  /** Holds the pictures. It is recorded all the same. */
  pause(): void {
    this.#shown.hold();
    this.#show();
  }

  /** Moves with the present again; puts an imported recording away. */
  follow(): void {
    this.#shown.follow();
    this.#show();
  }

  /** Forgets what was recorded. */
  clear(): void {
    this.#shown.recorder?.clear();
    this.follow();
  }

  /** `recording` as the text of a file. @throws {DOMException} InvalidStateError without a speaker or recording. */
  exportRecording(): string {
    const { recording } = this;
    if (!recording) throw new DOMException('There is no speaker, so nothing was recorded', 'InvalidStateError');
    return stringifyRecording(recording);
  }

  /**
   * Shows what `exportRecording()` wrote, here or elsewhere, all of it at once.
   *
   * @param name - Of the file, to be shown.
   * @throws {TypeError} If it is no recording; the message says what is wrong. What was shown stays.
   */
  importRecording(text: string, name = 'a file'): void {
    this.#shown.imported = { name, recording: parseRecording(text) };
    this.#shown.cursorSeconds = null;
    this.#shown.showAll();
    this.#error = '';
    this.#show();
  }

  // --- life

  override connectedCallback(): void {
    super.connectedCallback();
    this.#calm ??= matchMedia('(prefers-reduced-motion: reduce)');
    if (this.#speaker) this.#watch(this.#speaker);
    else this.#find();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#stopSearch();
    this.#unsubscribe?.();
    this.#unsubscribe = null;
    this.#resize?.disconnect();
    this.#resize = undefined;
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
  }

  override attributeChangedCallback(name: string, before: string | null, value: string | null): void {
    super.attributeChangedCallback(name, before, value);
    // Of an attribute of the markup it is told before it is connected; then it has not looked for anything yet.
    if (name !== 'for' || before === value || !this.isConnected || !this.#calm) return;
    this.#watch(null);
    this.#find();
  }

  /** Finds its speaker, now or when it comes. */
  #find(): void {
    this.#stopSearch();
    const root = this.getRootNode() as Document | ShadowRoot;
    const look = (): boolean => {
      const found = this.htmlFor ? root.getElementById(this.htmlFor) : null;
      // Before its class is there, it has no statistics.
      if (!found || !('getStats' in found)) return false;
      this.#stopSearch();
      this.#watch(found as SvcSpeakerElement);
      return true;
    };
    if (look()) return;
    const search = new MutationObserver(look);
    search.observe(root, { subtree: true, childList: true, attributeFilter: ['id'] });
    this.#search = search;
    // A definition mutates nothing.
    void customElements.whenDefined('svc-speaker').then(() => this.#search === search && look());
  }

  #stopSearch(): void {
    this.#search?.disconnect();
    this.#search = undefined;
  }

  #watch(speaker: SvcSpeakerElement | null): void {
    this.#unsubscribe?.();
    this.#unsubscribe = null;
    this.#speaker = speaker;
    const recorder = speaker && SpeakerRecorder.of(speaker);
    this.#shown.recorder = recorder;
    if (recorder && this.isConnected) this.#unsubscribe = recorder.subscribe(() => this.#schedule());
    this.#show();
  }

  protected override firstUpdated(): void {
    this.#observeSize();
  }

  protected override updated(): void {
    if (!this.#resize && this.isConnected) this.#observeSize();
  }

  #observeSize(): void {
    this.#resize = new ResizeObserver(() => this.#draw());
    this.#resize.observe(this.#plots);
  }

  // --- what is shown

  get #plots(): HTMLElement {
    return this.renderRoot.querySelector<HTMLElement>('[part=plots]')!;
  }

  #show(): void {
    this.requestUpdate();
    this.#schedule();
  }

  #zoom(factor: number): void {
    this.#shown.zoom(factor);
    this.#show();
  }

  #showAll(): void {
    this.#shown.showAll();
    this.#show();
  }

  #schedule(): void {
    const calm = this.#calm?.matches && this.following && performance.now() - this.#drawnMs < CALM_MS;
    if (this.#frame || calm || !this.isConnected) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      this.#draw();
      if (this.#shown.recorder?.running && this.following && !this.#calm?.matches) this.#schedule();
    });
  }

  #draw(): void {
    if (!this.hasUpdated || !this.checkVisibility()) return;
    const nowMs = performance.now();
    this.#drawnMs = nowMs;
    const { readings, events, underruns, view, cursorSeconds } = this.#shown;
    const data = { readings, events, underruns, view, cursorSeconds, colors: this.#colors };
    for (const canvas of this.renderRoot.querySelectorAll('canvas')) {
      drawTrack(canvas.dataset.track as TrackName, canvas, data);
    }
    if (nowMs - this.#figuresMs < FIGURES_MS && this.#shown.recorder?.running) return;
    this.#figuresMs = nowMs;
    this.requestUpdate();
  }

  /** As they are now, whatever scheme or theme the page has taken since. */
  get #colors(): TrackColors {
    const color = (name: string): string =>
      getComputedStyle(this.renderRoot.querySelector(`.palette .${name}-color`)!).color;
    const { color: text, fontFamily: font } = getComputedStyle(this);
    return {
      text,
      font,
      surface: color('surface'),
      muted: color('muted'),
      line: color('line'),
      buffer: color('buffer'),
      target: color('target'),
      arrivals: color('arrivals'),
      pace: color('pace'),
      concealed: color('concealed'),
      trouble: color('trouble'),
    };
  }

  protected override render(): TemplateResult {
    const following = this.following;
    const empty = this.#shown.readings.length === 0;
    return html`<section part="inspector" aria-label="Inspector">
      <header>
        ${this.#state()}
        <div part="toolbar">
          <button type="button" @click=${() => (following ? this.pause() : this.follow())} ?disabled=${empty}>
            <svg viewBox="0 0 16 16" aria-hidden="true">${following ? icons.pause : icons.live}</svg>
            ${following ? 'Pause' : 'Live'}
          </button>
          <div class="joined" role="group" aria-label="Zoom">
            <button type="button" aria-label="Zoom out" @click=${() => this.#zoom(ZOOM_STEP)} ?disabled=${empty}>
              <svg viewBox="0 0 16 16" aria-hidden="true">${icons.out}</svg>
            </button>
            <button type="button" aria-label="Zoom in" @click=${() => this.#zoom(1 / ZOOM_STEP)} ?disabled=${empty}>
              <svg viewBox="0 0 16 16" aria-hidden="true">${icons.in}</svg>
            </button>
            <button type="button" aria-label="Show all" @click=${() => this.#showAll()} ?disabled=${empty}>All</button>
          </div>
          <button type="button" @click=${() => this.clear()} ?disabled=${empty || this.#shown.imported !== null}>
            Clear
          </button>
          <button type="button" @click=${() => this.#save()} ?disabled=${empty}>
            <svg viewBox="0 0 16 16" aria-hidden="true">${icons.save}</svg>Export
          </button>
          <button type="button" @click=${() => this.renderRoot.querySelector('input')!.click()}>
            <svg viewBox="0 0 16 16" aria-hidden="true">${icons.load}</svg>Import
          </button>
          <input type="file" accept=".json,application/json" hidden @change=${this.#load} />
        </div>
      </header>
      ${this.#error ? html`<p part="error" role="alert">${this.#error}</p>` : nothing} ${this.#pictures()}
      ${this.#latency()}
      <div class="palette">
        ${['surface', 'muted', 'line', 'buffer', 'target', 'arrivals', 'pace', 'concealed', 'trouble'].map(
          (name) => html`<i class="${name}-color"></i>`,
        )}
      </div>
    </section>`;
  }

  #state(): TemplateResult {
    const { imported } = this.#shown;
    const live = this.following && this.#shown.recorder?.running === true;
    const { transport, audioBackend, sampleRate, contextSampleRate } =
      imported?.recording.pipeline ?? this.#speaker?.getStats() ?? {};
    const rates = sampleRate && contextSampleRate ? `${sampleRate / 1000} to ${contextSampleRate / 1000} kHz` : '';
    const way = [transport && `${transport} transport`, audioBackend, rates].filter(Boolean).join(', ');
    const missing = this.htmlFor ? `No <svc-speaker id="${this.htmlFor}">` : 'No speaker: set for="id"';
    const doing = this.following ? (live ? 'Live' : 'Idle') : 'Paused';
    const what = imported
      ? `${imported.name}, ${when(imported.recording.recordedAt)}`
      : this.#speaker
        ? doing
        : missing;
    return html`<p class="state">
      <i class="lamp ${live ? 'live' : ''}" aria-hidden="true"></i><strong>${what}</strong><span>${way}</span>
    </p>`;
  }

  #pictures(): TemplateResult {
    const { fromSeconds, toSeconds } = this.#shown.range;
    const { press, turn, grab, move, release, leave } = this.#gestures;
    return html`<div
      part="plots"
      role="slider"
      tabindex="0"
      aria-label="Time in the recording"
      aria-valuemin=${fromSeconds.toFixed(2)}
      aria-valuemax=${toSeconds.toFixed(2)}
      aria-valuenow=${this.#shown.atSeconds.toFixed(2)}
      aria-valuetext=${spokenFigures(this.#shown)}
      @keydown=${press}
      @wheel=${turn}
      @pointerdown=${grab}
      @pointermove=${move}
      @pointerup=${release}
      @pointercancel=${release}
      @pointerleave=${leave}
    >
      ${tracks.map(
        (name) =>
          html`<div class="track ${name}">
            ${trackHead(name, this.#shown)}
            <canvas class=${name} data-track=${name}></canvas>
          </div>`,
      )}
    </div>`;
  }

  #latency(): TemplateResult {
    const { readings, events, index } = this.#shown;
    const reading = readings[index];
    const wait = longestWait(readings, index);
    const ahead = reading !== undefined && reading.bufferedSeconds > 2 * reading.targetSeconds + AHEAD_SECONDS;
    return html`<div part="latency">
      ${latencyBar('Until the first sound', untilSound(events, reading?.atSeconds ?? 0))}
      ${latencyBar(
        'From frame to ear',
        frameToEar(reading, this.#terms),
        [
          wait > 0 ? `Longest wait for a frame in ten seconds: ${milliseconds(wait)}.` : '',
          ahead ? 'Speech comes faster than it plays: more is held than the target.' : '',
        ]
          .join(' ')
          .trim(),
      )}
    </div>`;
  }

  get #terms(): LatencyTerms {
    if (this.#shown.imported) return this.#shown.imported.recording;
    const {
      jitterBuffer = 'adaptive',
      jitterBufferTarget = 0,
      playbackRate = 1,
      resampler = 'fine',
    } = this.#speaker ?? {};
    const {
      transport = null,
      audioBackend = null,
      sampleRate = null,
      contextSampleRate = null,
    } = this.#speaker?.getStats() ?? {};
    return {
      settings: { jitterBuffer, jitterBufferTarget, playbackRate, resampler },
      pipeline: { transport, audioBackend, sampleRate, contextSampleRate },
    };
  }

  // --- files

  #save(): void {
    const url = URL.createObjectURL(new Blob([this.exportRecording()], { type: 'application/json' }));
    const link = document.createElement('a');
    link.href = url;
    link.download = `svc-speaker-${this.recording!.recordedAt.replaceAll(/[:.]/g, '-')}.json`;
    link.click();
    // The browser has taken hold of it when the task is over.
    setTimeout(() => URL.revokeObjectURL(url));
  }

  async #load(event: Event): Promise<void> {
    const input = event.currentTarget as HTMLInputElement;
    const file = input.files?.[0];
    if (!file) return;
    try {
      this.importRecording(await file.text(), file.name);
    } catch (error) {
      this.#error = `${file.name}: ${(error as Error).message}`;
      this.requestUpdate();
    }
    // The same file may be chosen again.
    input.value = '';
  }
}

/** A date of a recording, for people; as it is if it is none. */
function when(recordedAt: string): string {
  const date = new Date(recordedAt);
  if (Number.isNaN(date.getTime())) return recordedAt;
  return date.toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
}
