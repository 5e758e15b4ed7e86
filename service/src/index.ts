/**
 * The embedded speech service: speaks svctts.v1 with a built-in voice.
 *
 * @packageDocumentation
 */
export type { Clock } from './clock.js';
export type { Limits } from './limits.js';
export { createService, type Service, type ServiceOptions } from './service.js';
export { createFliteEngine, type FliteOptions } from './speech/flite-engine.js';
export type { SamplingRange, SpeechEngine, SpeechRequest, Voice } from './speech/speech-engine.js';
export { SpeechError, type SpeechFailure } from './speech/speech-error.js';
