/** The page's media session and audio session. Loaded when a speaker has one of the two attributes. */
import { type AudioSessionSpeaker, updateAudioSession } from './audio-session.js';
import { MediaSessionClaim, type MediaSessionSpeaker } from './media-session.js';

/** Claims of the speakers that are followed. */
const claims = new WeakMap<MediaSessionSpeaker, MediaSessionClaim>();

/** Applies the current `media-session`, `mediaMetadata` and `audio-session`, and follows the speaker from then on. */
export function updateSessions(speaker: AudioSessionSpeaker & MediaSessionSpeaker): void {
  let claim = claims.get(speaker);
  if (!claim) {
    claim = new MediaSessionClaim(speaker);
    claims.set(speaker, claim);
    for (const type of ['statechange', 'emptied']) speaker.addEventListener(type, () => updateAudioSession(speaker));
  }
  claim.update();
  updateAudioSession(speaker);
}
