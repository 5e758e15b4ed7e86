import type { MediaAttributes } from '../playback/index.js';

/** Says in states that a page can style by `:state()` what a speaker is doing. */
export function showStates(internals: ElementInternals | undefined, state: MediaAttributes): void {
  const { blocked, sounding, paused, error } = state;
  const on = { playing: sounding, buffering: !paused && !sounding, blocked, error: error !== null };
  for (const [name, value] of Object.entries(on)) {
    try {
      internals?.states[value ? 'add' : 'delete'](name);
    } catch {
      return; // Engines of before 2024 know no states, or only dashed ones: a matter of looks.
    }
  }
}
