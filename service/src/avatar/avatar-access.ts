import type { Avatar, Avatars } from './avatars.js';

/** Body of a refusal, as JSON schema (interface-spec 7.2). */
export const detailSchema = {
  type: 'object',
  required: ['detail'],
  properties: { detail: { type: 'string' } },
} as const;

/** How calls that name an avatar are refused, for the description of a route. */
export const avatarRefusals = {
  401: { description: 'The API key is missing, wrong or revoked.', ...detailSchema },
  403: { description: 'The status of the avatar is not available.', ...detailSchema },
  404: { description: 'There is no such avatar, or none that the caller may use.', ...detailSchema },
  429: { description: 'Too many requests.', ...detailSchema },
} as const;

/** An avatar that may be used, or with which status and body a call that names it is refused. */
export type AvatarAccess =
  | { readonly ok: true; readonly avatar: Avatar }
  | { readonly ok: false; readonly status: 403 | 404; readonly body: { readonly detail: string } };

/**
 * Finds an avatar for a caller (interface-spec 4.3, 7.2): its own, or a public one, if its status is `available`. A
 * private one of somebody else is not there, as far as the answer tells.
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
