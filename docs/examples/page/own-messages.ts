import type { SpeakerMessages } from 'svc-speaker';

export const dutch: Partial<SpeakerMessages> = {
  lang: 'nl',
  playLabel: 'Afspelen',
  pauseLabel: 'Pauzeren',
  progressValue: '{time} van {duration}',
  loadError: 'De spraak kan niet worden geladen. Probeer het opnieuw.',
};
