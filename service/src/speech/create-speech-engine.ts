import { createCommandEngine, type CommandOptions } from './command-engine.js';
import { createFliteEngine } from './flite-engine.js';
import { createOpenAiEngine, type OpenAiOptions } from './openai-engine.js';
import type { SpeechEngine } from './speech-engine.js';
import type { VoiceSetting } from './voice-list.js';

/** Which engine speaks (`SVC_SPEECH`), and what it is told (`SVC_SPEECH_` and the member's name). */
export interface SpeechSettings {
  /** `flite` (the embedded one, by default), `openai` (a server), or `command` (a program). */
  readonly engine?: 'flite' | 'openai' | 'command';
  /** Of `openai`: where the server is. */
  readonly url?: string;
  /** Of `openai`: its key. */
  readonly key?: string;
  /** Of `openai`: its model. */
  readonly model?: string;
  /** Of `command`: the program and its arguments. */
  readonly command?: string;
  /** Of `openai` and `command`: their voices, the default one first. */
  readonly voices?: readonly VoiceSetting[];
  /** Of `openai` and `command`: rate of the voices, in Hz, from 4000 to 384000. */
  readonly sampleRate?: number;
  /** Of `openai` and `command`: requests, or programs, at a time. */
  readonly concurrency?: number;
  /** Of `flite`: threads; one less than there are processors by default. */
  readonly threads?: number;
  /** Of `openai`: told when the server goes down, and why, and when it is back. */
  readonly onAvailable?: OpenAiOptions['onAvailable'];
}

/** Members that an engine has a use for. */
const MEMBERS: Readonly<Record<string, readonly string[]>> = {
  flite: ['threads'],
  openai: ['url', 'key', 'model', 'voices', 'sampleRate', 'concurrency'],
  command: ['command', 'voices', 'sampleRate', 'concurrency'],
};

/**
 * Starts the engine that the settings name.
 *
 * @throws {RangeError} If a member is missing, of no use to this engine, or out of bounds; the message names its variable.
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
    if (!members.includes(name)) throw new RangeError(`${variable(name)} is of no use to the speech engine ${engine}.`);
  }
  const { sampleRate } = settings;
  if (sampleRate !== undefined && !(Number.isInteger(sampleRate) && sampleRate >= 4000 && sampleRate <= 384_000)) {
    throw new RangeError(`${variable('sampleRate')} must be a whole number from 4000 to 384000, not ${sampleRate}.`);
  }
  if (engine === 'flite') return createFliteEngine(given);
  const needed = engine === 'openai' ? 'url' : 'command';
  if (!settings[needed]) throw new RangeError(`The speech engine ${engine} needs ${variable(needed)}.`);
  if (engine === 'command') return createCommandEngine(given as unknown as CommandOptions);
  return createOpenAiEngine({ ...(given as unknown as OpenAiOptions), ...(onAvailable ? { onAvailable } : {}) });
}

function variable(member: string): string {
  return `SVC_SPEECH_${member.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
}
