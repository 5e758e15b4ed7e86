import type { SvcSpeakerElement } from 'svc-speaker';

/** Maximum number of lines; older ones are removed. */
const LINES_MAX = 200;

/** Media events that are logged; `timeupdate` and `progress` fire too often to be read. */
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

/** A list of events, newest first, each with the time since the last {@link EventLog.restart}. */
export class EventLog {
  readonly #list: HTMLOListElement;
  #startMs = performance.now();

  /** @param list - Empty list to fill. */
  constructor(list: HTMLOListElement) {
    this.#list = list;
    const empty = document.createElement('li');
    empty.className = 'empty';
    empty.textContent = 'Events of the element appear here, with the time since you pressed Speak.';
    list.append(empty);
  }

  /** Sets the time to 0. */
  restart(): void {
    this.#startMs = performance.now();
  }

  /** Adds a line. @param detail - Omitted if empty. */
  write(event: string, detail = '', tone: 'plain' | 'trouble' = 'plain'): void {
    const time = document.createElement('time');
    time.textContent = `${((performance.now() - this.#startMs) / 1000).toFixed(3)} s`;
    const text = document.createElement('span');
    text.className = 'what';
    text.append(event);
    if (detail) {
      const more = document.createElement('em');
      more.textContent = detail;
      text.append(' ', more);
    }
    const line = document.createElement('li');
    line.dataset.tone = tone;
    line.append(time, text);
    this.#list.querySelector('.empty')?.remove();
    this.#list.prepend(line);
    while (this.#list.childElementCount > LINES_MAX) this.#list.lastElementChild?.remove();
  }
}

/** Logs the events of a speaker from now on. */
export function logEvents(speaker: SvcSpeakerElement, log: EventLog): void {
  for (const name of mediaEvents) speaker.addEventListener(name, () => log.write(name));
  for (const name of ['utterancestart', 'utteranceend'] as const) {
    speaker.addEventListener(name, ({ utterance }) => log.write(name, quote(utterance.text)));
  }
  speaker.addEventListener('contextdone', ({ contextId }) => log.write('contextdone', contextId));
  speaker.addEventListener('socketclose', ({ code, reason, openMs }) => {
    const tone = code === 1000 ? 'plain' : 'trouble';
    log.write('socketclose', `${[code, reason].join(' ').trim()}, open for ${(openMs / 1000).toFixed(2)} s`, tone);
  });
  speaker.addEventListener('underrun', ({ durationMs }) => {
    log.write('underrun', `${Math.round(durationMs)} ms`, 'trouble');
  });
  speaker.addEventListener('ratechange', () => log.write('ratechange', `${speaker.playbackRate.toFixed(2)} ×`));
  speaker.addEventListener('blocked', () => log.write('blocked', 'waiting for a click', 'trouble'));
  speaker.addEventListener('error', () => log.write('error', speaker.error?.reason, 'trouble'));
}

function quote(text: string | null): string {
  if (!text) return '';
  return text.length > 48 ? `“${text.slice(0, 47).trimEnd()}…”` : `“${text}”`;
}
