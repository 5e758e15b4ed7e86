/** Maximum that can be due in speech; see `isUrgent`. */
const MOST_SECONDS = 0.05;
/** Rate at which splices ahead of time are forgotten at pace 1, in seconds per second. */
const RECOVERY = 0.25;

/** Indices of the pace of speech and of the pace of pauses. */
const SPEECH = 0;
const PAUSES = 1;

/**
 * Counts the samples that must be repeated or left out to keep a pace of speech and a pace of pauses, in input samples
 * per output sample. Real-time safe after construction. One thread.
 */
export class DueSamples {
  /** -1 to repeat samples, 1 to leave samples out. */
  direction: -1 | 1 = -1;
  /** The pace of `SPEECH` and of `PAUSES`. Arrays of doubles, because V8 allocates a number for a field. */
  readonly #pace = Float64Array.of(1, 1);
  /** Negative if there were too many. Indexed as `#pace`, each computed as if its pace applied to everything. */
  readonly #due = new Float64Array(2);
  readonly #most: number;
  readonly #mostInPauses: number;
  #isPunctual = true;

  /**
   * @param sampleRate - Sample rate in Hz.
   * @param mostInPauses - Maximum that is due in a pause.
   */
  constructor(sampleRate: number, mostInPauses: number) {
    this.#most = Math.round(MOST_SECONDS * sampleRate);
    this.#mostInPauses = mostInPauses;
  }

  /** Pace of speech. */
  get pace(): number {
    return this.#pace[SPEECH]!;
  }

  /** True while neither speech nor pauses change their length. */
  get isEven(): boolean {
    return this.#pace[PAUSES] === 1;
  }

  /** Samples that are due in speech. Negative if there are none, also because speech has pace 1. */
  get inSpeech(): number {
    return this.#pace[SPEECH] === 1 ? -1 : this.#due[SPEECH]!;
  }

  /** True if a pause may be spliced. */
  get isInPause(): boolean {
    return this.#due[PAUSES]! >= 0 || (this.#isPunctual && this.#due[SPEECH]! >= 0);
  }

  /** True if anything is due. */
  get isAny(): boolean {
    return this.#due[SPEECH]! >= 0 || this.#due[PAUSES]! >= 0;
  }

  /** True if a punctual pace is so far behind in speech that any splice is accepted. */
  get isUrgent(): boolean {
    return this.#isPunctual && this.#due[SPEECH]! >= this.#most;
  }

  /** Begins a new run. Keeps the pace. */
  reset(): void {
    this.#due.fill(0);
  }

  /** Sets the pace; see `TimeStretch.setPace`. */
  setPace(speech: number, pauses: number, isPunctual: boolean): void {
    const direction = pauses <= 1 ? -1 : 1;
    const due = this.#due;
    if (direction !== this.direction) due.fill(0);
    if (speech === 1) due[SPEECH] = Math.min(0, due[SPEECH]!);
    if (pauses === 1) due[PAUSES] = Math.min(0, due[PAUSES]!);
    this.direction = direction;
    this.#pace[SPEECH] = speech;
    this.#pace[PAUSES] = pauses;
    this.#isPunctual = isPunctual;
  }

  /** Records that `input` samples became `output` samples. */
  add(input: number, output: number): void {
    this.#addTo(SPEECH, input, output);
    this.#addTo(PAUSES, input, output);
  }

  #addTo(kind: typeof SPEECH | typeof PAUSES, input: number, output: number): void {
    const pace = this.#pace[kind]!;
    const due = this.#due[kind]! + this.direction * (output - input / pace);
    if (pace === 1) this.#due[kind] = Math.min(0, due + output * RECOVERY);
    // The next pause need not compensate at once for everything that was due in speech.
    else if (kind === PAUSES) this.#due[kind] = Math.min(this.#mostInPauses, due);
    // Above the maximum, the rest is dropped, unless the pace is punctual.
    else this.#due[kind] = this.#isPunctual ? due : Math.min(this.#most, due);
  }
}
