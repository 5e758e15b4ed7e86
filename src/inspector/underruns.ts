import type { Reading } from './reading.js';
import type { SpeakerEventRecord } from './recording.js';
import { indexAt } from './time-view.js';

/** A time in which the buffer was dry, in seconds of the recording's clock. */
export interface DryTime {
  readonly fromSeconds: number;
  readonly toSeconds: number;
}

/**
 * When the buffer was dry. An underrun is told when it is heard to be over, which is later by the output's delay.
 *
 * @param readings - Of the same recording, where the delay is from.
 */
export function underrunsOf(readings: readonly Reading[], events: readonly SpeakerEventRecord[]): DryTime[] {
  return events.flatMap(({ type, atSeconds, durationMs = 0 }) => {
    if (type !== 'underrun') return [];
    const toSeconds = atSeconds - (readings[indexAt(readings, atSeconds)]?.outputSeconds ?? 0);
    return [{ fromSeconds: toSeconds - durationMs / 1000, toSeconds }];
  });
}
