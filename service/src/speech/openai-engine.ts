import { systemClock, type Clock } from '../clock.js';
import { EngineHealth } from './engine-health.js';
import { OpenAiClient } from './openai-client.js';
import { QueuedEngine } from './queued-engine.js';
import type { SpeechEngine } from './speech-engine.js';
import { listVoices, type VoiceSetting } from './voice-list.js';

/** Longest `input` of the OpenAI API, in characters. */
const INPUT_LENGTH_MAX = 4096;

/** The voices of OpenAI's `tts-1`. */
const VOICES = ['alloy', 'echo', 'fable', 'onyx', 'nova', 'shimmer'] as const;

/** What {@link createOpenAiEngine} can be told. */
export interface OpenAiOptions {
  /** The server: its origin, its `/v1`, or the whole address of `/v1/audio/speech`. `http:` or `https:`. */
  readonly url: string;
  /** Sent as a bearer token, to this address only. */
  readonly key?: string;
  /** `tts-1` by default. */
  readonly model?: string;
  /** The server's names; those of OpenAI's `tts-1` by default. */
  readonly voices?: readonly VoiceSetting[];
  /**
   * Rate of the voices, in Hz, and of raw PCM that comes without word of its rate; 24000 by default. Other audio is
   * resampled to it.
   */
  readonly sampleRate?: number;
  /** Whether the server heeds `speed`; if not, `sampling.rate` is refused. True by default. */
  readonly speed?: boolean;
  /** Whether texts are English, so that numbers are written out in English words. True by default. */
  readonly english?: boolean;
  /** Members to add to the body of each request, such as `{stream: true}`. */
  readonly extra?: Readonly<Record<string, unknown>>;
  /** Requests that may run at a time; 8 by default. */
  readonly concurrency?: number;
  /** Most time for one piece, in ms; 60000 by default. */
  readonly timeLimitMs?: number;
  /** Most time without a sample, in ms; 15000 by default. */
  readonly stallMs?: number;
  readonly clock?: Clock;
  /** Told when the server goes down, and why, and when it is back. */
  readonly onAvailable?: (available: boolean, problem: string | null) => void;
}

/**
 * Makes an engine of a server that speaks `POST /v1/audio/speech`, as OpenAI, Kokoro-FastAPI, Speaches, openedai-speech
 * and LocalAI do. Nothing is sent before the first text.
 *
 * It counts as down after three failures in a row, and is then tried with a word, ever less often, until it is back.
 *
 * @throws {RangeError} If an option is out of bounds.
 */
export function createOpenAiEngine(options: OpenAiOptions): SpeechEngine {
  return new OpenAiEngine(options);
}

class OpenAiEngine extends QueuedEngine {
  readonly #health: EngineHealth;
  readonly #probes: AbortController;

  constructor(options: OpenAiOptions) {
    const { clock = systemClock, sampleRate = 24_000, english = true, speed = true } = options;
    const { concurrency = 8, timeLimitMs = 60_000, stallMs = 15_000 } = options;
    const voices = listVoices(options.voices ?? VOICES, sampleRate);
    const client = new OpenAiClient(options, sampleRate, clock);
    const probes = new AbortController();
    let problem: string | null = null;
    const health = new EngineHealth({
      clock,
      onChange: (available) => options.onAvailable?.(available, available ? null : problem),
      probe: async () => {
        const limit = new AbortController();
        const cancel = clock.after(stallMs, () => limit.abort());
        try {
          const signal = AbortSignal.any([probes.signal, limit.signal]);
          return await client.works(voices[0]!, signal);
        } finally {
          cancel();
        }
      },
    });
    super({
      voices,
      sampling: speed ? { rate: { least: 0.5, most: 2 } } : {},
      clock,
      concurrency,
      pieceLength: INPUT_LENGTH_MAX,
      stallMs,
      timeLimitMs,
      isEnglish: () => english,
      isAvailable: () => health.available,
      make: (piece, request, signal) =>
        client.speak(piece, request, signal, (failure) => {
          problem = failure ?? problem;
          if (failure === null) health.succeeded();
          else health.failed();
        }),
    });
    this.#health = health;
    this.#probes = probes;
  }

  override async close(): Promise<void> {
    this.#health.close();
    this.#probes.abort();
    await super.close();
  }
}
