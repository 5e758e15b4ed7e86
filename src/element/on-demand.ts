/** What a page needs only once there is something to say: loaded with the first word, in one piece. */
export { moveIn } from './move-in.js';
export { openChannel } from './open-channel.js';
export { readSentences } from './read-sentences.js';
export { requestSession } from './request-session.js';
