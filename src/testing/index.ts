/**
 * For tests of pages with `<svc-speaker>` in Playwright: a gateway that says what it is told, a recorder of what is heard,
 * and matchers for it. Node.
 */
export type { Heard } from './analysis.js';
export { installRecorder, test, type TestGateway, type TestingFixtures, type TestingOptions } from './fixtures.js';
export { type Gateway, type GatewayOptions, startGateway } from './gateway.js';
export { expect, type GapOptions, type MatchOptions, type PlayedOptions, type SilentOptions } from './matchers.js';
export type { NetworkName } from './networks.js';
export type { PageCounts } from './page-recorder.js';
export { blockMainThread, countLeft, type Mark, record, type RecordedSound, type Recording } from './recording.js';
export type { Reply } from './reply.js';
export { type FramesSpec, type GatewayConnection, type GatewayStep, scriptUrl, speaking } from './script.js';
export type { Sound } from './sound.js';
export { joined, noise, silence, type SoundOptions, tone, wav } from './sounds.js';
