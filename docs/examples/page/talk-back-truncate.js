/** For an item with audio that the model has made itself: the service cuts audio and transcript. */
export function truncate(send, itemId, { seconds }) {
  const audio_end_ms = Math.floor(seconds * 1000);
  send({ type: 'conversation.item.truncate', item_id: itemId, content_index: 0, audio_end_ms });
}
