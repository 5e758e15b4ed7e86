import type { SvcSpeakerElement } from 'svc-speaker';

/** Text for each state of a speaker, in the words of its controls. */
export const stateTexts: Readonly<Record<SvcSpeakerElement['state'], string>> = {
  idle: 'Ready',
  connecting: 'Connecting…',
  buffering: 'Buffering…',
  playing: 'Speaking',
  paused: 'Paused',
  blocked: 'Press play',
  ended: 'Finished',
  error: 'Not spoken',
};
