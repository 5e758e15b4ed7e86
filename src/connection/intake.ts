import type { FailureCause } from './command.js';
import { READ_AHEAD_SECONDS } from './audio-stream.js';
import { Counters } from './counters.js';
import type { SentUtterance } from './sent-utterance.js';
import { SpeechTape } from './speech-tape.js';
import type { SpeakerSurroundings } from './surroundings.js';

/** Seconds of audio that may wait for the ring: one hour. Above that, the socket is closed with an `overflow`. */
const SPILL_SECONDS = 3600;
/** Seconds of speech before the sample that plays, which the history keeps even if more waits than fits into it. */
const KEPT_BEHIND_SECONDS = 30;

/** Takes what the sources of one speaker bring: samples into the tape, and ends of utterances. Worker thread. */
export class Intake {
  readonly tape: SpeechTape;
  readonly counters: Counters;
  readonly #to: SpeakerSurroundings;
  #sampleRate = Infinity;
  #historySeconds = 0;

  /**
   * @param onRoom - Called when the audio thread has made room.
   * @param socketOpenMs - Returns the total time that sockets were open.
   */
  constructor(surroundings: SpeakerSurroundings, onRoom: () => void, socketOpenMs: () => number) {
    this.#to = surroundings;
    this.tape = new SpeechTape(() => {
      this.counters.touch();
      onRoom();
    });
    this.counters = new Counters(
      surroundings.clock,
      () => {
        const { waiting, received } = this.tape;
        const { oldest, newest } = received;
        return { spilledSamples: waiting, oldest, newest, quiet: received.takeQuiet(), socketOpenMs: socketOpenMs() };
      },
      (counters) => surroundings.report({ type: 'counters', counters }),
    );
  }

  /** Rate of all samples in the tape, in Hz; infinite before the first. */
  get sampleRate(): number {
    return this.#sampleRate;
  }

  set sampleRate(sampleRate: number) {
    // Speech of another rate has finished playing by now, because the main thread waits for that.
    if (sampleRate !== this.#sampleRate) this.tape.clear();
    this.#sampleRate = sampleRate;
    this.#limitTape();
  }

  /** Sets how many seconds of received speech are kept. */
  keepHistory(seconds: number): void {
    this.#historySeconds = seconds;
    this.#limitTape();
    this.counters.flush();
  }

  /** True if a stream may be read on. */
  get hasRoomAhead(): boolean {
    // Half of the history is left for what has been heard.
    return this.tape.fresh < Math.max(READ_AHEAD_SECONDS, this.#historySeconds / 2) * this.#sampleRate;
  }

  /** True if the samples that wait take half of the space for them. No more text is sent then. */
  get isFull(): boolean {
    return this.tape.fresh > this.#spillLimit / 2;
  }

  /** Minutes that may wait, if these samples are too many; otherwise null. */
  overflowMinutes(count: number): number | null {
    return this.tape.fresh + count > this.#spillLimit ? Math.round(this.#spillSeconds / 60) : null;
  }

  /** @param firm - Number of samples of the utterance that will stay, whatever happens to its source. */
  take(utterance: SentUtterance, samples: Int16Array, firm: (utterance: SentUtterance) => number): void {
    const isFirst = utterance.samples === 0;
    const atMs = (utterance.lastMs = this.#to.clock.now());
    utterance.answered = utterance.sent;
    if (isFirst) {
      utterance.firstMs = atMs;
      this.#to.report({ type: 'first-audio', serial: utterance.serial, atMs });
    }
    utterance.samples += samples.length;
    this.counters.samplesReceived += samples.length;
    this.tape.push(utterance.serial, samples, firm(utterance));
    // From now on, seeks into the utterance are possible.
    if (isFirst) this.counters.flush();
  }

  /** Ends an utterance that is complete: no more audio of it will arrive. */
  settle({ serial, samples, cancelled, words, pause }: SentUtterance): void {
    const silence = samples > 0 && !cancelled ? Math.round(pause * this.#sampleRate) : 0;
    this.tape.push(serial, new Int16Array(silence));
    this.tape.end(serial);
    this.counters.touch();
    this.counters.timingsMalformed += words.filter(({ start }) => start * this.#sampleRate >= samples).length;
    if (!cancelled) this.#to.report({ type: 'received', serial, samples: samples + silence });
  }

  /** Ends utterances that fail. */
  fail(utterances: readonly SentUtterance[], cause: FailureCause): void {
    const failed = utterances.filter((utterance) => !utterance.cancelled);
    const serials = failed.map(({ serial }) => serial);
    for (const serial of serials) this.tape.end(serial);
    if (serials.length === 0) return;
    this.counters.flush();
    this.#to.report({ type: 'failed', serials, sent: failed.map(({ sent }) => sent), cause });
  }

  close(): void {
    this.tape.close();
    this.counters.stop();
  }

  #limitTape(): void {
    const rate = this.#sampleRate;
    if (Number.isFinite(rate)) this.tape.setLimit(this.#historySeconds * rate, KEPT_BEHIND_SECONDS * rate);
  }

  get #spillSeconds(): number {
    return this.#to.spillSeconds ?? SPILL_SECONDS;
  }

  get #spillLimit(): number {
    return this.#spillSeconds * this.#sampleRate;
  }
}
