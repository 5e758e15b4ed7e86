import type { EngineName, SpeechSettings } from '../speech/create-speech-engine.js';
import type { VoiceSetting } from '../speech/voice-list.js';
import { SettingsError } from './settings-error.js';
import { defined, readChoice, readInteger, readUrl, type Environment } from './read-values.js';

/** Values of `SVC_SPEECH`, of which it may list several. */
const SPEECH_ENGINES: readonly EngineName[] = ['flite', 'openai', 'command'];

/** Suffixes of a voice: its language, or that only plan `pro` may use it. */
const SUFFIX = /:(?:(premium)|([a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*))$/;

/**
 * Reads the `SVC_SPEECH…` variables.
 *
 * @returns `undefined` if none is set.
 * @throws {SettingsError} If one is invalid, or the chosen engine lacks a variable that it needs.
 */
export function readSpeech(environment: Environment): SpeechSettings | undefined {
  const engines = listOf(environment.SVC_SPEECH)?.map((name) => readChoice('SVC_SPEECH', name, SPEECH_ENGINES)!) ?? [];
  const url = readUrl('SVC_SPEECH_URL', environment.SVC_SPEECH_URL);
  const command = environment.SVC_SPEECH_COMMAND || undefined;
  const voices = listOf(environment.SVC_SPEECH_VOICES)?.map(readVoice);
  const sampleRate = readInteger('SVC_SPEECH_SAMPLE_RATE', environment.SVC_SPEECH_SAMPLE_RATE, 4000, 384_000);
  if (engines.includes('openai') && !url) {
    throw new SettingsError('SVC_SPEECH=openai needs SVC_SPEECH_URL, such as http://127.0.0.1:8880/v1/audio/speech.');
  }
  if (engines.includes('command') && !command) {
    throw new SettingsError('SVC_SPEECH=command needs SVC_SPEECH_COMMAND, such as "espeak-ng --stdout".');
  }
  const settings = defined<SpeechSettings>({
    engine: engines.length > 1 ? engines : engines[0],
    url,
    key: environment.SVC_SPEECH_KEY || undefined,
    command,
    voices: voices?.length ? voices : undefined,
    model: environment.SVC_SPEECH_MODEL || undefined,
    timings: readChoice('SVC_SPEECH_TIMINGS', environment.SVC_SPEECH_TIMINGS, ['captioned']) ? true : undefined,
    sampleRate,
    concurrency: readInteger('SVC_SPEECH_CONCURRENCY', environment.SVC_SPEECH_CONCURRENCY, 1, 1000),
    threads: readInteger('SVC_SPEECH_THREADS', environment.SVC_SPEECH_THREADS, 1, 256),
  });
  return Object.keys(settings).length > 0 ? settings : undefined;
}

/** Returns the entries of a list with commas. */
function listOf(text: string | undefined): string[] | undefined {
  return text
    ?.split(',')
    .map((entry) => entry.trim())
    .filter(Boolean);
}

/** Reads a voice such as `ff_siwis:fr:premium`. */
function readVoice(text: string): VoiceSetting {
  let id = text;
  let setting: { language?: string; premium?: true } = {};
  for (let suffix = SUFFIX.exec(id); suffix; suffix = SUFFIX.exec(id)) {
    const [found, premium, language] = suffix;
    setting = { ...setting, ...(premium ? { premium: true } : { language: language! }) };
    id = id.slice(0, -found.length);
  }
  return id === text ? id : { id, ...setting };
}
