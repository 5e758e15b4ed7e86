import type { SvcSpeakerElement } from 'svc-speaker';
import type { UnsaidUtterances } from './unsaid-utterances.js';

const wordings = {
  idle: 'Silent',
  asked: 'Asking for speech',
  filling: 'Filling the buffer',
  speaking: 'Speaking',
  paused: 'Held, nothing is lost',
  done: 'Said',
  blocked: 'Waiting for a click',
  trouble: 'Something went wrong',
};

/** HTMLMediaElement.HAVE_NOTHING: not even the rate of the speech is known. */
const HAVE_NOTHING = 0;

/** Keeps `line` saying in a few words what the element is doing, and its `data-state` in one. */
export function showState(speaker: SvcSpeakerElement, unsaid: UnsaidUtterances, line: HTMLElement): void {
  let sounding = false;

  const state = (): keyof typeof wordings => {
    if (speaker.error) return 'trouble';
    if (speaker.blocked) return 'blocked';
    if (!speaker.paused) return sounding ? 'speaking' : speaker.readyState === HAVE_NOTHING ? 'asked' : 'filling';
    if (unsaid.any) return 'paused';
    return speaker.ended ? 'done' : 'idle';
  };
  const show = () => {
    line.dataset.state = state();
    line.textContent = wordings[state()];
  };

  for (const event of ['playing', 'waiting', 'pause', 'ended']) {
    speaker.addEventListener(event, () => {
      sounding = event === 'playing';
      show();
    });
  }
  for (const event of ['play', 'loadedmetadata', 'emptied', 'blocked', 'error']) speaker.addEventListener(event, show);
  unsaid.addEventListener('change', show);
}
