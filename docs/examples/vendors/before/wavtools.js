import { WavStreamPlayer } from 'wavtools';

/** Plays a session of OpenAI Realtime. Returns the function to call when the user interrupts. */
export async function playAnswers(socket) {
  const player = new WavStreamPlayer({ sampleRate: 24000 });
  await player.connect();
  socket.addEventListener('message', ({ data }) => {
    const { type, item_id, delta } = JSON.parse(data);
    if (type !== 'response.output_audio.delta') return;
    const bytes = Uint8Array.from(atob(delta), (character) => character.charCodeAt(0));
    player.add16BitPCM(bytes.buffer, item_id);
  });
  return async () => {
    const played = await player.interrupt();
    if (!played?.trackId) return;
    const audio_end_ms = Math.floor(played.currentTime * 1000);
    const item = { item_id: played.trackId, content_index: 0, audio_end_ms };
    socket.send(JSON.stringify({ type: 'conversation.item.truncate', ...item }));
  };
}
