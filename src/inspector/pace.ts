import type { Reading } from './reading.js';

/** Over so much time the pace is taken, in seconds: longer than a piece that is put in or taken out. */
const PACE_SECONDS = 0.2;

/** Seconds of speech that left per second of listening, up to the reading `index`; null while nothing left. */
export function paceAt(readings: readonly Reading[], index: number): number | null {
  const nowSeconds = readings[index]?.atSeconds ?? 0;
  let played = 0;
  let made = 0;
  for (let i = index; i >= 0 && nowSeconds - readings[i]!.atSeconds < PACE_SECONDS; i--) {
    const { playedSeconds, insertedSeconds, removedSeconds } = readings[i]!;
    played += playedSeconds;
    made += playedSeconds + insertedSeconds - removedSeconds;
  }
  return played > 0 && made > 0 ? played / made : null;
}
