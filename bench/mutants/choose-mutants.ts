import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findMutants, rank, type Mutant } from './find-mutants.js';

/** Number of mutants in each room: by its size, but enough in small ones to see a loss. */
const ROOMS: Readonly<Record<string, number>> = {
  'src/ring': 36,
  'src/connection': 88,
  'src/playback': 100,
  'src/text': 10,
  'src/formats': 40,
  'src/sessions': 26,
  'src/output': 40,
  worklet: 80,
  'src/backend': 40,
  'src/base': 12,
  'src/controls': 20,
  'src/dialects': 8,
  'src/dsp': 20,
  'src/element': 20,
  'src/launch': 20,
  'src/protocol': 20,
  'src/reader': 20,
  'src/speakable': 16,
  'service/src/account': 24,
  'service/src/admin': 18,
  'service/src/api': 6,
  'service/src/avatar': 18,
  'service/src/clients': 6,
  'service/src/dashboard': 18,
  'service/src/room': 6,
  'service/src/session': 34,
  'service/src/speech': 34,
  'service/src/store': 20,
  'service/src/stream': 24,
  'service/src/telemetry': 12,
};

/** Another seed gives other mutants, so that figures of two runs cannot be compared. */
const SEED = '36';

export interface ChosenMutant extends Mutant {
  /** Folder of its source. */
  readonly room: string;
}

/**
 * Chooses the mutants of the repository's sources. An edit of a line changes only the mutants of that line, and lets in
 * or out one other of the room.
 */
export function chooseMutants(root: string): ChosenMutant[] {
  return Object.entries(ROOMS).flatMap(([room, count]) => {
    const all = sourcesIn(root, room).flatMap((file) =>
      findMutants(file, readFileSync(join(root, file), 'utf8'), SEED),
    );
    if (all.length < count) throw new RangeError(`${room} has ${all.length} mutants, not ${count}.`);
    const chosen = all.toSorted((a, b) => (rank(a.id, SEED) < rank(b.id, SEED) ? -1 : 1)).slice(0, count);
    return chosen.map((mutant) => ({ ...mutant, room }));
  });
}

function sourcesIn(root: string, room: string): string[] {
  const files = readdirSync(join(root, room), { recursive: true, encoding: 'utf8' }).toSorted();
  const sources = files.filter(
    (file) => file.endsWith('.ts') && !/\.d\.ts$|\.generated\.ts$|(^|\/)styles\.ts$/.test(file),
  );
  return sources.map((file) => `${room}/${file}`);
}
