import type { SvcSpeakerElement } from 'svc-speaker';

/** Text for each state of a speaker, the same as in its controls. */
export const stateTexts: Readonly<Record<SvcSpeakerElement['state'], string>> = {
  idle: 'Ready',
  connecting: 'Connecting…',
  buffering: 'Buffering…',
  playing: 'Speaking',
  paused: 'Paused',
  blocked: 'Press play',
  ended: 'Ready',
  error: 'Not spoken',
};

/**
 * Calls `show` with the state and its text after each change. If an error interrupts an utterance, the text is
 * "Interrupted".
 */
export function followState(
  speaker: SvcSpeakerElement,
  show: (state: SvcSpeakerElement['state'], text: string) => void,
): void {
  let isInterrupted = false;
  const update = () => {
    const { state } = speaker;
    show(state, state === 'error' && isInterrupted ? 'Interrupted' : stateTexts[state]);
  };
  speaker.addEventListener('utterancestart', ({ utterance }) => {
    isInterrupted = false;
    utterance.finished.catch(() => {
      isInterrupted = true;
      update();
    });
  });
  speaker.addEventListener('statechange', () => {
    if (speaker.state === 'connecting') isInterrupted = false;
    update();
  });
}
