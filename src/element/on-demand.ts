/** The part of the player that a page needs with its first utterance, in one file. */
export { enterDocument } from '../controls/enter-document.js';
export { requestSession } from '../sessions/request-session.js';
export { readSentences } from '../text/read-sentences.js';
export { openChannel } from './open-channel.js';
