import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * Finds a file that `service/build.mjs` creates: beside the built service, or in `dist` when running from source.
 *
 * @returns `null` if it has not been built.
 */
export function findBuiltFile(name: string): string | null {
  const places = [`./${name}`, `../../dist/${name}`].map((place) => fileURLToPath(new URL(place, import.meta.url)));
  return places.find((path) => existsSync(path)) ?? null;
}
