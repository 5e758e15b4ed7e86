/**
 * Playwright tests for pages with `<svc-speaker>`: a scripted gateway, a recorder of the sound that a page plays, and
 * matchers for it. Node.
 *
 * @packageDocumentation
 */
export { type Heard, type Range, silencesOf, soundOf } from './analysis.js';
export { fakeMicrophone } from './fake-microphone.js';
export {
  installRecorder,
  type RecorderOptions,
  test,
  type TestGateway,
  type TestingFixtures,
  type TestingOptions,
} from './fixtures.js';
export { type Gateway, type GatewayOptions, startGateway } from './gateway.js';
export type {
  DuckedOptions,
  GapOptions,
  HeardOptions,
  MatchOptions,
  PlayedOptions,
  SilentOptions,
  SpokenWordsOptions,
} from './matcher-options.js';
export { expect } from './matchers.js';
export type { NetworkName } from './networks.js';
export type { PageCounts } from './page-recording.js';
export { recorderSource } from './recorder-sources.generated.js';
export {
  blockMainThread,
  countLeft,
  type Mark,
  record,
  type RecordedSound,
  type Recording,
  type SpeechSource,
} from './recording.js';
export type { Reply } from './reply.js';
export { type FramesSpec, type GatewayConnection, type GatewayStep, scriptUrl, speaking } from './script.js';
export type { Sound } from './sound.js';
export { joined, noise, silence, type SoundOptions, tone, wav } from './sounds.js';
