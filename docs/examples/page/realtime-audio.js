const speaker = document.querySelector('svc-speaker');

/**
 * Plays the speech of a model as it arrives, with its transcript as the caption.
 *
 * @param {WebSocket} socket - A Realtime session of OpenAI, through your backend, with audio of 24 kHz.
 * @returns A function to call when the user interrupts. It silences the model, and tells it how much was heard.
 */
export function playAnswers(socket) {
  const send = (message) => socket.send(JSON.stringify(message));
  /** Answers that were not heard to their end, by their items. One may arrive while another is still heard. */
  const answers = new Map();

  const begin = (id) => {
    const answer = { input: speaker.openInput({ sampleRate: 24000 }) };
    answers.set(id, answer);
    answer.input.utterance.finished.then(
      () => answers.delete(id),
      () => (answer.isOver = true), // interrupted or failed: later audio of it is ignored
    );
    return answer;
  };

  socket.addEventListener('message', ({ data }) => {
    const { type, item_id, delta } = JSON.parse(data);
    const answer = answers.get(item_id);
    if (type === 'response.output_audio.delta') (answer ?? begin(item_id)).input.write(delta); // base64
    else if (type === 'response.output_audio_transcript.delta') (answer ?? begin(item_id)).input.addText(delta);
    else if (type === 'response.output_audio.done' && answer) answer.hasAudio = true;
    else if (type === 'response.output_audio_transcript.done' && answer) answer.hasText = true;
    if (answer?.hasAudio && answer.hasText) answer.input.end();
  });

  return () => {
    for (const [item_id, answer] of answers) {
      if (answer.isOver) continue;
      const { seconds } = answer.input.utterance.heard;
      if (!answer.hasAudio) send({ type: 'response.cancel' });
      answer.isOver = true;
      answer.input.cancel();
      const audio_end_ms = Math.floor(seconds * 1000);
      send({ type: 'conversation.item.truncate', item_id, content_index: 0, audio_end_ms });
    }
  };
}
