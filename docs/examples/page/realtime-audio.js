const speaker = document.querySelector('svc-speaker');

/**
 * Plays the speech of a model as it arrives, with its transcript as the caption.
 *
 * @param {WebSocket} socket - A Realtime session of OpenAI, through your backend, with audio of 24 kHz.
 * @returns A function to call when the user interrupts. It silences the model, and tells it how much was heard.
 */
export function playAnswers(socket) {
  const send = (message) => socket.send(JSON.stringify(message));
  /** The answer that is being heard or received. */
  let answer = null;

  socket.addEventListener('message', ({ data }) => {
    const event = JSON.parse(data);
    const isText = event.type === 'response.output_audio_transcript.delta';
    if (isText || event.type === 'response.output_audio.delta') {
      if (event.item_id !== answer?.id) answer = { id: event.item_id, input: speaker.openInput({ sampleRate: 24000 }) };
      if (isText) answer.input.addText(event.delta);
      else answer.input.write(event.delta); // base64
    } else if (event.item_id !== answer?.id) {
      return;
    } else if (event.type === 'response.output_audio_transcript.done') {
      answer.hasText = true;
    } else if (event.type === 'response.output_audio.done') {
      answer.hasAudio = true;
    }
    if (answer?.hasText && answer.hasAudio) answer.input.end();
  });

  return () => {
    if (!answer || !speaker.hasSpeech) return;
    const { id, input, hasAudio } = answer;
    const { seconds } = input.utterance.heard;
    if (!hasAudio) send({ type: 'response.cancel' });
    input.cancel(); // Later audio of this answer is ignored.
    const audio_end_ms = Math.floor(seconds * 1000);
    send({ type: 'conversation.item.truncate', item_id: id, content_index: 0, audio_end_ms });
  };
}
