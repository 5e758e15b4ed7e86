import { attempt } from './attempt.js';
import { callSessions } from './call-sessions.js';
import { firstAudio } from './first-audio.js';
import { hold } from './hold.js';
import { hostile } from './hostile.js';
import { listen } from './listen.js';
import { live } from './live.js';
import { openSockets } from './open-sockets.js';
import { request } from './request.js';
import { speakOften } from './speak-often.js';
import { speakMuch } from './speak-much.js';

/** Jobs of a client by name. */
export const JOBS = {
  attempt,
  callSessions,
  firstAudio,
  hold,
  hostile,
  listen,
  live,
  openSockets,
  request,
  speakMuch,
  speakOften,
};

/** Type of {@link JOBS}. */
export type Jobs = typeof JOBS;
