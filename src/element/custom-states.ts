import type { SpeakerState } from '../playback/index.js';

/** Sets the custom states that a page can style by `:state()`. `connecting` counts as `buffering`, too. */
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
