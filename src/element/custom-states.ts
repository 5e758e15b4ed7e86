import type { SpeakerState } from '../playback/index.js';

/** Sets the custom state that a page can style with `:state()`. `connecting` also sets `buffering`. */
export function showState(internals: ElementInternals | undefined, state: SpeakerState): void {
  const states = internals?.states;
  try {
    states?.clear();
    states?.add(state);
    if (state === 'connecting') states?.add('buffering');
  } catch {
    // Quirk `old-custom-states`: engines before 2024 have none, or only dashed ones.
  }
}
