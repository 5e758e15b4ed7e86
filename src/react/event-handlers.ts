import type { SvcSpeakerElement, SvcSpeakerEventMap } from '../index.js';
import type { SpeakerEvent } from '../wrapper/index.js';

/** The prop for each event, written as React writes those of media elements. */
export const handlerNames = {
  emptied: 'onEmptied',
  loadstart: 'onLoadStart',
  durationchange: 'onDurationChange',
  loadedmetadata: 'onLoadedMetadata',
  canplay: 'onCanPlay',
  play: 'onPlay',
  playing: 'onPlaying',
  waiting: 'onWaiting',
  pause: 'onPause',
  timeupdate: 'onTimeUpdate',
  progress: 'onProgress',
  seeking: 'onSeeking',
  seeked: 'onSeeked',
  ended: 'onEnded',
  error: 'onError',
  statechange: 'onStateChange',
  volumechange: 'onVolumeChange',
  ratechange: 'onRateChange',
  blocked: 'onBlocked',
  utterancestart: 'onUtteranceStart',
  utteranceend: 'onUtteranceEnd',
  contextdone: 'onContextDone',
  underrun: 'onUnderrun',
  socketclose: 'onSocketClose',
} as const satisfies Record<keyof SvcSpeakerEventMap, string>;

type EventType = keyof typeof handlerNames;

/** Handlers of a speaker's events: `onUtteranceEnd`, `onTimeUpdate`, …; the last one given is called. */
export type EventHandlers = {
  [K in EventType as (typeof handlerNames)[K]]?: ((event: SpeakerEvent<K>) => void) | undefined;
};

/** Calls the handlers of one component. React 18 itself does not hear events that it does not know. */
export class EventRelay {
  /** What the component was given last. */
  handlers: EventHandlers = {};

  /** Also a second time, which changes nothing. It lasts as long as the element: `socketclose` comes after removal. */
  listenTo(speaker: SvcSpeakerElement): void {
    for (const type of Object.keys(handlerNames)) speaker.addEventListener(type, this);
  }

  handleEvent(event: Event): void {
    const handler = this.handlers[handlerNames[event.type as EventType]] as ((event: Event) => void) | undefined;
    handler?.(event);
  }
}
