/**
 * The embedded speech service: speaks svctts.v1 with a built-in voice.
 *
 * @packageDocumentation
 */
export { createAccounts, type Accounts } from './account/accounts.js';
export { createAvatars, type Avatars } from './avatar/avatars.js';
export type { Clock } from './clock.js';
export type { Limits } from './limits.js';
export { createService, type Service, type ServiceOptions } from './service.js';
export { createCommandEngine, type CommandOptions } from './speech/command-engine.js';
export { createFliteEngine, type FliteOptions } from './speech/flite-engine.js';
export { createOpenAiEngine, type OpenAiOptions } from './speech/openai-engine.js';
export { createSpeechEngine, type SpeechSettings } from './speech/create-speech-engine.js';
export type {
  SamplingRange,
  SpeechEngine,
  SpeechRequest,
  TimedPhone,
  TimedWord,
  Voice,
} from './speech/speech-engine.js';
export { SpeechError, type SpeechFailure } from './speech/speech-error.js';
export { DatabaseError, type Database, type Queries } from './store/database.js';
export { openDatabase, type StoreOptions } from './store/open-database.js';
export type { VoiceSetting } from './speech/voice-list.js';
export { StoreError } from './store/store-error.js';
