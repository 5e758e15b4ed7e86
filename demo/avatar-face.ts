import type { SvcSpeakerElement } from 'svc-speaker';
import type { Avatar } from './avatar.js';
import type { MouthForm } from './mouth-form.js';
import { PathBlend } from './path-blend.js';
import { SpeechLevel } from './speech-level.js';

/** Openings below this are shown as closed. */
const CLOSED = 0.01;

/** Time in which the mouth gets two thirds of the way to another form, in milliseconds. */
const FORM_MS = 45;

const NO_FORM: MouthForm = { round: 0, spread: 0, teeth: 0 };

/** The mouth of those who asked for less motion, as long as there is speech. */
const CALMLY_OPEN = 0.4;

/** Moves the mouth of a drawing with the speech, and closes its eyes now and then. Costs nothing while nothing moves. */
export class AvatarFace {
  readonly #speaker: SvcSpeakerElement;
  readonly #avatar: Avatar;
  readonly #level: SpeechLevel;
  readonly #mouth: PathBlend;
  readonly #eyes: PathBlend | null;
  readonly #calm = matchMedia('(prefers-reduced-motion: reduce)');
  #sounding = false;
  #open = 0;
  #form = NO_FORM;
  #lastMs = 0;
  #running = false;
  /** When the eyes began to close, or null. */
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

  /** Begins to move with the speaker. Once. */
  follow(): void {
    const speaker = this.#speaker;
    // Not `error`: what has arrived until then is still heard.
    for (const event of ['playing', 'waiting', 'pause', 'ended', 'emptied']) {
      speaker.addEventListener(event, () => {
        this.#sounding = event === 'playing';
        this.#run();
      });
    }
    // It may have begun before the drawing was there.
    this.#sounding = !speaker.paused && speaker.currentTime > 0;
    if (this.#sounding) this.#run();
    if (this.#eyes) this.#blinkLater();
  }

  #run(): void {
    if (this.#running) return;
    this.#running = true;
    this.#lastMs = performance.now();
    requestAnimationFrame((nowMs) => this.#draw(nowMs));
  }

  #draw(nowMs: number): void {
    const elapsedMs = Math.max(0, nowMs - this.#lastMs);
    this.#lastMs = nowMs;
    this.#moveMouth(elapsedMs);
    this.#moveEyes(nowMs);
    this.#running = this.#sounding || this.#open > 0 || this.#blinkMs !== null;
    if (this.#running) requestAnimationFrame((laterMs) => this.#draw(laterMs));
  }

  #moveMouth(elapsedMs: number): void {
    const { attackMs, releaseMs } = this.#avatar.mouth;
    const wanted = this.#wantedOpening();
    const open = this.#calm.matches
      ? wanted
      : wanted + (this.#open - wanted) * Math.exp(-elapsedMs / Math.max(1, wanted > this.#open ? attackMs : releaseMs));
    const shown = open < CLOSED ? 0 : open;
    this.#moveLips(elapsedMs);
    if (shown !== this.#open || shown > 0) this.#mouth.show(shown, { ...this.#form });
    this.#open = shown;
  }

  #moveLips(elapsedMs: number): void {
    if (!this.#avatar.mouth.forms) return;
    const wanted = this.#sounding && !this.#calm.matches ? this.#level.readForm() : NO_FORM;
    const stays = this.#calm.matches ? 0 : Math.exp(-elapsedMs / FORM_MS);
    const toward = (form: keyof MouthForm): number => wanted[form] + (this.#form[form] - wanted[form]) * stays;
    this.#form = { round: toward('round'), spread: toward('spread'), teeth: toward('teeth') };
  }

  #wantedOpening(): number {
    if (!this.#sounding) return 0;
    if (this.#calm.matches) return this.#speaker.muted ? 0 : CALMLY_OPEN;
    const { silentDb, loudDb } = this.#avatar.mouth;
    return Math.min(1, Math.max(0, (this.#level.read() - silentDb) / (loudDb - silentDb)));
  }

  /** Closed in the time the avatar takes for it, and open again in as much. */
  #moveEyes(nowMs: number): void {
    if (this.#blinkMs === null) return;
    const { closeMs } = this.#avatar.blink!;
    const phase = (nowMs - this.#blinkMs) / closeMs;
    if (phase >= 2) this.#blinkMs = null;
    this.#eyes!.show(Math.max(0, 1 - Math.abs(1 - phase)));
  }

  #blinkLater(): void {
    const [least, most] = this.#avatar.blink!.everySeconds;
    setTimeout(
      () => {
        // In a tab that nobody looks at there are no frames in which it would end.
        if (!this.#calm.matches && !document.hidden) {
          this.#blinkMs = performance.now();
          this.#run();
        }
        this.#blinkLater();
      },
      (least + Math.random() * (most - least)) * 1000,
    );
  }
}
