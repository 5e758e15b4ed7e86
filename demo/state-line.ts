import type { SvcSpeakerElement } from 'svc-speaker';
import type { UnfinishedUtterances } from './unfinished-utterances.js';

const wordings = {
  idle: 'Silent',
  asked: 'Asking for speech',
  filling: 'Filling the buffer',
  speaking: 'Speaking',
  paused: 'Paused, nothing is lost',
  done: 'Finished',
  blocked: 'Waiting for a click',
  trouble: 'Something went wrong',
};

/** Keeps `line` and its `data-state` up to date with the state of the speaker. */
export function showState(speaker: SvcSpeakerElement, unfinished: UnfinishedUtterances, line: HTMLElement): void {
  let isSounding = false;

  const state = (): keyof typeof wordings => {
    if (speaker.error) return 'trouble';
    if (speaker.blocked) return 'blocked';
    if (!speaker.paused) {
      if (isSounding) return 'speaking';
      return speaker.readyState === HTMLMediaElement.HAVE_NOTHING ? 'asked' : 'filling';
    }
    if (unfinished.any) return 'paused';
    return speaker.ended ? 'done' : 'idle';
  };
  const show = () => {
    line.dataset.state = state();
    line.textContent = wordings[state()];
  };

  for (const event of ['playing', 'waiting', 'pause', 'ended']) {
    speaker.addEventListener(event, () => {
      isSounding = event === 'playing';
      show();
    });
  }
  for (const event of ['play', 'loadedmetadata', 'emptied', 'blocked', 'error']) speaker.addEventListener(event, show);
  unfinished.addEventListener('change', show);
}
