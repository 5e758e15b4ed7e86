import { refusalSchema } from '../api/refusal-schema.js';
import type { Avatar, Avatars } from './avatars.js';

/** Schemas of the refusals of a call that names an avatar, by status. */
export const avatarRefusals = {
  403: refusalSchema('The status of the avatar is not available.'),
  404: refusalSchema('There is no such avatar, or none that the caller may use.'),
} as const;

/** An avatar that the caller may use, or the status and body with which to refuse the call. */
export type AvatarAccess =
  | { readonly ok: true; readonly avatar: Avatar }
  | { readonly ok: false; readonly status: 403 | 404; readonly body: { readonly detail: string } };

/**
 * Finds an avatar for a caller (interface-spec 4.3, 7.2): one of its own or a public one, if its status is `available`.
 * A private avatar of another account gets the same answer as one that does not exist.
 */
export async function findAvatarFor(accountId: string, id: string, avatars: Avatars): Promise<AvatarAccess> {
  const avatar = await avatars.find(id);
  if (!avatar || !(avatar.isPublic || avatar.owner === accountId)) {
    return { ok: false, status: 404, body: { detail: 'There is no such avatar.' } };
  }
  if (avatar.status !== 'available') {
    return { ok: false, status: 403, body: { detail: `The avatar is not available: its status is ${avatar.status}.` } };
  }
  return { ok: true, avatar };
}
