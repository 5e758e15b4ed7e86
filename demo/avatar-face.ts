import type { SvcSpeakerElement } from 'svc-speaker';
import type { Avatar } from './avatar.js';
import { formOf, type MouthForm, NO_FORM } from './mouth-form.js';
import { PathBlend } from './path-blend.js';
import { SpeechLevel } from './speech-level.js';

/** Openings below this are drawn as closed. */
const CLOSED = 0.01;

/** Time constant of changes of the lips, in milliseconds. */
const FORM_MS = 45;

/** Constant opening during speech with `prefers-reduced-motion`. */
const REDUCED_MOTION_OPEN = 0.4;

/** Moves the mouth of a drawing with the speech and makes its eyes blink. Requests no frames while nothing moves. */
export class AvatarFace {
  readonly #speaker: SvcSpeakerElement;
  readonly #avatar: Avatar;
  readonly #level: SpeechLevel;
  readonly #mouth: PathBlend;
  readonly #eyes: PathBlend | null;
  readonly #reducedMotion = matchMedia('(prefers-reduced-motion: reduce)');
  #open = 0;
  /** Form of the mouth for the sound that is heard, and the one that is drawn on the way to it. */
  #spokenForm = NO_FORM;
  #form = NO_FORM;
  #lastMs = 0;
  #isRunning = false;
  /** Start of the current blink, or null. */
  #blinkMs: number | null = null;

  constructor(speaker: SvcSpeakerElement, avatar: Avatar, drawing: SVGSVGElement) {
    const { mouth, blink } = avatar;
    this.#speaker = speaker;
    this.#avatar = avatar;
    this.#level = new SpeechLevel(speaker);
    this.#mouth = new PathBlend(
      drawing,
      mouth.shapes.map(({ open, paths }) => ({ at: open, paths })),
      mouth.forms,
    );
    this.#eyes = blink
      ? new PathBlend(drawing, [
          { at: 0, paths: blink.open },
          { at: 1, paths: blink.closed },
        ])
      : null;
  }

  /** Starts moving with the speaker. Call it once. */
  start(): void {
    this.#speaker.addEventListener('statechange', () => this.#run());
    this.#speaker.addEventListener('viseme', ({ viseme }) => (this.#spokenForm = formOf(viseme)));
    this.#speaker.addEventListener('utteranceend', () => (this.#spokenForm = NO_FORM));
    // Speech may have started before the drawing was loaded.
    if (this.#isPlaying) this.#run();
    if (this.#eyes) this.#scheduleBlink();
  }

  get #isPlaying(): boolean {
    return this.#speaker.state === 'playing';
  }

  #run(): void {
    if (this.#isRunning) return;
    this.#isRunning = true;
    this.#lastMs = performance.now();
    requestAnimationFrame((nowMs) => this.#draw(nowMs));
  }

  #draw(nowMs: number): void {
    const elapsedMs = Math.max(0, nowMs - this.#lastMs);
    this.#lastMs = nowMs;
    this.#moveMouth(elapsedMs);
    this.#moveEyes(nowMs);
    this.#isRunning = this.#isPlaying || this.#open > 0 || this.#blinkMs !== null;
    if (this.#isRunning) requestAnimationFrame((nextMs) => this.#draw(nextMs));
  }

  #moveMouth(elapsedMs: number): void {
    const { attackMs, releaseMs } = this.#avatar.mouth;
    const target = this.#targetOpening();
    const open = this.#reducedMotion.matches
      ? target
      : target + (this.#open - target) * Math.exp(-elapsedMs / Math.max(1, target > this.#open ? attackMs : releaseMs));
    const drawn = open < CLOSED ? 0 : open;
    this.#moveLips(elapsedMs);
    if (drawn !== this.#open || drawn > 0) this.#mouth.show(drawn, { ...this.#form });
    this.#open = drawn;
  }

  #moveLips(elapsedMs: number): void {
    if (!this.#avatar.mouth.forms) return;
    const target = this.#isPlaying && !this.#reducedMotion.matches ? this.#spokenForm : NO_FORM;
    const remaining = this.#reducedMotion.matches ? 0 : Math.exp(-elapsedMs / FORM_MS);
    const approach = (form: keyof MouthForm): number => target[form] + (this.#form[form] - target[form]) * remaining;
    this.#form = { round: approach('round'), spread: approach('spread'), teeth: approach('teeth') };
  }

  #targetOpening(): number {
    if (!this.#isPlaying) return 0;
    if (this.#reducedMotion.matches) return this.#speaker.muted ? 0 : REDUCED_MOTION_OPEN;
    const { silentDb, loudDb } = this.#avatar.mouth;
    return Math.min(1, Math.max(0, (this.#level.read() - silentDb) / (loudDb - silentDb)));
  }

  /** Closes the eyes in `closeMs` and opens them in the same time. */
  #moveEyes(nowMs: number): void {
    if (this.#blinkMs === null) return;
    const { closeMs } = this.#avatar.blink!;
    const phase = (nowMs - this.#blinkMs) / closeMs;
    if (phase >= 2) this.#blinkMs = null;
    this.#eyes!.show(Math.max(0, 1 - Math.abs(1 - phase)));
  }

  #scheduleBlink(): void {
    const [minSeconds, maxSeconds] = this.#avatar.blink!.everySeconds;
    setTimeout(
      () => {
        // A hidden tab has no animation frames, so the blink would never end.
        if (!this.#reducedMotion.matches && !document.hidden) {
          this.#blinkMs = performance.now();
          this.#run();
        }
        this.#scheduleBlink();
      },
      (minSeconds + Math.random() * (maxSeconds - minSeconds)) * 1000,
    );
  }
}
