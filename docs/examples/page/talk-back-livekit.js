import { say, voiceDetected, wordRecognised } from './talk-back.js';

/**
 * Speaks what an agent writes in a LiveKit room, and lets the user interrupt it.
 *
 * @param {import('livekit-client').Room} room - Publishes the user's microphone. Its agent publishes text, no audio, and
 *   leaves interruptions to this page.
 * @param {string} agent - Identity of the agent.
 */
export function converse(room, agent) {
  const { localParticipant } = room;
  /** Segment of the answer that is being written or spoken. */
  let segment;

  localParticipant.on('isSpeakingChanged', (isSpeaking) => isSpeaking && voiceDetected());

  room.registerTextStreamHandler('lk.transcription', async (reader, { identity }) => {
    if (identity === agent) {
      segment = reader.info.attributes?.['lk.segment_id'];
      say(reader).finished.catch(() => {}); // The user has interrupted it, or the element shows the error.
    } else if (identity === localParticipant.identity) {
      for await (const words of reader) if (words.trim() !== '') interrupt();
    }
  });

  function interrupt() {
    const heard = wordRecognised();
    if (!heard) return;
    // The agent stops writing and learns that only this much of its answer was heard.
    const payload = JSON.stringify({ segment, ...heard });
    localParticipant
      .performRpc({ destinationIdentity: agent, method: 'truncate', payload })
      .catch((error) => console.warn('The agent did not take what was heard:', error));
  }
}
