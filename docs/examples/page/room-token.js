/** Asks the page's own backend for admission to a room with an avatar. */
export async function getRoomToken(avatarId) {
  const response = await fetch(`/speech/rooms/token?avatar_id=${encodeURIComponent(avatarId)}`);
  if (!response.ok) throw new Error((await response.json()).detail);
  const { token, room_name: room } = await response.json();
  return { token, room };
}
