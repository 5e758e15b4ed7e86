import { systemClock, type Clock } from '../clock.js';
import { EngineHealth } from './engine-health.js';
import { OpenAiClient } from './openai-client.js';
import { QueuedEngine } from './queued-engine.js';
import type { SpeechEngine } from './speech-engine.js';
import { languageOfModel, listVoices, type VoiceSetting } from './voice-list.js';

/** Longest `input` of the OpenAI API, in characters. */
const INPUT_LENGTH_MAX = 4096;

const SAMPLE_RATE = 24_000;
const STALL_MS = 15_000;

/** The voices of OpenAI's `tts-1`. */
const VOICES = ['alloy', 'echo', 'fable', 'onyx', 'nova', 'shimmer'] as const;

/** Options of {@link createOpenAiEngine}. */
export interface OpenAiOptions {
  /** Address of the server: its origin, its `/v1`, or the full address of `/v1/audio/speech`. `http:` or `https:`. */
  readonly url: string;
  /** Key, sent as a bearer token to this address only. */
  readonly key?: string;
  /** Model; `tts-1` by default. */
  readonly model?: string;
  /** Voices of the server; those of OpenAI's `tts-1` by default. */
  readonly voices?: readonly VoiceSetting[];
  /** Rate of the voices, and of raw PCM without a stated rate, in Hz; 24000 by default. Other audio is resampled. */
  readonly sampleRate?: number;
  /** True if the server honours `speed`; otherwise `sampling.rate` is refused. True by default. */
  readonly speed?: boolean;
  /** True for a server with `/dev/captioned_speech`, such as Kokoro-FastAPI: sessions may ask for times of words. */
  readonly timings?: boolean;
  /** Members to add to the body of each request, such as `{stream: true}`. */
  readonly extra?: Readonly<Record<string, unknown>>;
  /** Maximum number of requests at a time; 8 by default. */
  readonly concurrency?: number;
  /** Time limit for one piece, in ms; 60000 by default. */
  readonly timeLimitMs?: number;
  /** Maximum time without a sample, in ms; 15000 by default. */
  readonly stallMs?: number;
  readonly clock?: Clock;
  /** Called when the server goes down, with the reason, and when it is back. */
  readonly onAvailable?: (available: boolean, problem: string | null) => void;
}

/**
 * Creates an engine for a server with `POST /v1/audio/speech`, such as OpenAI, Kokoro-FastAPI, Speaches,
 * openedai-speech or LocalAI.
 *
 * The engine is down after three consecutive failures, also of the checks that it makes at the start and while it is idle.
 * It is then probed with a test word, at growing intervals, until it is back.
 *
 * @throws {RangeError} If an option is out of range.
 */
export function createOpenAiEngine(options: OpenAiOptions): SpeechEngine {
  return new OpenAiEngine(options);
}

/** Like {@link createOpenAiEngine}, but takes the voices from the server's list if none are given, and there is one. */
export async function startOpenAiEngine(options: OpenAiOptions): Promise<SpeechEngine> {
  if (options.voices) return createOpenAiEngine(options);
  const { clock = systemClock, stallMs = STALL_MS } = options;
  const limit = new AbortController();
  const cancel = clock.after(stallMs, () => limit.abort());
  const voices = await new OpenAiClient(options, SAMPLE_RATE, clock).voices(limit.signal);
  cancel();
  return createOpenAiEngine(voices ? { ...options, voices } : options);
}

class OpenAiEngine extends QueuedEngine {
  readonly recovers = true;
  readonly #health: EngineHealth;
  readonly #probes: AbortController;

  constructor(options: OpenAiOptions) {
    const { clock = systemClock, sampleRate = SAMPLE_RATE, speed = true } = options;
    const { concurrency = 8, timeLimitMs = 60_000, stallMs = STALL_MS } = options;
    const voices = listVoices(options.voices ?? VOICES, sampleRate, languageOfModel);
    const client = new OpenAiClient(options, sampleRate, clock);
    const probes = new AbortController();
    let problem: string | null = null;
    /** Runs a test that the engine's end, or the time limit, aborts. */
    const test = async <Result>(run: (signal: AbortSignal) => Promise<Result>): Promise<Result> => {
      const limit = new AbortController();
      const cancel = clock.after(stallMs, () => limit.abort());
      try {
        return await run(AbortSignal.any([probes.signal, limit.signal]));
      } finally {
        cancel();
      }
    };
    const health = new EngineHealth({
      clock,
      onChange: (available) => options.onAvailable?.(available, available ? null : problem),
      check: async () => {
        const failure = await test((signal) => client.problem(signal));
        problem = failure ?? problem;
        return failure === null;
      },
      probe: () => test((signal) => client.works(voices[0]!, signal)),
    });
    super({
      voices,
      sampling: speed ? { rate: { least: 0.5, most: 2 } } : {},
      clock,
      concurrency,
      pieceLength: INPUT_LENGTH_MAX,
      timings: options.timings ?? false,
      stallMs,
      timeLimitMs,
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
