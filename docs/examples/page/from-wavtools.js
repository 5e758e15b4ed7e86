import 'svc-speaker/define.js';

const speaker = document.querySelector('svc-speaker');

/** Plays a session of OpenAI Realtime. Returns the function to call when the user interrupts. */
export function playAnswers(socket) {
  let answer; // the item of the model, and the input of the speaker for it
  socket.addEventListener('message', ({ data }) => {
    const { type, item_id, item, delta } = JSON.parse(data);
    if (type === 'response.output_audio.delta') {
      if (item_id !== answer?.item_id) answer = { item_id, input: speaker.openInput({ sampleRate: 24000 }) };
      answer.input.write(delta); // base64; decoded in the worker
    } else if (type === 'response.output_item.done' && item.id === answer?.item_id) answer.input.end();
  });
  return () => {
    if (!answer || !speaker.hasSpeech) return;
    speaker.cancel();
    const audio_end_ms = Math.floor(answer.input.utterance.heard.seconds * 1000);
    const item = { item_id: answer.item_id, content_index: 0, audio_end_ms };
    socket.send(JSON.stringify({ type: 'conversation.item.truncate', ...item }));
  };
}
