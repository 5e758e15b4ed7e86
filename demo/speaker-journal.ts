import type { SvcSpeakerElement } from 'svc-speaker';
import type { Journal } from './journal.js';

/** Media events worth a line; `timeupdate` and `progress` come too often to be read. */
const mediaEvents = [
  'loadstart',
  'durationchange',
  'loadedmetadata',
  'canplay',
  'play',
  'playing',
  'waiting',
  'pause',
  'ended',
  'emptied',
] as const;

/** Writes down what the element reports. */
export function keepJournal(speaker: SvcSpeakerElement, journal: Journal): void {
  for (const name of mediaEvents) speaker.addEventListener(name, () => journal.write(name));
  speaker.addEventListener('utterancestart', ({ utterance }) => journal.write('utterancestart', quote(utterance.text)));
  speaker.addEventListener('utteranceend', ({ utterance }) => journal.write('utteranceend', quote(utterance.text)));
  speaker.addEventListener('contextdone', ({ contextId }) => journal.write('contextdone', contextId));
  speaker.addEventListener('socketclose', ({ code, reason, openMs }) => {
    const tone = code === 1000 ? 'plain' : 'trouble';
    journal.write('socketclose', `${[code, reason].join(' ').trim()}, open for ${(openMs / 1000).toFixed(2)} s`, tone);
  });
  speaker.addEventListener('underrun', ({ durationMs }) => {
    journal.write('underrun', `${Math.round(durationMs)} ms`, 'trouble');
  });
  speaker.addEventListener('ratechange', () => journal.write('ratechange', `${speaker.playbackRate.toFixed(2)} ×`));
  speaker.addEventListener('blocked', () => journal.write('blocked', 'waits for a click', 'trouble'));
  speaker.addEventListener('error', () => journal.write('error', speaker.error?.reason, 'trouble'));
}

function quote(text: string | null): string {
  if (!text) return '';
  return text.length > 48 ? `“${text.slice(0, 47).trimEnd()}…”` : `“${text}”`;
}
