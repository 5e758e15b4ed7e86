import type { SvcSpeakerElement, SvcSpeakerEventMap } from '../index.js';
import {
  FORMAT,
  MESSAGE_ARRIVALS_MS,
  type Reading,
  READING_INTERVAL_MS,
  type SpeakerEventRecord,
  type SpeakerRecording,
  VERSION,
  withoutTexts,
} from './recording.js';
import { readSetup, SpeakerReader } from './speaker-reader.js';

/** Time without changes after which the clock stops, in seconds. */
const IDLE_AFTER_SECONDS = 1.5;

/** Readings and events older than this are dropped, in seconds. Dropping starts once the history is a tenth longer. */
const KEPT_SECONDS = 600;

/** Prefix of the names under which the element adds steps of its start to the performance timeline. */
const STEP_PREFIX = 'svc-speaker ';

/** Recorded events. `progress` fires continuously, so it is not recorded but only starts the clock. */
const recordedEvents = [
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
  'resume',
  'error',
] as const satisfies readonly (keyof SvcSpeakerEventMap)[];

const recorders = new WeakMap<SvcSpeakerElement, SpeakerRecorder>();

/**
 * Records the state of a speaker every 20 ms, and its events.
 *
 * While the speaker is idle, no timer runs and the clock stops: the next reading directly follows the previous one,
 * with an `idle` event between them. Main thread.
 */
export class SpeakerRecorder {
  readonly #speaker: SvcSpeakerElement;
  readonly #listeners = new Set<() => void>();
  #readings: Reading[] = [];
  #events: SpeakerEventRecord[] = [];
  readonly #reader: SpeakerReader;
  readonly #steps = new PerformanceObserver((list) => this.#recordSteps(list.getEntries()));
  #recordedAt = new Date();
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The `performance.now()` that corresponds to 0 on the clock of the recording. */
  #zeroMs = 0;
  #nowSeconds = 0;
  #changedSeconds = 0;
  #stoppedMs = 0;

  /** Returns the recorder of `speaker`. All callers share one. */
  static of(speaker: SvcSpeakerElement): SpeakerRecorder {
    let recorder = recorders.get(speaker);
    if (!recorder) recorders.set(speaker, (recorder = new SpeakerRecorder(speaker)));
    return recorder;
  }

  private constructor(speaker: SvcSpeakerElement) {
    this.#speaker = speaker;
    this.#reader = new SpeakerReader(speaker);
  }

