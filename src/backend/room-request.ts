import type { FieldError, Parsed } from '../protocol/index.js';
import { isAvatarId } from './avatar-id.js';
import type { RoomRequest } from './svc-client.js';

/**
 * Reads the requested room from a query: `avatar_id`, and optionally `name` and `room`. An empty parameter counts as
 * missing; unknown parameters are ignored.
 *
 * Pure, never throws.
 */
export function parseRoomQuery(query: URLSearchParams): Parsed<RoomRequest> {
  const errors: FieldError[] = [];
  const read = (field: string): string | undefined => {
    const values = query.getAll(field);
    // A repeated parameter is refused: a hook might check one value while the service takes the other.
    if (values.length > 1) errors.push({ field, problem: 'must be given once' });
    return values[0] || undefined;
  };
  const [avatarId, name, room] = [read('avatar_id'), read('name'), read('room')];
  if (!isAvatarId(avatarId)) {
    return { ok: false, errors: [...errors, { field: 'avatar_id', problem: 'must be the id of an avatar' }] };
  }
  if (errors.length) return { ok: false, errors };
  return { ok: true, value: { avatarId, ...(name && { name }), ...(room && { room }) } };
}
