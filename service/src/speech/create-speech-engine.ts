import { createCommandEngine, type CommandOptions } from './command-engine.js';
import { createFliteEngine } from './flite-engine.js';
import { createOpenAiEngine, type OpenAiOptions } from './openai-engine.js';
import type { SpeechEngine } from './speech-engine.js';
import type { VoiceSetting } from './voice-list.js';

/** Choice of the engine (`SVC_SPEECH`) and its options (`SVC_SPEECH_` and the member's name). */
export interface SpeechSettings {
  /** `flite` (embedded, the default), `openai` (a server), or `command` (a program). */
  readonly engine?: 'flite' | 'openai' | 'command';
  /** `openai`: address of the server. */
  readonly url?: string;
  /** `openai`: key of the server. */
  readonly key?: string;
  /** `openai`: model of the server. */
  readonly model?: string;
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
}

/** Members that each engine uses. */
const MEMBERS: Readonly<Record<string, readonly string[]>> = {
  flite: ['threads'],
  openai: ['url', 'key', 'model', 'voices', 'sampleRate', 'concurrency'],
  command: ['command', 'voices', 'sampleRate', 'concurrency'],
};

/**
 * Starts the engine that the settings select.
 *
 * @throws {RangeError} If a member is missing, not used by this engine, or out of range; the message names its
 *   variable.
 * @throws {Error} If the engine does not start.
 */
export async function createSpeechEngine(settings: SpeechSettings = {}): Promise<SpeechEngine> {
  const { engine = 'flite', onAvailable, ...rest } = settings;
  const members = MEMBERS[engine];
  if (!members) {
    const known = Object.keys(MEMBERS).join(', ');
    throw new RangeError(`There is no speech engine ${engine}: SVC_SPEECH must be one of ${known}.`);
  }
  const given = Object.fromEntries(Object.entries(rest).filter((member) => member[1] !== undefined));
  for (const name of Object.keys(given)) {
    if (!members.includes(name))
      throw new RangeError(`${variable(name)} has no effect with SVC_SPEECH=${engine}: remove it.`);
  }
  const { sampleRate } = settings;
  if (sampleRate !== undefined && !(Number.isInteger(sampleRate) && sampleRate >= 4000 && sampleRate <= 384_000)) {
    throw new RangeError(`${variable('sampleRate')} must be a whole number from 4000 to 384000, not ${sampleRate}.`);
  }
  if (engine === 'flite') return createFliteEngine(given);
  const needed = engine === 'openai' ? 'url' : 'command';
  if (!settings[needed]) throw new RangeError(`The speech engine ${engine} needs ${variable(needed)}.`);
  const watched = { ...given, ...(onAvailable ? { onAvailable } : {}) };
  if (engine === 'command') return createCommandEngine(watched as unknown as CommandOptions);
  return createOpenAiEngine(watched as unknown as OpenAiOptions);
}

function variable(member: string): string {
  return `SVC_SPEECH_${member.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
}