  /**
   * Starts recording. Recording stops when the last subscriber unsubscribes; the history remains.
   *
   * @param listener - Called after each reading.
   * @returns Function that unsubscribes.
   */
  subscribe(listener: () => void): () => void {
    if (this.#listeners.size === 0) {
      for (const type of recordedEvents) this.#speaker.addEventListener(type, this.#record);
      this.#speaker.addEventListener('progress', this.wake);
      this.#steps.observe({ type: 'measure' });
      this.wake();
    }
    // A new function for each call, so that the same listener can subscribe twice.
    const subscription = (): void => listener();
    this.#listeners.add(subscription);
    return () => {
      if (!this.#listeners.delete(subscription) || this.#listeners.size > 0) return;
      for (const type of recordedEvents) this.#speaker.removeEventListener(type, this.#record);
      this.#speaker.removeEventListener('progress', this.wake);
      this.#steps.disconnect();
      this.#stop();
    };
  }

  /** Readings, oldest first. A new array after old readings have been dropped. */
  get readings(): readonly Reading[] {
    return this.#readings;
  }

  /** Events, oldest first. */
  get events(): readonly SpeakerEventRecord[] {
    return this.#events;
  }

  /** True while the clock runs. */
  get running(): boolean {
    return this.#timer !== undefined;
  }

  /** Time on the clock of the recording, in seconds. */
  get nowSeconds(): number {
    return this.running ? (performance.now() - this.#zeroMs) / 1000 : this.#nowSeconds;
  }

  /** Starts the clock. Call it after a change for which the speaker dispatches no event. */
  readonly wake = (): void => {
    this.#changedSeconds = this.nowSeconds;
    if (this.running) return;
    const nowMs = performance.now();
    const durationMs = Math.round(nowMs - this.#stoppedMs);
    if (this.#readings.length > 0 && durationMs > READING_INTERVAL_MS) {
      this.#events.push({ atSeconds: this.#nowSeconds, type: 'idle', durationMs });
    }
    this.#zeroMs = nowMs - this.#nowSeconds * 1000;
    this.#read();
  };

  /** Deletes all readings and events. The clock keeps running. */
  clear(): void {
    this.#readings = [];
    this.#events = [];
    this.#recordedAt = new Date();
    this.#notify();
  }

  /**
   * Returns a copy of the history, ready for `stringifyRecording`.
   *
   * @param options - `texts`: include the texts of the utterances. Ask the user before they leave the page.
   */
  recording({ texts = false }: { texts?: boolean } = {}): SpeakerRecording {
    const { settings, pipeline } = readSetup(this.#speaker);
    const recording = {
      format: FORMAT,
      version: VERSION,
      recordedAt: this.#recordedAt.toISOString(),
      browser: navigator.userAgent,
      resolution: {
        readingsMs: READING_INTERVAL_MS,
        arrivalsMs: pipeline.transport === 'shared' ? READING_INTERVAL_MS : MESSAGE_ARRIVALS_MS,
      },
      settings,
      pipeline,
      readings: this.#readings.slice(),
      events: this.#events.slice(),
    } satisfies SpeakerRecording;
    return texts ? recording : withoutTexts(recording);
  }

  readonly #record = (event: SvcSpeakerEventMap[(typeof recordedEvents)[number]]): void => {
    // Those that are over come first. The observer would report them after this event.
    this.#recordSteps(this.#steps.takeRecords());
    this.wake();
    const record: SpeakerEventRecord = { atSeconds: this.nowSeconds, type: event.type };
    if ('durationMs' in event) record.durationMs = event.durationMs;
    if ('code' in event) record.code = event.code;
    if ('utterance' in event) record.text = event.utterance.text;
    if (event.type === 'error') record.reason = this.#speaker.error?.reason ?? '';
    this.#events.push(record);
  };

  #recordSteps(measures: readonly PerformanceEntry[]): void {
    for (const { name, startTime, duration } of measures) {
      if (!name.startsWith(STEP_PREFIX)) continue;
      this.wake();
      const atSeconds = Math.max(0, (startTime + duration - this.#zeroMs) / 1000);
      const durationMs = Math.round(duration * 100) / 100;
      this.#events.push({ atSeconds, type: name.slice(STEP_PREFIX.length), durationMs });
    }
  }

  #read(): void {
    this.#nowSeconds = (performance.now() - this.#zeroMs) / 1000;
    const reading = this.#reader.read(this.#nowSeconds);
    const { paused, blocked } = this.#speaker;
    const isActive = !paused && !blocked;
    if (isActive || hasChanged(reading, this.#readings.at(-1))) this.#changedSeconds = this.#nowSeconds;
    this.#readings.push(reading);
    this.#dropOldest();
    if (this.#nowSeconds - this.#changedSeconds < IDLE_AFTER_SECONDS) {
      this.#timer = setTimeout(() => this.#read(), READING_INTERVAL_MS);
    } else this.#stop();
    this.#notify();
  }

  #stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#stoppedMs = performance.now();
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }

  #dropOldest(): void {
    if (this.#nowSeconds - this.#readings[0]!.atSeconds < KEPT_SECONDS * 1.1) return;
    const fromSeconds = this.#nowSeconds - KEPT_SECONDS;
    this.#readings = this.#readings.filter(({ atSeconds }) => atSeconds >= fromSeconds);
    this.#events = this.#events.filter(({ atSeconds }) => atSeconds >= fromSeconds);
  }
}

function hasChanged(reading: Reading, previous: Reading | undefined): boolean {
  return (
    reading.bufferedSeconds !== previous?.bufferedSeconds ||
    reading.targetSeconds !== previous.targetSeconds ||
    reading.arrivedSeconds + reading.playedSeconds + reading.concealedSeconds > 0
  );
}
