import { SettingsError } from './settings-error.js';
import { defined, readChoice, readInteger, readUrl, type Environment } from './read-values.js';

/** Names of the engines that can be chosen by `SVC_SPEECH`. */
export const SPEECH_ENGINES = ['flite', 'openai', 'command'] as const;

/** Which engine speaks, and what it needs to know. */
export interface SpeechSettings {
  readonly engine: (typeof SPEECH_ENGINES)[number];
  /** Of `openai`: the address of the server, `http:` or `https:`. */
  readonly url?: string;
  /** Of `openai`: the key for it, if it wants one. A secret. */
  readonly key?: string;
  /** Of `command`: the program and its arguments. */
  readonly command?: string;
  /** Ids of the voices that are offered, in order. */
  readonly voices?: readonly string[];
  /** Of `openai`: the model to ask for. */
  readonly model?: string;
  /** Rate of the engine's samples in Hz, where it does not say itself. */
  readonly sampleRate?: number;
}

/**
 * Reads the `SVC_SPEECH…` variables.
 *
 * @returns `undefined` if none is set.
 * @throws {SettingsError} If one cannot be used, or the chosen engine lacks what it needs.
 */
export function readSpeech(environment: Environment): SpeechSettings | undefined {
  const engine = readChoice('SVC_SPEECH', environment.SVC_SPEECH, SPEECH_ENGINES);
  const url = readUrl('SVC_SPEECH_URL', environment.SVC_SPEECH_URL);
  const command = environment.SVC_SPEECH_COMMAND || undefined;
  const voices = environment.SVC_SPEECH_VOICES?.split(',')
    .map((voice) => voice.trim())
    .filter(Boolean);
  const sampleRate = readInteger('SVC_SPEECH_SAMPLE_RATE', environment.SVC_SPEECH_SAMPLE_RATE, 8000, 192_000);
  if (engine === 'openai' && !url) {
    throw new SettingsError('SVC_SPEECH=openai needs SVC_SPEECH_URL, such as http://127.0.0.1:8880/v1/audio/speech.');
  }
  if (engine === 'command' && !command) {
    throw new SettingsError('SVC_SPEECH=command needs SVC_SPEECH_COMMAND, such as "espeak-ng --stdout".');
  }
  const rest = defined<Omit<SpeechSettings, 'engine'>>({
    url,
    key: environment.SVC_SPEECH_KEY || undefined,
    command,
    voices: voices?.length ? voices : undefined,
    model: environment.SVC_SPEECH_MODEL || undefined,
    sampleRate,
  });
  if (engine === undefined && Object.keys(rest).length === 0) return undefined;
  return { engine: engine ?? 'flite', ...rest };
}
