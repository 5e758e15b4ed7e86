// avatar-route.js
import { readAvatar } from './avatar.js';

/** Answers GET /avatar with the decrypted avatar. Authenticate the user first, as for everything that costs money. */
export async function getAvatar() {
  return Response.json(await readAvatar('demo'), { headers: { 'Cache-Control': 'private, max-age=3600' } });
}
