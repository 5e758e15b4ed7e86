/** The part of the player that is loaded with the first utterance, in one file. */
export { openChannel } from '../launch/open-channel.js';
export { createBroker } from '../sessions/create-broker.js';
export { heardRules } from '../playback/heard-part.js';
export { historyRules } from '../playback/history.js';
export { sessionRules } from '../playback/session-rules.js';
export { preload } from './preload.js';
