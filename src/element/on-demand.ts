/** The part of this room that a page needs only when there is something to say: loaded then, in one piece. */
export { openChannel } from '../launch/open-channel.js';
export { moveIn } from './move-in.js';
export { readSentences } from './read-sentences.js';
export { requestSession } from './request-session.js';
