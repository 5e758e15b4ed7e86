import { createCommandEngine, type CommandOptions } from './command-engine.js';
import { FallbackEngine } from './fallback-engine.js';
import { createFliteEngine } from './flite-engine.js';
import { type OpenAiOptions, startOpenAiEngine } from './openai-engine.js';
import type { SpeechEngine } from './speech-engine.js';
import type { VoiceSetting } from './voice-list.js';

/** Names of the engines. */
export type EngineName = 'flite' | 'openai' | 'command';

/** Choice of the engine (`SVC_SPEECH`) and its options (`SVC_SPEECH_` and the member's name). */
export interface SpeechSettings {
  /**
   * `flite` (embedded, the default), `openai` (a server), or `command` (a program). With several, each different, one speaks
   * while those before it cannot.
   */
  readonly engine?: EngineName | readonly EngineName[];
  /** `openai`: address of the server. */
  readonly url?: string;
  /** `openai`: key of the server. */
  readonly key?: string;
  /** `openai`: model of the server. */
  readonly model?: string;
  /** `openai`: true if the server reports the times of words, as Kokoro-FastAPI does. */
  readonly timings?: boolean;
  /** `command`: the program and its arguments. */
  readonly command?: string;
  /** `openai` and `command`: the voices, the default one first. */
  readonly voices?: readonly VoiceSetting[];
  /** `openai` and `command`: rate of the voices, in Hz, from 4000 to 384000. */
  readonly sampleRate?: number;
  /** `openai` and `command`: maximum number of requests, or programs, at a time. */
  readonly concurrency?: number;
  /** `flite`: see `FliteOptions`; by default one less than the number of processors. */
  readonly threads?: number;
  /** `openai` and `command`: called when the engine goes down, with the reason, and when it is back. */
  readonly onAvailable?: OpenAiOptions['onAvailable'];
  /** With several engines: called with two of their names when the second speaks in place of the first. */
  readonly onFallback?: (from: string, to: string) => void;
}

/** Members that each engine uses. */
const MEMBERS: Readonly<Record<EngineName, readonly string[]>> = {
  flite: ['threads'],
  openai: ['url', 'key', 'model', 'voices', 'sampleRate', 'concurrency', 'timings'],
  command: ['command', 'voices', 'sampleRate', 'concurrency'],
};

/**
 * Starts the engine that the settings select, or several of them.
 *
 * @throws {RangeError} If a member is missing, not used by this engine, or out of range; the message names its
 *   variable.
 * @throws {Error} If an engine does not start.
 */
export async function createSpeechEngine(settings: SpeechSettings = {}): Promise<SpeechEngine> {
  const { engine = 'flite', onAvailable, onFallback = () => {}, ...rest } = settings;
  const names = typeof engine === 'string' ? [engine] : engine;
  const given = Object.fromEntries(Object.entries(rest).filter((member) => member[1] !== undefined));
  check(names, given);
  const started = await Promise.allSettled(
    names.map((name) => {
      const used = Object.fromEntries(Object.entries(given).filter(([member]) => MEMBERS[name].includes(member)));
      if (name === 'flite') return createFliteEngine(used);
      const watched = { ...used, ...(onAvailable ? { onAvailable } : {}) };
      return name === 'command'
        ? createCommandEngine(watched as unknown as CommandOptions)
        : startOpenAiEngine(watched as unknown as OpenAiOptions);
    }),
  );
  const engines = started.flatMap((one, index) =>
    one.status === 'fulfilled' ? { name: names[index]!, engine: one.value } : [],
  );
  const failed = started.find((one) => one.status === 'rejected');
  if (failed) {
    await Promise.all(engines.map((one) => one.engine.close()));
    throw failed.reason;
  }
  return engines.length === 1 ? engines[0]!.engine : new FallbackEngine(engines, onFallback);
}

/** @throws {RangeError} As `createSpeechEngine` does. */
function check(names: readonly EngineName[], given: Readonly<Record<string, unknown>>): void {
  const known = Object.keys(MEMBERS);
  for (const name of names) {
    if (!known.includes(name)) {
      throw new RangeError(`There is no speech engine ${name}: SVC_SPEECH must be one of ${known.join(', ')}.`);
    }
  }
  if (names.length === 0 || new Set(names).size < names.length) {
    throw new RangeError('SVC_SPEECH must name each speech engine once.');
  }
  if (names.includes('openai') && names.includes('command')) {
    throw new RangeError('SVC_SPEECH can name openai or command, because both use SVC_SPEECH_VOICES.');
  }
  for (const member of Object.keys(given)) {
    if (!names.some((name) => MEMBERS[name].includes(member))) {
      throw new RangeError(`${variable(member)} has no effect with SVC_SPEECH=${names.join(',')}: remove it.`);
    }
  }
  const { sampleRate } = given as SpeechSettings;
  if (sampleRate !== undefined && !(Number.isInteger(sampleRate) && sampleRate >= 4000 && sampleRate <= 384_000)) {
    throw new RangeError(`${variable('sampleRate')} must be a whole number from 4000 to 384000, not ${sampleRate}.`);
  }
  for (const [name, needed] of [
    ['openai', 'url'],
    ['command', 'command'],
  ] as const) {
    if (names.includes(name) && !given[needed]) {
      throw new RangeError(`The speech engine ${name} needs ${variable(needed)}.`);
    }
  }
}

function variable(member: string): string {
  return `SVC_SPEECH_${member.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
}
