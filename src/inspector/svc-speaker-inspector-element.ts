import { html, LitElement, nothing, svg, type TemplateResult } from 'lit';
import type { SvcSpeakerElement } from '../index.js';
import { frameToEar, longestWait, untilSound } from './latency.js';
import { latencyBar, milliseconds } from './latency-bars.js';
import { paceAt } from './pace.js';
import type { Reading } from './reading.js';
import { SpeakerRecorder } from './recorder.js';
import { parseRecording, type SpeakerEventRecord, type SpeakerRecording, stringifyRecording } from './recording.js';
import { styles } from './styles.js';
import { indexAt, pan, reveal, type TimeRange, type TimeView, zoom } from './time-view.js';
import { drawTrack, type TrackColors, type TrackName } from './tracks.js';
import { underrunsOf } from './underruns.js';

/** How much is shown at first, in seconds. */
const SPAN_SECONDS = 10;
/** One press of a zoom button or key. */
const ZOOM_STEP = 2;
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
  #recorder: SpeakerRecorder | null = null;
  #unsubscribe: (() => void) | null = null;
  #imported: { name: string; recording: SpeakerRecording } | null = null;
  #error = '';
  /** What was recorded when the pictures were held; null while they move with the present. */
  #held: Pick<SpeakerRecording, 'readings' | 'events'> | null = null;
  #view: TimeView = { toSeconds: 0, spanSeconds: SPAN_SECONDS };
  #cursorSeconds: number | null = null;
  #drag: { id: number; x: number; moved: boolean } | null = null;
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
    return this.#imported?.recording ?? this.#recorder?.recording() ?? null;
  }

  /** True while the pictures move with the present. */
  get following(): boolean {
    return !this.#held && !this.#imported;
  }

  /** Holds the pictures. It is recorded all the same. */
  pause(): void {
    this.#hold();
    this.#show();
  }

  /** Moves with the present again; puts an imported recording away. */
  follow(): void {
    this.#imported = null;
    this.#held = null;
    this.#cursorSeconds = null;
    this.#view = { ...this.#view, spanSeconds: Math.max(this.#view.spanSeconds, 1) };
    this.#show();
  }

  /** Forgets what was recorded. */
  clear(): void {
    this.#recorder?.clear();
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
    this.#imported = { name, recording: parseRecording(text) };
    this.#error = '';
    this.#cursorSeconds = null;
    this.#showAll();
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
    if (speaker !== this.#speaker) this.#held = null;
    this.#speaker = speaker;
    this.#recorder = speaker && SpeakerRecorder.of(speaker);
    if (this.#recorder && this.isConnected) this.#unsubscribe = this.#recorder.subscribe(() => this.#schedule());
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

  get #shown(): Pick<SpeakerRecording, 'readings' | 'events'> | null {
    return this.#imported?.recording ?? this.#held ?? this.#recorder;
  }

  get #readings(): readonly Reading[] {
    return this.#shown?.readings ?? [];
  }

  get #events(): readonly SpeakerEventRecord[] {
    return this.#shown?.events ?? [];
  }

  #hold(): void {
    if (this.following) this.#held = { readings: this.#readings.slice(), events: this.#events.slice() };
  }

  get #range(): TimeRange {
    const readings = this.#readings;
    const last = readings.at(-1)?.atSeconds ?? 0;
    const toSeconds = this.following && this.#recorder ? Math.max(last, this.#recorder.nowSeconds) : last;
    return { fromSeconds: readings[0]?.atSeconds ?? 0, toSeconds };
  }

  /** The reading that the figures are of. */
  get #index(): number {
    return indexAt(this.#readings, this.#cursorSeconds ?? this.#view.toSeconds);
  }

  #show(): void {
    this.requestUpdate();
    this.#schedule();
  }

  #showAll(): void {
    const { fromSeconds, toSeconds } = this.#range;
    this.#view = { toSeconds, spanSeconds: Math.max(1, toSeconds - fromSeconds) };
    this.#show();
  }

  #zoomBy(factor: number, anchorSeconds = this.#cursorSeconds ?? this.#view.toSeconds): void {
    const anchor = this.following ? this.#range.toSeconds : anchorSeconds;
    this.#view = zoom(this.#view, factor, anchor, this.#range);
    this.#show();
  }

  #schedule(): void {
    const calm = this.#calm?.matches && this.following && performance.now() - this.#drawnMs < CALM_MS;
    if (this.#frame || calm || !this.isConnected) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      this.#draw();
      if (this.#recorder?.running && this.following && !this.#calm?.matches) this.#schedule();
    });
  }

  #draw(): void {
    if (!this.hasUpdated || !this.checkVisibility()) return;
    const nowMs = performance.now();
    this.#drawnMs = nowMs;
    if (this.following) this.#view = pan(this.#view, Number.POSITIVE_INFINITY, this.#range);
    const data = {
      readings: this.#readings,
      events: this.#events,
      underruns: underrunsOf(this.#readings, this.#events),
      view: this.#view,
      cursorSeconds: this.#cursorSeconds,
      colors: this.#colors,
    };
    for (const canvas of this.renderRoot.querySelectorAll('canvas')) {
      drawTrack(canvas.dataset.track as TrackName, canvas, data);
    }
    if (nowMs - this.#figuresMs < FIGURES_MS && this.#recorder?.running) return;
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
    const empty = this.#readings.length === 0;
    return html`<section part="inspector" aria-label="Inspector">
      <header>
        ${this.#state()}
        <div part="toolbar">
          <button type="button" id="hold" @click=${() => (following ? this.pause() : this.follow())} ?disabled=${empty}>
            <svg viewBox="0 0 16 16" aria-hidden="true">${following ? icons.pause : icons.live}</svg>
            ${following ? 'Pause' : 'Live'}
          </button>
          <div class="joined" role="group" aria-label="Zoom">
            <button type="button" aria-label="Zoom out" @click=${() => this.#zoomBy(ZOOM_STEP)} ?disabled=${empty}>
              <svg viewBox="0 0 16 16" aria-hidden="true">${icons.out}</svg>
            </button>
            <button type="button" aria-label="Zoom in" @click=${() => this.#zoomBy(1 / ZOOM_STEP)} ?disabled=${empty}>
              <svg viewBox="0 0 16 16" aria-hidden="true">${icons.in}</svg>
            </button>
            <button type="button" aria-label="Show all" @click=${() => this.#showAll()} ?disabled=${empty}>All</button>
          </div>
          <button type="button" @click=${() => this.clear()} ?disabled=${empty || this.#imported !== null}>
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
    const live = this.following && this.#recorder?.running === true;
    const { transport, audioBackend, sampleRate, contextSampleRate } =
      this.#imported?.recording.pipeline ?? this.#speaker?.getStats() ?? {};
    const rates = sampleRate && contextSampleRate ? `${sampleRate / 1000} to ${contextSampleRate / 1000} kHz` : '';
    const way = [transport && `${transport} transport`, audioBackend, rates].filter(Boolean).join(', ');
    const what = this.#imported
      ? `${this.#imported.name}, ${when(this.#imported.recording.recordedAt)}`
      : !this.#speaker
        ? this.htmlFor
          ? `No <svc-speaker id="${this.htmlFor}">`
          : 'No speaker: set for="id"'
        : this.#held
          ? 'Paused'
          : live
            ? 'Live'
            : 'Idle';
    return html`<p class="state">
      <i class="lamp ${live ? 'live' : ''}" aria-hidden="true"></i><strong>${what}</strong><span>${way}</span>
    </p>`;
  }

  #pictures(): TemplateResult {
    const { fromSeconds, toSeconds } = this.#range;
    const at = Math.min(toSeconds, Math.max(fromSeconds, this.#cursorSeconds ?? this.#view.toSeconds));
    return html`<div
      part="plots"
      role="slider"
      tabindex="0"
      aria-label="Time in the recording"
      aria-valuemin=${fromSeconds.toFixed(2)}
      aria-valuemax=${toSeconds.toFixed(2)}
      aria-valuenow=${at.toFixed(2)}
      aria-valuetext=${this.#spoken(at)}
      @keydown=${this.#press}
      @wheel=${{ handleEvent: (event: WheelEvent) => this.#turn(event), passive: false }}
      @pointerdown=${this.#grab}
      @pointermove=${this.#move}
      @pointerup=${this.#release}
      @pointercancel=${this.#release}
      @pointerleave=${this.#leave}
    >
      ${tracks.map(
        (name) =>
          html`<div class="track ${name}">
            ${this.#head(name)}
            <canvas class=${name} data-track=${name}></canvas>
          </div>`,
      )}
    </div>`;
  }

  /** What a picture shows, and the figures of the cursor's time. */
  #head(name: TrackName): TemplateResult | typeof nothing {
    const index = this.#index;
    const reading = this.#readings[index];
    const key = (color: string, looks = ''): TemplateResult => html`<i class="key ${looks} ${color}-color"></i>`;
    const value = (text: string): TemplateResult => html`<span class="value">${text}</span>`;
    switch (name) {
      case 'buffer':
        return html`<div class="head">
          <b>Buffer</b>
          <span>${key('buffer')}held ${value(reading ? milliseconds(reading.bufferedSeconds) : '–')}</span>
          <span>${key('target', 'dashed')}target ${value(reading ? milliseconds(reading.targetSeconds) : '–')}</span>
          <span>${key('trouble')}underruns ${value(String(this.#underruns))}</span>
        </div>`;
      case 'arrivals':
        return html`<div class="head">
          <b>Arrivals</b>
          <span>${key('arrivals')}last second ${value(milliseconds(this.#sum(index, 'arrivedSeconds', 1)))}</span>
        </div>`;
      case 'pace': {
        const pace = paceAt(this.#readings, index);
        return html`<div class="head">
          <b>Pace</b>
          <span>${key('pace')}${value(pace === null ? '–' : `${pace.toFixed(2)}×`)}</span>
        </div>`;
      }
      case 'heard':
        return html`<div class="head">
          <b>Heard</b>
          <span>${key('buffer')}speech</span>
          <span>${key('concealed')}made up ${value(milliseconds(this.#concealed('concealed')))}</span>
          <span>${key('trouble', 'hollow')}silence ${value(milliseconds(this.#concealed('silent')))}</span>
        </div>`;
      default:
        return nothing;
    }
  }

  get #underruns(): number {
    return this.#readings.reduce((sum, { underruns }) => sum + underruns, 0);
  }

  #concealed(kind: 'concealed' | 'silent'): number {
    return this.#readings.reduce(
      (sum, { concealedSeconds, silentSeconds }) =>
        sum + (kind === 'silent' ? silentSeconds : concealedSeconds - silentSeconds),
      0,
    );
  }

  #sum(index: number, name: 'arrivedSeconds', seconds: number): number {
    let sum = 0;
    const last = this.#readings[index]?.atSeconds ?? 0;
    for (let i = index; i >= 0 && last - this.#readings[i]!.atSeconds < seconds; i--) sum += this.#readings[i]![name];
    return sum;
  }

  #latency(): TemplateResult {
    const index = this.#index;
    const reading = this.#readings[index];
    const terms = this.#terms;
    const wait = longestWait(this.#readings, index);
    const ahead = reading !== undefined && reading.bufferedSeconds > 2 * reading.targetSeconds + AHEAD_SECONDS;
    return html`<div part="latency">
      ${latencyBar('Until the first sound', untilSound(this.#events, reading?.atSeconds ?? 0))}
      ${latencyBar(
        'From frame to ear',
        frameToEar(reading, terms),
        [
          wait > 0 ? `Longest wait for a frame in ten seconds: ${milliseconds(wait)}.` : '',
          ahead ? 'Speech comes faster than it plays: more is held than the target.' : '',
        ]
          .join(' ')
          .trim(),
      )}
    </div>`;
  }

  get #terms(): Pick<SpeakerRecording, 'settings' | 'pipeline'> {
    if (this.#imported) return this.#imported.recording;
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

  /** The figures at a time in words, for those who hear them. */
  #spoken(atSeconds: number): string {
    const reading = this.#readings[indexAt(this.#readings, atSeconds)];
    if (!reading) return 'nothing recorded';
    const pace = paceAt(this.#readings, this.#readings.indexOf(reading));
    const dry = underrunsOf(this.#readings, this.#events).some(
      ({ fromSeconds, toSeconds }) => atSeconds >= fromSeconds - 0.001 && atSeconds <= toSeconds,
    );
    return [
      `${atSeconds.toFixed(2)} seconds`,
      `${milliseconds(reading.bufferedSeconds)} held`,
      `target ${milliseconds(reading.targetSeconds)}`,
      pace === null ? '' : `pace ${pace.toFixed(2)}`,
      dry ? 'underrun' : '',
    ]
      .filter(Boolean)
      .join(', ');
  }

  // --- what the hand does

  #secondsAt(clientX: number): number {
    const { left, width } = this.#plots.getBoundingClientRect();
    const { toSeconds, spanSeconds } = this.#view;
    return toSeconds - spanSeconds * (1 - (clientX - left) / width);
  }

  #press(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { fromSeconds, toSeconds } = this.#range;
    const at = this.#cursorSeconds ?? this.#view.toSeconds;
    const step = this.#view.spanSeconds / (event.shiftKey ? 5 : 100);
    switch (event.key) {
      case 'ArrowLeft':
      case 'ArrowDown':
        this.#point(at - step);
        break;
      case 'ArrowRight':
      case 'ArrowUp':
        this.#point(at + step);
        break;
      case 'Home':
        this.#point(fromSeconds);
        break;
      case 'End':
        this.#point(toSeconds);
        break;
      case 'PageUp':
        this.#point(this.#underrunStarts.findLast((start) => start < at - 0.001) ?? at);
        break;
      case 'PageDown':
        this.#point(this.#underrunStarts.find((start) => start > at + 0.001) ?? at);
        break;
      case '+':
      case '=':
        this.#zoomBy(1 / ZOOM_STEP);
        break;
      case '-':
        this.#zoomBy(ZOOM_STEP);
        break;
      case 'Escape':
        this.#cursorSeconds = null;
        this.#show();
        break;
      default:
        return;
    }
    event.preventDefault();
  }

  get #underrunStarts(): number[] {
    return underrunsOf(this.#readings, this.#events).map(({ fromSeconds }) => fromSeconds);
  }

  /** Puts the cursor to a time, and holds the pictures. */
  #point(seconds: number): void {
    this.#hold();
    const range = this.#range;
    this.#cursorSeconds = Math.min(range.toSeconds, Math.max(range.fromSeconds, seconds));
    this.#view = reveal(this.#view, this.#cursorSeconds, range);
    this.#show();
  }

  #turn(event: WheelEvent): void {
    const sideways = Math.abs(event.deltaX) > Math.abs(event.deltaY);
    const focused = this.shadowRoot?.activeElement === this.#plots;
    // Otherwise the wheel scrolls the page, as everywhere.
    if (!sideways && !focused && !event.ctrlKey) return;
    event.preventDefault();
    if (sideways) this.#pan((event.deltaX / this.#plots.clientWidth) * this.#view.spanSeconds);
    else this.#zoomBy(2 ** (Math.max(-100, Math.min(100, event.deltaY)) / 200), this.#secondsAt(event.clientX));
  }

  #pan(seconds: number): void {
    this.#hold();
    this.#view = pan(this.#view, seconds, this.#range);
    this.#show();
  }

  #grab(event: PointerEvent): void {
    if (event.button !== 0) return;
    this.#drag = { id: event.pointerId, x: event.clientX, moved: false };
    this.#plots.setPointerCapture(event.pointerId);
  }

  #move(event: PointerEvent): void {
    const drag = this.#drag;
    if (drag?.id === event.pointerId) {
      const by = event.clientX - drag.x;
      if (!drag.moved && Math.abs(by) < 4) return;
      drag.moved = true;
      drag.x = event.clientX;
      this.#pan((-by / this.#plots.clientWidth) * this.#view.spanSeconds);
    } else if (event.pointerType === 'mouse') {
      this.#cursorSeconds = this.#secondsAt(event.clientX);
      this.#show();
    }
  }

  #release(event: PointerEvent): void {
    if (this.#drag?.id === event.pointerId && !this.#drag.moved && event.type === 'pointerup') {
      this.#point(this.#secondsAt(event.clientX));
    }
    this.#drag = null;
  }

  /** While the pictures move, the cursor is the mouse's; once held, it stays where it is. */
  #leave(): void {
    if (!this.following) return;
    this.#cursorSeconds = null;
    this.#show();
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
