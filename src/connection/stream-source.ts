import type { AudioInput, PushedInput } from './audio-input.js';
import { AudioStream, type AudioStreamEvents } from './audio-stream.js';
import type { Intake } from './intake.js';
import { PushedAudio } from './pushed-audio.js';
import type { SentUtterance } from './sent-utterance.js';
import type { SpeakerSurroundings } from './surroundings.js';

/** An audio stream and its utterance. */
interface OpenStream {
  readonly utterance: SentUtterance;
  readonly audio: AudioStream | PushedAudio;
}

/** The source of one speaker that reads audio streams, one at a time, and what the page pushes. Worker thread. */
export class StreamSource {
  readonly #to: SpeakerSurroundings;
  readonly #intake: Intake;
  readonly #onFree: () => void;
  #open: OpenStream | null = null;

  /** @param onFree - Called when a stream is over. */
  constructor(surroundings: SpeakerSurroundings, intake: Intake, onFree: () => void) {
    this.#to = surroundings;
    this.#intake = intake;
    this.#onFree = onFree;
  }

  /** True while a stream is read. */
  get isBusy(): boolean {
    return this.#open !== null;
  }

  /** True if the stream of this utterance is read. */
  reads(serial: number): boolean {
    return this.#open?.utterance.serial === serial;
  }

  /** Opens the stream of an utterance. */
  open(utterance: SentUtterance, input: AudioInput | PushedInput): void {
    const { serial } = utterance;
    const events: AudioStreamEvents = {
      onOpen: (sampleRate) => this.#to.report({ type: 'stream-open', serial, sampleRate }),
      onBytes: (count) => this.#intake.counters.countBytes(count),
      onSamples: (samples) => this.#intake.take(utterance, samples, () => Infinity),
      hasRoom: () => this.#intake.hasRoomAhead,
      onEnd: (cause) => {
        if (cause) {
          this.#intake.tape.end(serial);
          this.#intake.counters.flush();
          this.#to.report({ type: 'stream-failed', serial, cause });
        } else {
          this.#intake.settle(utterance);
        }
        this.close();
        this.#onFree();
      },
    };
    const audio = input.type === 'pushed' ? new PushedAudio(input, events) : new AudioStream(input, events);
    this.#open = { utterance, audio };
    void audio.open();
  }

  /** Reads on: the output is ready for the rate of the stream. */
  play(): void {
    if (!this.#open) return;
    const { audio } = this.#open;
    this.#intake.sampleRate = audio.sampleRate;
    audio.play();
  }

  /** Continues if there is room. */
  advance(): void {
    this.#open?.audio.advance();
  }

  /** Reads no more. */
  close(): void {
    if (!this.#open) return;
    this.#open.audio.close();
    this.#open = null;
    this.#to.report({ type: 'stream-close' });
  }
}
