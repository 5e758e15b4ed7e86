/** What a page needs only once there is something to say: loaded with the first word, in one piece. */
export { openChannel } from './open-channel.js';
export { requestSession } from './request-session.js';
