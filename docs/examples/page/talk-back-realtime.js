import { say, voiceDetected, wordRecognised } from './talk-back.js';

/**
 * Speaks what a model writes, and lets the user interrupt it.
 *
 * @param {WebSocket} socket - A Realtime session, through your backend. Its `turn_detection` has `interrupt_response: false`:
 *   this page decides what an interruption is.
 */
export function converse(socket) {
  const send = (message) => socket.send(JSON.stringify(message));
  /** The item that is being written or spoken. */
  let item = null;

  socket.addEventListener('message', ({ data }) => {
    const event = JSON.parse(data);
    switch (event.type) {
      case 'response.output_text.delta':
        if (event.item_id !== item?.id) item = { id: event.item_id, ...speakWhatComes() };
        item.write(event.delta);
        return;
      case 'response.output_text.done':
        if (event.item_id !== item?.id) return;
        item.isWritten = true;
        item.end();
        return;
      case 'input_audio_buffer.speech_started':
        return voiceDetected();
      case 'conversation.item.input_audio_transcription.delta': {
        const heard = wordRecognised();
        if (heard && item) forgetTheRest(send, item, heard);
      }
    }
  });
}

function speakWhatComes() {
  let writer;
  const text = new ReadableStream({ start: (controller) => (writer = controller) });
  let isOpen = true;
  say(text).finished.catch(() => (isOpen = false)); // cancelled: what is still written is not wanted
  return {
    write: (delta) => isOpen && writer.enqueue(delta),
    end: () => isOpen && writer.close(),
  };
}

/** The model learns that only this much of its answer was heard. */
function forgetTheRest(send, item, heard) {
  if (!item.isWritten) send({ type: 'response.cancel' });
  send({ type: 'conversation.item.delete', item_id: item.id });
  if (heard.text === '') return;
  const content = [{ type: 'output_text', text: heard.text }];
  send({ type: 'conversation.item.create', item: { type: 'message', role: 'assistant', content } });
}
