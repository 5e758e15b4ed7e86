import type { SpeakerState } from '../playback/index.js';

/** States in which nothing is left to play. */
const SILENT: readonly SpeakerState[] = ['idle', 'ended', 'error'];

/** Members of a speaker that determine the page's audio session. */
export interface AudioSessionSpeaker extends EventTarget {
  readonly audioSession: string;
  readonly state: SpeakerState;
}

/** The speakers that want a session type now, in the order in which they began to speak. */
const wishes = new Map<AudioSessionSpeaker, string>();
/** The session type before the first of them, and the one that a speaker has set last. */
let before = '';
let ours = '';

/**
 * Sets `navigator.audioSession.type` while a speaker has something to play, paused or not, and restores it afterwards,
 * unless the page has set another type meanwhile. A page has one session, so the last speaker to begin decides.
 *
 * Does nothing without the API of the Audio Session draft (https://w3c.github.io/audio-session/). Main thread.
 */
export function updateAudioSession(speaker: AudioSessionSpeaker): void {
  const { audioSession: session } = navigator as { audioSession?: { type: string } };
  if (!session) return;
  const { audioSession, state } = speaker;
  const wish = audioSession === 'auto' || SILENT.includes(state) ? undefined : audioSession;
  if (wishes.get(speaker) === wish) return;
  if (wishes.size === 0) before = session.type;
  if (wish === undefined) wishes.delete(speaker);
  else wishes.set(speaker, wish);
  const last = [...wishes.values()].at(-1);
  if (last !== undefined) session.type = ours = last;
  else if (session.type === ours) session.type = before;
}
