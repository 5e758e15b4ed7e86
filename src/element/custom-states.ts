import type { SpeakerState } from '../playback/index.js';

const STATES: readonly SpeakerState[] = [
  'idle',
  'connecting',
  'buffering',
  'playing',
  'paused',
  'blocked',
  'ended',
  'error',
];

/** Sets the custom states that a page can style by `:state()`. `connecting` counts as `buffering`, too. */
export function showState(internals: ElementInternals | undefined, state: SpeakerState): void {
  for (const name of STATES) {
    const isOn = name === state || (name === 'buffering' && state === 'connecting');
    try {
      internals?.states[isOn ? 'add' : 'delete'](name);
    } catch {
      return; // Quirk `old-custom-states`: engines before 2024 have none, or only dashed ones.
    }
  }
}
