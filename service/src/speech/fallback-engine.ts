import type { SamplingRange, SpeechEngine, SpeechRequest, Voice } from './speech-engine.js';
import { SpeechError } from './speech-error.js';

/** An engine, and its name as in `SVC_SPEECH`. */
export interface NamedEngine {
  readonly name: string;
  readonly engine: SpeechEngine;
}

/**
 * Speaks with the first of several engines that can: a voice belongs to one of them, and if that one is down, or fails before
 * its first sound, another one speaks with its first voice of the same language. What has begun to sound is not begun
 * again.
 *
 * It supports what all of the engines support, so that no session depends on the one that speaks.
 */
export class FallbackEngine implements SpeechEngine {
  readonly voices: readonly Voice[];
  readonly sampling: Readonly<Record<string, SamplingRange>>;
  readonly resamples = true;
  readonly recovers?: true;
  readonly timings?: true;
  readonly #engines: readonly NamedEngine[];
  readonly #onFallback: (from: string, to: string) => void;

  /**
   * @param engines - At least one, the preferred one first.
   * @param onFallback - Called when another engine speaks than that of the voice.
   */
  constructor(engines: readonly NamedEngine[], onFallback: (from: string, to: string) => void) {
    this.#engines = engines;
    this.#onFallback = onFallback;
    const all = engines.flatMap(({ engine }) => engine.voices);
    this.voices = all.filter((voice, index) => all.findIndex(({ id }) => id === voice.id) === index);
    this.sampling = commonRanges(engines.map(({ engine }) => engine.sampling));
    if (engines.some(({ engine }) => engine.recovers)) this.recovers = true;
    if (engines.every(({ engine }) => engine.timings)) this.timings = true;
  }

  get available(): boolean {
    return this.#engines.some(({ engine }) => engine.available);
  }

  /** The engines by name, and whether each can speak. */
  get parts(): Readonly<Record<string, boolean>> {
    return Object.fromEntries(this.#engines.map(({ name, engine }) => [name, engine.available]));
  }

  async *speak(request: SpeechRequest, signal: AbortSignal): AsyncGenerator<Int16Array, void, void> {
    const own = this.#engines.find(({ engine }) => engine.voices.includes(request.voice))!;
    const others = this.#engines.filter((other) => other !== own);
    let failure: unknown = new SpeechError('unavailable', 'The speech engines are down: try again later.');
    for (const each of [own, ...others]) {
      const voice = each === own ? request.voice : each.engine.voices.find(hasLanguageOf(request.voice));
      if (!voice || !each.engine.available) continue;
      if (each !== own) this.#onFallback(own.name, each.name);
      let hasBegun = false;
      try {
        for await (const samples of each.engine.speak({ ...request, voice }, signal)) {
          hasBegun = true;
          yield samples;
        }
        return;
      } catch (error) {
        if (hasBegun || signal.aborted || isAboutText(error)) throw error;
        failure = error;
      }
    }
    throw failure;
  }

  async close(): Promise<void> {
    await Promise.all(this.#engines.map(({ engine }) => engine.close()));
  }
}

/** True for an error that another engine would have, too. */
function isAboutText(error: unknown): boolean {
  return error instanceof SpeechError && ['nothing-to-speak', 'foreign-script', 'no-slot'].includes(error.reason);
}

const hasLanguageOf =
  ({ language }: Voice) =>
  (voice: Voice): boolean =>
    voice.language === language;

/** Returns the parameters that all of the engines have, each with the range that all of them allow. */
function commonRanges(all: readonly Readonly<Record<string, SamplingRange>>[]): Record<string, SamplingRange> {
  const [first = {}, ...others] = all;
  const common: Record<string, SamplingRange> = {};
  for (const [name, range] of Object.entries(first)) {
    const ranges = [range, ...others.flatMap((one) => one[name] ?? [])];
    if (ranges.length < all.length) continue;
    const least = Math.max(...ranges.map((one) => one.least));
    const most = Math.min(...ranges.map((one) => one.most));
    if (least <= most) common[name] = { least, most };
  }
  return common;
}
