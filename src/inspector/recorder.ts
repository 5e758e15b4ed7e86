import type { SvcSpeakerElement, SvcSpeakerEventMap } from '../index.js';
import { termsOf } from './latency-terms.js';
import { type Reading, ReadingTaker } from './reading.js';
import {
  ARRIVALS_BY_MESSAGE_MS,
  FORMAT,
  READ_MS,
  type SpeakerEventRecord,
  type SpeakerRecording,
  VERSION,
} from './recording.js';

/** How long it is recorded after the last change, in seconds. */
const QUIET_SECONDS = 1.5;

/** What is kept: the last ten minutes in which something happened. When a tenth more is there, the oldest go. */
const KEPT_SECONDS = 600;

/** Events that are written down; those that come all the time only say that there is something to see. */
const written = [
  'loadstart',
  'loadedmetadata',
  'canplay',
  'play',
  'playing',
  'waiting',
  'pause',
  'ended',
  'emptied',
  'ratechange',
  'blocked',
  'utterancestart',
  'utteranceend',
  'contextdone',
  'underrun',
  'socketclose',
  'error',
] as const satisfies readonly (keyof SvcSpeakerEventMap)[];

const recorders = new WeakMap<SvcSpeakerElement, SpeakerRecorder>();

/**
 * Writes down what a speaker tells: a reading every 20 ms while something happens, and its events.
 *
 * Its clock stands still while nothing happens: what follows a pause is recorded right behind what was before it, with an
 * event `idle` between them. Nothing runs meanwhile, so an idle page costs nothing. Main thread.
 */
export class SpeakerRecorder {
  readonly #speaker: SvcSpeakerElement;
  readonly #listeners = new Set<() => void>();
  #readings: Reading[] = [];
  #events: SpeakerEventRecord[] = [];
  #taker: ReadingTaker;
  #recordedAt = new Date();
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** What `performance.now()` was when the clock stood at 0, had it run all the time. */
  #zeroMs = 0;
  #nowSeconds = 0;
  #changedSeconds = 0;
  #stoppedMs = 0;

  /** The recorder of `speaker`: one for all who look at it. */
  static of(speaker: SvcSpeakerElement): SpeakerRecorder {
    let recorder = recorders.get(speaker);
    if (!recorder) recorders.set(speaker, (recorder = new SpeakerRecorder(speaker)));
    return recorder;
  }

  private constructor(speaker: SvcSpeakerElement) {
    this.#speaker = speaker;
    this.#taker = new ReadingTaker(speaker);
  }

  /**
   * Records for as long as somebody listens.
   *
   * @param listener - Called after each reading.
   * @returns Ends it. What was recorded stays.
   */
  subscribe(listener: () => void): () => void {
    if (this.#listeners.size === 0) {
      for (const type of written) this.#speaker.addEventListener(type, this.#note);
      this.#speaker.addEventListener('progress', this.wake);
      this.wake();
    }
    // A function of its own, so that one that is given twice can be taken back once.
    const own = (): void => listener();
    this.#listeners.add(own);
    return () => {
      if (!this.#listeners.delete(own) || this.#listeners.size > 0) return;
      for (const type of written) this.#speaker.removeEventListener(type, this.#note);
      this.#speaker.removeEventListener('progress', this.wake);
      this.#stop();
    };
  }

  /** All readings, oldest first. Another array when old ones have gone. */
  get readings(): readonly Reading[] {
    return this.#readings;
  }

  /** All events, oldest first. */
  get events(): readonly SpeakerEventRecord[] {
    return this.#events;
  }

  /** True while something happens. */
  get running(): boolean {
    return this.#timer !== undefined;
  }

  /** Where the clock stands, in seconds. */
  get nowSeconds(): number {
    return this.running ? (performance.now() - this.#zeroMs) / 1000 : this.#nowSeconds;
  }

  /** Looks at the speaker for a while, when something has changed that it has no event for. */
  readonly wake = (): void => {
    this.#changedSeconds = this.nowSeconds;
    if (this.running) return;
    const nowMs = performance.now();
    const durationMs = Math.round(nowMs - this.#stoppedMs);
    if (this.#readings.length > 0 && durationMs > READ_MS) {
      this.#events.push({ atSeconds: this.#nowSeconds, type: 'idle', durationMs });
    }
    this.#zeroMs = nowMs - this.#nowSeconds * 1000;
    this.#read();
  };

  /** Forgets everything. The clock runs on. */
  clear(): void {
    this.#readings = [];
    this.#events = [];
    this.#recordedAt = new Date();
    this.#tell();
  }

  /** What has been recorded, to be kept, sent or replayed. It does not change any more. */
  recording(): SpeakerRecording {
    const { settings, pipeline } = termsOf(this.#speaker);
    return {
      format: FORMAT,
      version: VERSION,
      recordedAt: this.#recordedAt.toISOString(),
      browser: navigator.userAgent,
      resolution: {
        readingsMs: READ_MS,
        arrivalsMs: pipeline.transport === 'shared' ? READ_MS : ARRIVALS_BY_MESSAGE_MS,
      },
      settings,
      pipeline,
      readings: this.#readings.slice(),
      events: this.#events.slice(),
    };
  }

  readonly #note = (event: SvcSpeakerEventMap[(typeof written)[number]]): void => {
    this.wake();
    const record: SpeakerEventRecord = { atSeconds: this.nowSeconds, type: event.type };
    if ('durationMs' in event) record.durationMs = event.durationMs;
    if ('code' in event) record.code = event.code;
    if (event.type === 'error') record.reason = this.#speaker.error?.reason ?? '';
    this.#events.push(record);
  };

  #read(): void {
    this.#nowSeconds = (performance.now() - this.#zeroMs) / 1000;
    const reading = this.#taker.take(this.#nowSeconds);
    const { paused, blocked } = this.#speaker;
    const waits = !paused && !blocked;
    if (waits || hasMoved(reading, this.#readings.at(-1))) this.#changedSeconds = this.#nowSeconds;
    this.#readings.push(reading);
    this.#forget();
    if (this.#nowSeconds - this.#changedSeconds < QUIET_SECONDS) this.#timer = setTimeout(() => this.#read(), READ_MS);
    else this.#stop();
    this.#tell();
  }

  #stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#stoppedMs = performance.now();
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }

  #forget(): void {
    if (this.#nowSeconds - this.#readings[0]!.atSeconds < KEPT_SECONDS * 1.1) return;
    const oldest = this.#nowSeconds - KEPT_SECONDS;
    this.#readings = this.#readings.filter(({ atSeconds }) => atSeconds >= oldest);
    this.#events = this.#events.filter(({ atSeconds }) => atSeconds >= oldest);
  }
}

function hasMoved(reading: Reading, before: Reading | undefined): boolean {
  return (
    reading.bufferedSeconds !== before?.bufferedSeconds ||
    reading.targetSeconds !== before.targetSeconds ||
    reading.arrivedSeconds + reading.playedSeconds + reading.concealedSeconds > 0
  );
}
