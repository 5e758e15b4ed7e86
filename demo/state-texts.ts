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
 * "Interrupted". If `play()` had nothing to say, it is "Nothing to say" until the text or the session request changes.
 */
export function followState(
  speaker: SvcSpeakerElement,
  show: (state: SvcSpeakerElement['state'], text: string) => void,
): void {
  const source = () => JSON.stringify([speaker.text, speaker.sessionRequest]);
  let isInterrupted = false;
  /** The source for which `play()` had nothing to say. */
  let silentSource = '';
  let shown = '';
  const textOf = (state: SvcSpeakerElement['state']) => {
    if (state === 'error' && isInterrupted) return 'Interrupted';
    if (state === 'idle' && silentSource === source()) return 'Nothing to say';
    return stateTexts[state];
  };
  const update = () => {
    const { state } = speaker;
    const text = textOf(state);
    // A screen reader reads the line again whenever it is written, and each key press calls this function.
    if (shown === state + text) return;
    shown = state + text;
    show(state, text);
  };
  speaker.addEventListener('utterancestart', ({ utterance }) => {
    isInterrupted = false;
    utterance.finished.catch(() => {
      isInterrupted = true;
      update();
    });
  });
  speaker.addEventListener('play', () => {
    silentSource = '';
    if (speaker.text !== '') return;
    // The controls called `play()`. A further call starts nothing, and its promise is settled with the first one.
    speaker.play().catch(({ name }: Error) => {
      if (name === 'InvalidStateError') silentSource = source();
      update();
    });
  });
  speaker.addEventListener('statechange', () => {
    if (speaker.state === 'connecting') isInterrupted = false;
    update();
  });
  // The document is the last to be notified: the listeners of the form have set the text and the session request.
  for (const type of ['input', 'change']) document.addEventListener(type, update);
}
