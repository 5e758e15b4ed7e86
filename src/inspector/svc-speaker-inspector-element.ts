import { html, LitElement, nothing, type TemplateResult } from 'lit';
import type { SvcSpeakerElement } from '../index.js';
import { DrawLoop, palette } from './draw-loop.js';
import { stateLine, toolbar, type ToolbarActions } from './header.js';
import { latencyPanel } from './latency-panel.js';
import { PlotGestures, plots } from './plots.js';
import { parseRecording, type SpeakerRecording, stringifyRecording, withoutTexts } from './recording.js';
import { RecordingView } from './recording-view.js';
import { readSetup } from './speaker-reader.js';
import { SpeakerRecorder } from './speaker-recorder.js';
import { styles } from './styles.js';

/**
 * Draws the history of a speaker: arrivals, the buffer, the pace, concealment, and the delay from a frame's arrival to
 * the ear. The history can be exported to a file and imported on another page.
 *
 * It records while it is connected and has a speaker, whether or not it is visible. It keeps the last 10 minutes of
 * activity and runs no timer while the speaker is idle.
 *
 * Keys: left and right move the cursor (with Shift by a fifth of the visible span), Home and End move it to the ends,
 * Page Up and Page Down to the previous and next underrun; + and - zoom; Escape hides the cursor. The wheel zooms while
 * the plots have the focus, or with Ctrl.
 *
 * @tag svc-speaker-inspector
 * @attr {string} for - `id` of the speaker, in the same document or shadow tree.
 *
 * @csspart inspector - The whole inspector.
 * @csspart toolbar - The buttons.
 * @csspart plots - The tracks.
 * @csspart latency - The latency bars.
 * @csspart error - Error message of an import.
 * @cssprop --svc-speaker-inspector-line - Colour of grid lines.
 * @cssprop --svc-speaker-inspector-target - Colour of the target, and of the output's delay.
 * @cssprop --svc-speaker-inspector-arrivals - Colour of arrivals.
 * @cssprop --svc-speaker-inspector-pace - Colour of the pace.
 * @cssprop --svc-speaker-inspector-concealed - Colour of concealment.
 * @cssprop --svc-speaker-accent - Colour of the buffer. Shared with the speaker's controls, like the following ones.
 * @cssprop --svc-speaker-surface - Background.
 * @cssprop --svc-speaker-text - Colour of the text.
 * @cssprop --svc-speaker-muted - Colour of secondary text.
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
  #stopSearch: (() => void) | undefined;
  #unsubscribe: (() => void) | undefined;
  readonly #view = new RecordingView();
  readonly #drawLoop = new DrawLoop(this, this.#view);
  readonly #gestures = new PlotGestures(this.#view, () => this.#update());
  readonly #actions: ToolbarActions = {
    pause: () => this.pause(),
    follow: () => this.follow(),
    zoom: (factor) => {
      this.#view.zoom(factor);
      this.#update();
    },
    showAll: () => {
      this.#view.showAll();
      this.#update();
    },
    clear: () => this.clear(),
    save: (texts) => this.#save(texts),
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

  /** The inspected speaker; null while there is none. Setting it overrides `for`. */
  get speaker(): SvcSpeakerElement | null {
    return this.#speaker;
  }

  set speaker(speaker: SvcSpeakerElement | null) {
    this.#stopSearch?.();
    this.#attach(speaker);
  }

  /** The imported recording; otherwise everything recorded so far, without texts; null without a speaker. */
  get recording(): SpeakerRecording | null {
    return this.#view.imported?.recording ?? this.#view.recorder?.recording() ?? null;
  }

  /** True while the plots follow the current time. */
  get following(): boolean {
    return this.#view.isLive;
  }

  /** Freezes the plots. Recording continues. */
  pause(): void {
    this.#view.freeze();
    this.#update();
  }

  /** Follows the current time again and closes an imported recording. */
  follow(): void {
    this.#view.follow();
    this.#update();
  }

  /** Deletes everything recorded so far. */
  clear(): void {
    this.#view.recorder?.clear();
    this.follow();
  }

  /**
   * Returns the recording as JSON.
   *
   * @param options - `texts`: include the texts of the utterances. Ask the user before they leave the page.
   * @throws {DOMException} InvalidStateError without a speaker and a recording.
   */
  exportRecording({ texts = false }: { texts?: boolean } = {}): string {
    const { imported, recorder } = this.#view;
    const recording = imported?.recording ?? recorder?.recording({ texts });
    if (!recording) {
      throw new DOMException(
        'Cannot export: there is no speaker and no recording. Set `for` or `speaker`, or import a recording.',
        'InvalidStateError',
      );
    }
    return stringifyRecording(texts ? recording : withoutTexts(recording));
  }

  /**
   * Shows a whole recording that `exportRecording()` returned.
   *
   * @param name - File name to display.
   * @throws {TypeError} If `text` is not a recording; see `parseRecording`. The view does not change.
   */
  importRecording(text: string, name = 'a file'): void {
    this.#view.imported = { name, recording: parseRecording(text) };
    this.#view.cursorSeconds = null;
    this.#view.showAll();
    this.#error = '';
    this.#update();
  }

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.#speaker) this.#attach(this.#speaker);
    else this.#search();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#stopSearch?.();
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
  }

  override attributeChangedCallback(name: string, before: string | null, value: string | null): void {
    super.attributeChangedCallback(name, before, value);
    if (name !== 'for' || before === value || !this.isConnected) return;
    this.#attach(null);
    this.#search();
  }

  #search(): void {
    this.#stopSearch?.();
    const root = this.getRootNode() as Document | ShadowRoot;
    this.#stopSearch = findSpeaker(root, this.htmlFor, (speaker) => this.#attach(speaker));
  }

  #attach(speaker: SvcSpeakerElement | null): void {
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
    this.#speaker = speaker;
    const recorder = speaker && SpeakerRecorder.of(speaker);
    this.#view.recorder = recorder;
    if (recorder && this.isConnected) this.#unsubscribe = recorder.subscribe(() => this.#drawLoop.schedule());
    this.#update();
  }

  #update(): void {
    this.requestUpdate();
    this.#drawLoop.schedule();
  }

  protected override render(): TemplateResult {
    const view = this.#view;
    const setup = view.imported?.recording ?? (this.#speaker && readSetup(this.#speaker));
    return html`<section part="inspector" aria-label="Inspector">
      <header>${stateLine(view, setup, this.htmlFor)} ${toolbar(view, this.#actions)}</header>
      ${this.#error ? html`<p part="error" role="alert">${this.#error}</p>` : nothing} ${plots(view, this.#gestures)}
      ${latencyPanel(view, setup)} ${palette()}
    </section>`;
  }

  #save(texts: boolean): void {
    const url = URL.createObjectURL(new Blob([this.exportRecording({ texts })], { type: 'application/json' }));
    const link = document.createElement('a');
    link.href = url;
    link.download = `svc-speaker-${this.recording!.recordedAt.replaceAll(/[:.]/g, '-')}.json`;
    link.click();
    // The download reads the URL before this task ends.
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

/**
 * Finds a speaker by its `id`, now or as soon as it exists and is defined.
 *
 * @param root - The document or shadow tree to search.
 * @param id - An empty string finds nothing.
 * @param found - Called at most once; immediately if the speaker exists.
 * @returns Function that stops the search.
 */
function findSpeaker(root: Document | ShadowRoot, id: string, found: (speaker: SvcSpeakerElement) => void): () => void {
  let isOver = false;
  const search = (): void => {
    const element = !isOver && id ? root.getElementById(id) : null;
    // An element that has not been upgraded has no `getStats`.
    if (!element || !('getStats' in element)) return;
    stop();
    found(element as SvcSpeakerElement);
  };
  const observer = new MutationObserver(search);
  const stop = (): void => {
    isOver = true;
    observer.disconnect();
  };
  search();
  if (!isOver) {
    observer.observe(root, { subtree: true, childList: true, attributeFilter: ['id'] });
    // An upgrade is not a mutation.
    void customElements.whenDefined('svc-speaker').then(search);
  }
  return stop;
}
