import type { FieldError, Parsed } from '../protocol/index.js';
import { isAvatarId } from './avatar-id.js';
import type { RoomRequest } from './svc-client.js';

/**
 * Reads what room a page asks for out of a query: `avatar_id`, and perhaps `name` and `room`. An empty one is the same
 * as none; unknown parameters are ignored.
 *
 * Pure, never throws.
 */
export function parseRoomQuery(query: URLSearchParams): Parsed<RoomRequest> {
  const errors: FieldError[] = [];
  const read = (field: string): string | undefined => {
    const values = query.getAll(field);
    // Of two, the one that a hook looks at must not be another than the one that the service takes.
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
