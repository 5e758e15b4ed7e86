import { availableParallelism } from 'node:os';
import { systemClock, type Clock } from '../clock.js';
import { cutIntoPieces, type Piece, type PieceEnd } from './clauses.js';
import { loadFlite } from './flite-module.js';
import { FlitePool } from './flite-pool.js';
import { FLITE_VOICES, type FliteVoice } from './flite-voices.js';
import type { FliteTask } from './flite-worker.js';
import { toPlainText } from './plain-text.js';
import { SampleQueue } from './sample-queue.js';
import { speakPieces, type SpeechPart } from './speak-pieces.js';
import type { SpeechEngine, SpeechRequest } from './speech-engine.js';
import { SpeechError } from './speech-error.js';
import { TurnQueue } from './turn-queue.js';

/** Time limit for one piece, in ms. A piece usually takes well under a second. */
const TIME_LIMIT_MS = 10_000;

/** Speech in advance below which a client must not wait for pieces of others, in ms: such a piece takes up to half of it. */
const URGENT_MS = 500;

/** Silence after the last sound of a piece, in seconds at the voice's own rate: the pause of a comma or full stop. */
const KEPT_AFTER: Readonly<Record<PieceEnd, number>> = { sentence: 0.3, clause: 0.16, cut: 0.02 };

/** Options of {@link createFliteEngine}. */
export interface FliteOptions {
  readonly clock?: Clock;
  /** Time limit for one piece of text, in ms; 10000 by default. */
  readonly timeLimitMs?: number;
  /**
   * Maximum number of pieces that are made at a time, from 1. By default one less than the number of processors, because
   * the sockets need one too. One more may be made for a client that has less than {@link URGENT_MS} of speech in
   * advance: a piece cannot be interrupted, and it would wait for one of a client with more. Threads start when work
   * waits, and take about 55 MB each.
   */
  readonly threads?: number;
}

/** A piece of text that waits or is being spoken, and the queue for its speech. */
interface Job {
  readonly task: FliteTask;
  readonly client: object;
  readonly speech: SampleQueue<SpeechPart>;
  /** Called when the job has ended. */
  forget(): void;
}

/**
 * Starts the embedded voice: flite in worker threads. Text is cut into pieces; {@link TurnQueue} decides their order.
 *
 * @returns Resolves once it is ready to speak.
 * @throws {Error} If flite cannot be loaded or does not start.
 */
export async function createFliteEngine(options: FliteOptions = {}): Promise<SpeechEngine> {
  const module = await loadFlite();
  return new Promise((resolve, reject) => {
    const engine = new FliteEngine(
      module,
      options,
      () => resolve(engine),
      () => reject(new Error('The speech engine does not start')),
    );
  });
}

class FliteEngine implements SpeechEngine {
  readonly voices = FLITE_VOICES;
  readonly resamples = true;
  readonly timings = true;
  readonly sampling = { rate: { least: 0.5, most: 2 }, pitch: { least: 0.75, most: 1.5 } };
  readonly #pool: FlitePool;
  readonly #turns: TurnQueue<Job>;
  readonly #threads: number;
  #gone = false;

  constructor(module: WebAssembly.Module, options: FliteOptions, onReady: () => void, onBroken: () => void) {
    const { clock = systemClock, timeLimitMs = TIME_LIMIT_MS } = options;
    this.#threads = options.threads ?? Math.max(1, availableParallelism() - 1);
    this.#turns = new TurnQueue(() => clock.elapsed());
    this.#pool = new FlitePool({
      module,
      clock,
      timeLimitMs,
      onFree: () => {
        onReady();
        this.#work();
      },
      onBroken: () => {
        onBroken();
        this.#stop();
      },
    });
  }

  get available(): boolean {
    return !this.#gone;
  }

  speak(request: SpeechRequest, signal: AbortSignal): AsyncGenerator<Int16Array, void, void> {
    const plain = toPlainText(request.text, request.normalizeText);
    return speakPieces({
      plain,
      pieces: cutIntoPieces(plain.text, longestPiece(request), request.quickStart),
      sampleRate: request.sampleRate,
      request,
      signal,
      begin: (piece, wanted) => this.#order(request, piece, wanted),
    });
  }

  async close(): Promise<void> {
    this.#stop();
    await this.#pool.close();
  }

  #order(request: SpeechRequest, piece: Piece | undefined, signal: AbortSignal): SampleQueue<SpeechPart> {
    const speech = new SampleQueue<SpeechPart>();
    if (!piece) return speech;
    if (this.#gone) {
      speech.fail(unavailable());
      return speech;
    }
    const job: Job = {
      task: makeTask(request, piece),
      client: request.client,
      speech,
      forget: () => signal.removeEventListener('abort', drop),
    };
    const drop = (): void => {
      this.#turns.remove(job);
      speech.fail(signal.reason, true);
    };
    if (signal.aborted) drop();
    else {
      signal.addEventListener('abort', drop, { once: true });
      this.#turns.push(request, job);
      this.#work();
    }
    return speech;
  }

  #work(): void {
    while (this.#pool.free) {
      const job = this.#turns.shift(this.#pool.busy < this.#threads ? Infinity : URGENT_MS);
      if (!job) break;
      const { client, forget, speech, task } = job;
      this.#pool.run(task, {
        samples: (samples) => {
          this.#turns.made(client, (samples.length / task.sampleRate) * 1000);
          speech.push(samples);
        },
        tokens: (tokens) => speech.push(tokens),
        over(problem) {
          forget();
          if (problem) speech.fail(problem);
          else speech.end();
        },
      });
    }
    if (this.#turns.hasNext(URGENT_MS)) this.#pool.expand(this.#threads + 1);
    else if (this.#turns.length > 0) this.#pool.expand(this.#threads);
  }

  #stop(): void {
    this.#gone = true;
    for (const { speech } of this.#turns.clear()) speech.fail(unavailable());
  }
}

function voiceOf({ voice }: SpeechRequest): FliteVoice {
  return FLITE_VOICES.find(({ id }) => id === voice.id) ?? FLITE_VOICES[0]!;
}

/** Returns the maximum length of a piece, in seconds at the voice's own rate: as requested, but made within 100 ms. */
function longestPiece(request: SpeechRequest): number {
  const { rate = 1 } = request.sampling;
  const { stretch } = howToShift(request);
  return Math.min(request.chunkSeconds * rate, (voiceOf(request).pieceSeconds * rate) / stretch);
}

/**
 * Returns how to shift the pitch: by flite, or by lengthening speech (`stretch`) and playing it faster (`playback`).
 */
function howToShift(request: SpeechRequest): { pitch: number; playback: number; stretch: number } {
  const { pitch = 1 } = request.sampling;
  if (voiceOf(request).shiftsPitch) return { pitch, playback: 1, stretch: 1 };
  return { pitch: 1, playback: pitch, stretch: pitch };
}

function makeTask(request: SpeechRequest, { text, end }: Piece): FliteTask {
  const { rate = 1 } = request.sampling;
  const voice = voiceOf(request);
  const { pitch, playback, stretch } = howToShift(request);
  return {
    text,
    voice: voice.id,
    voiceRate: voice.sampleRate,
    stretch: rate === stretch ? null : (voice.stretch * stretch) / rate,
    pitch,
    playback,
    keptAfter: KEPT_AFTER[end] / rate,
    sampleRate: request.sampleRate,
    timings: request.onWords !== undefined,
  };
}

function unavailable(): SpeechError {
  return new SpeechError('unavailable', 'The speech engine is not available.');
}
