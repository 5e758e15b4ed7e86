import { html, LitElement, nothing, type TemplateResult } from 'lit';
import type { SvcSpeakerElement } from '../index.js';
import { latencyPanel } from './latency-panel.js';
import { termsOf } from './latency-terms.js';
import { palette } from './palette.js';
import { PictureLoop } from './picture-loop.js';
import { PlotGestures } from './plot-gestures.js';
import { plots } from './plots.js';
import { SpeakerRecorder } from './recorder.js';
import { parseRecording, type SpeakerRecording, stringifyRecording } from './recording.js';
import { ShownRecording } from './shown-recording.js';
import { SpeakerSearch } from './speaker-search.js';
import { stateLine } from './state-line.js';
import { styles } from './styles.js';
import { toolbar, type ToolbarActions } from './toolbar.js';

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
  readonly #pictures = new PictureLoop(this, this.#shown);
  readonly #gestures = new PlotGestures(this.#shown, () => this.#show());
  readonly #search = new SpeakerSearch((speaker) => this.#watch(speaker));
  readonly #actions: ToolbarActions = {
    pause: () => this.pause(),
    follow: () => this.follow(),
    zoom: (factor) => {
      this.#shown.zoom(factor);
      this.#show();
    },
    showAll: () => {
      this.#shown.showAll();
      this.#show();
    },
    clear: () => this.clear(),
    save: () => this.#save(),
    load: (file) => void this.#load(file),
  };
  #error = '';

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
    this.#search.stop();
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
    if (this.#speaker) this.#watch(this.#speaker);
    else this.#find();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#search.stop();
    this.#unsubscribe?.();
    this.#unsubscribe = null;
  }

  override attributeChangedCallback(name: string, before: string | null, value: string | null): void {
    super.attributeChangedCallback(name, before, value);
    if (name !== 'for' || before === value || !this.isConnected) return;
    this.#watch(null);
    this.#find();
  }

  #find(): void {
    this.#search.start(this.getRootNode() as Document | ShadowRoot, this.htmlFor);
  }

  #watch(speaker: SvcSpeakerElement | null): void {
    this.#unsubscribe?.();
    this.#unsubscribe = null;
    this.#speaker = speaker;
    const recorder = speaker && SpeakerRecorder.of(speaker);
    this.#shown.recorder = recorder;
    if (recorder && this.isConnected) this.#unsubscribe = recorder.subscribe(() => this.#pictures.schedule());
    this.#show();
  }

  // --- what is shown

  #show(): void {
    this.requestUpdate();
    this.#pictures.schedule();
  }

  protected override render(): TemplateResult {
    const shown = this.#shown;
    const terms = shown.imported?.recording ?? (this.#speaker && termsOf(this.#speaker));
    return html`<section part="inspector" aria-label="Inspector">
      <header>${stateLine(shown, terms, this.htmlFor)} ${toolbar(shown, this.#actions)}</header>
      ${this.#error ? html`<p part="error" role="alert">${this.#error}</p>` : nothing} ${plots(shown, this.#gestures)}
      ${latencyPanel(shown, terms)} ${palette()}
    </section>`;
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

  async #load(file: File): Promise<void> {
    try {
      this.importRecording(await file.text(), file.name);
    } catch (error) {
      this.#error = `${file.name}: ${(error as Error).message}`;
      this.requestUpdate();
    }
  }
}
