// avatar-route.js
import { readAvatar } from './avatar.js';

/** Answers GET /avatar with the avatar in the clear. Ask who it is first, as for everything that costs. */
export async function getAvatar() {
  return Response.json(await readAvatar('demo'), { headers: { 'Cache-Control': 'private, max-age=3600' } });
}
