import { randomBytes } from 'node:crypto';
import type { Database } from '../store/database.js';
import { AVATAR_ID, readAvatarBundle, type AvatarBundle } from './avatar-bundle.js';
import { AvatarError } from './avatar-error.js';

/** Statuses of an avatar. Only an `available` one can be used, even by its owner (interface-spec 3). */
export const AVATAR_STATUSES = ['processing', 'available', 'disabled'] as const;

/** See {@link AVATAR_STATUSES}. The vendor shows only `available`; the others are this service's own. */
export type AvatarStatus = (typeof AVATAR_STATUSES)[number];

/** An avatar without its bundle. */
export interface Avatar {
  readonly id: string;
  /** Id of the account that owns it. */
  readonly owner: string;
  /** True if any account may use it. */
  readonly isPublic: boolean;
  readonly status: AvatarStatus;
}

/** A row of the list of avatars. */
export interface AvatarRow extends Avatar {
  /** Name in its bundle. */
  readonly name: string;
  /** Size of its bundle as JSON, in bytes. */
  readonly bundleBytes: number;
  readonly createdAt: Date;
}

/** Parameters of {@link Avatars.add}. */
export interface NewAvatar {
  /** Id of the avatar; by default the one in the bundle, or a new one. */
  readonly id?: string;
  /** Id of an existing account. */
  readonly owner: string;
  readonly isPublic: boolean;
  readonly status: AvatarStatus;
  /** Parsed content of the bundle's file, unchecked: see `AvatarBundle`. */
  readonly bundle: unknown;
}

/** The avatars in the database. */
export interface Avatars {
  /**
   * Adds an avatar.
   *
   * @throws {AvatarError} If it cannot be added; the message gives the reason.
   */
  add(avatar: NewAvatar): Promise<{ id: string }>;
  /** Lists avatars by id: all, or at most `limit` whose id comes after `after`. */
  list(page?: { readonly after?: string | undefined; readonly limit?: number }): Promise<AvatarRow[]>;
  /**
   * Changes the status of an avatar.
   *
   * @returns `false` if the avatar does not exist.
   * @throws {AvatarError} If the status does not exist.
   */
  setStatus(id: string, status: AvatarStatus): Promise<boolean>;
  /** Returns the avatar with this id, which may be any string; `null` if there is none. Does not check access. */
  find(id: string): Promise<Avatar | null>;
  /** Returns an avatar's bundle as JSON; `null` if the avatar does not exist. */
  readBundle(id: string): Promise<string | null>;
}

/** Creates the avatars stored in a database whose schema is up to date. */
export function createAvatars(database: Database): Avatars {
  return {
    async add({ id: wanted, owner, isPublic, status, bundle }) {
      const id = chooseId(wanted, bundle);
      checkStatus(status);
      const read = readAvatarBundle(bundle, id);
      const [account] = await database.query('select 1 from account where id = $1', [owner]);
      if (!account)
        throw new AvatarError(`There is no user ${owner}: svc-service keys create --user ${owner} makes one.`);
      const added = await database.query(
        `insert into avatar (id, owner, is_public, status, name, revision, bundle) values ($1, $2, $3, $4, $5, $6, $7)
         on conflict (id) do nothing returning id`,
        [id, owner, isPublic, status, read.avatar.name, read.revision, JSON.stringify(read)],
      );
      if (!added.length) throw new AvatarError(`There is an avatar ${id} already: choose another id.`);
      return { id };
    },
    list: async ({ after = '', limit } = {}) =>
      after !== '' && !AVATAR_ID.test(after)
        ? []
        : database.query<AvatarRow>(
            `select id, owner, is_public as "isPublic", status, name, octet_length(bundle) as "bundleBytes",
                    created_at as "createdAt"
               from avatar where id collate "C" > $1 order by id collate "C" limit $2`,
            [after, limit ?? null],
          ),
    async setStatus(id, status) {
      checkStatus(status);
      if (!AVATAR_ID.test(id)) return false;
      const changed = await database.query('update avatar set status = $2 where id = $1 returning id', [id, status]);
      return changed.length > 0;
    },
    async find(id) {
      // Do not query other strings: a NUL character, for example, is an error in the database.
      if (!AVATAR_ID.test(id)) return null;
      const [avatar] = await database.query<Avatar>(
        'select id, owner, is_public as "isPublic", status from avatar where id = $1',
        [id],
      );
      return avatar ?? null;
    },
    async readBundle(id) {
      if (!AVATAR_ID.test(id)) return null;
      const [avatar] = await database.query<{ bundle: string }>('select bundle from avatar where id = $1', [id]);
      return avatar?.bundle ?? null;
    },
  };
}

function chooseId(wanted: string | undefined, bundle: unknown): string {
  const own = (bundle as Partial<AvatarBundle> | null | undefined)?.avatar?.id as unknown;
  const id = wanted ?? own ?? `avatar-${randomBytes(9).toString('base64url')}`;
  if (typeof id === 'string' && AVATAR_ID.test(id)) return id;
  throw new AvatarError(
    'The id of an avatar must be 1 to 64 letters, digits, - or _, and begin with a letter or digit.',
  );
}

function checkStatus(status: string): asserts status is AvatarStatus {
  if ((AVATAR_STATUSES as readonly string[]).includes(status)) return;
  throw new AvatarError(`The status of an avatar must be one of ${AVATAR_STATUSES.join(', ')}, not ${status}.`);
}
