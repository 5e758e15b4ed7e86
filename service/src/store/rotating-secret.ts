import type { Clock } from '../clock.js';
import type { Queries } from './database.js';
import {
  INITIAL_KID,
  readSecret,
  type SecretName,
  type SecretVersion,
  type SecretVersions,
} from './secret-versions.js';

/** Age at which versions are read again, in milliseconds. A node may sign with a replaced version until then. */
const FRESH_MS = 60_000;

/** Minimum time between two reads for unknown `kid`s, in milliseconds. */
const LOOKUP_MS = 1_000;

/** Format of a `kid` that is worth a read. */
const KID = /^svc[0-9a-f]{18}$/;

/** A secret with several versions, cached by this node. Follows rotations by other processes. */
export interface RotatingSecret {
  /**
   * Returns the version to sign with. A new version is returned at most a minute after it starts to sign.
   *
   * @throws {DatabaseError} If the versions must be read and cannot be.
   */
  newest(): Promise<SecretVersion>;
  /**
   * Returns the version with this `kid`; `null` if it is not accepted. An unknown `kid` is looked up in the database.
   * All lookups within a second share one read and wait for it.
   *
   * @param kid - From the token; `undefined` in tokens from before secrets had versions.
   * @throws {DatabaseError} If the versions must be read and cannot be.
   */
  find(kid: string | undefined): Promise<SecretVersion | null>;
}

/** Opens a secret. Creates its first version if there is none. */
export async function openRotatingSecret(queries: Queries, name: SecretName, clock: Clock): Promise<RotatingSecret> {
  let versions: SecretVersions;
  let readAt = -Infinity;
  const read = async (): Promise<SecretVersions> => {
    const startedAt = clock.elapsed();
    const found = await readSecret(queries, name);
    if (startedAt >= readAt) {
      versions = found;
      readAt = startedAt;
    }
    return found;
  };

  let reading: Promise<SecretVersions> | undefined;
  const fresh = async (): Promise<SecretVersions> => {
    if (clock.elapsed() - readAt < FRESH_MS) return versions;
    return await (reading ??= read().finally(() => (reading = undefined)));
  };

  let lookup: Promise<SecretVersions> | undefined;
  let lookedUpAt = -Infinity;
  const lookUp = async (): Promise<SecretVersions> => {
    const wait = lookedUpAt + LOOKUP_MS - clock.elapsed();
    await new Promise<void>((resolve) => (wait > 0 ? clock.after(wait, resolve) : resolve()));
    // Later requests need another read, because this one may have begun before the rotation.
    lookup = undefined;
    lookedUpAt = clock.elapsed();
    return await read();
  };

  await fresh();
  return {
    newest: async () => (await fresh()).newest,
    async find(kid = INITIAL_KID) {
      const known = (await fresh()).byKid.get(kid);
      if (known || !KID.test(kid)) return known ?? null;
      return (await (lookup ??= lookUp())).byKid.get(kid) ?? null;
    },
  };
}
