/** Requests a token for a room with an avatar from the page's own backend. */
export async function getRoomToken(avatarId) {
  const response = await fetch(`/speech/rooms/token?avatar_id=${encodeURIComponent(avatarId)}`);
  if (!response.ok) throw new Error((await response.json()).detail);
  const { token, room_name: room } = await response.json();
  return { token, room };
}
