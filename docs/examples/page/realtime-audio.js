const speaker = document.querySelector('svc-speaker');

/**
 * Plays the speech of a model as it arrives, with its transcript as the caption.
 *
 * @param {WebSocket} socket - A Realtime session of OpenAI, through your backend, with audio of 24 kHz.
 * @returns A function to call when the user interrupts. It silences the speech, and sends to the model how much was heard.
 */
export function playAnswers(socket) {
  const send = (message) => socket.send(JSON.stringify(message));
  /** Answers that were not heard to their end, by their items. One may arrive while another is still heard. */
  const answers = new Map();
  /** The response that is arriving, and the last one that was interrupted, of which events may still arrive. */
  let arriving = null;
  let interrupted = null;

  const inputOf = (item, response) => {
    if (!answers.has(item)) {
      const input = speaker.openInput({ sampleRate: 24000 });
      answers.set(item, { input, response });
      input.utterance.finished.then(
        () => answers.delete(item),
        () => {}, // Later audio of it is ignored.
      );
    }
    return answers.get(item).input;
  };
  const end = (isOver) => {
    for (const [item, { input, response }] of answers) if (isOver(item, response)) input.end();
  };

  socket.addEventListener('message', ({ data }) => {
    const { type, delta, item, item_id, response, response_id = response?.id } = JSON.parse(data);
    if (response_id && response_id === interrupted) return;
    if (response_id) arriving = type === 'response.done' ? null : response_id;
    // The first version of this protocol, which other services speak, has no `output_`.
    const name = type.replace('output_audio', 'audio');
    if (name === 'response.audio.delta') inputOf(item_id, response_id).write(delta); // base64
    else if (name === 'response.audio_transcript.delta') inputOf(item_id, response_id).addText(delta);
    else if (type === 'response.output_item.done') end((id) => id === item.id);
    else if (type === 'response.done') end((_, id) => id === response_id);
  });
  socket.addEventListener('close', () => end(() => true));

  return () => {
    if (arriving) {
      send({ type: 'response.cancel' });
      [interrupted, arriving] = [arriving, null];
    }
    for (const [item_id, { input }] of answers) {
      const audio_end_ms = Math.floor(input.utterance.heard.seconds * 1000);
      input.cancel();
      send({ type: 'conversation.item.truncate', item_id, content_index: 0, audio_end_ms });
    }
    answers.clear();
  };
}
