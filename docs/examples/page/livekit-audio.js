const speaker = document.querySelector('svc-speaker');

/**
 * Plays the audio that an agent sends to this participant on data streams. Reports to the agent how much of each answer was
 * heard.
 *
 * @param {import('livekit-client').Room} room
 * @param {string} agent - Identity of the agent.
 */
export function playAgent(room, agent) {
  const notify = (method, event) =>
    room.localParticipant
      .performRpc({ destinationIdentity: agent, method, payload: JSON.stringify(event) })
      .catch((error) => console.warn(`The agent did not take ${method}:`, error));

  room.registerByteStreamHandler('lk.audio_stream', async (reader, { identity }) => {
    if (identity !== agent) return;
    const input = speaker.openInput({ sampleRate: Number(reader.info.attributes.sample_rate) });
    const { utterance } = input;
    const finished = (interrupted) =>
      notify('lk.playback_finished', { playback_position: utterance.heard.seconds, interrupted });
    utterance.finished.then(
      () => finished(false),
      () => finished(true),
    );
    try {
      for await (const bytes of reader) input.write(bytes.slice().buffer);
    } catch (error) {
      console.warn('The agent has left in the middle of an answer:', error);
    }
    input.end(); // The audio that has arrived is played to its end.
  });

  room.registerRpcMethod('lk.clear_buffer', async ({ callerIdentity }) => {
    if (callerIdentity !== agent) return 'reject';
    speaker.cancel();
    return 'ok';
  });
}
