/** The part of the player that is loaded with the first utterance, in one file. */
export { openChannel } from '../launch/open-channel.js';
export { createBroker } from '../sessions/create-broker.js';
export { heardCharacters } from '../playback/heard-text.js';
export { preload } from './preload.js';
