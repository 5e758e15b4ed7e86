import type { SvcSpeakerElement, SvcSpeakerEventMap } from '../index.js';
import type { SpeakerEvent } from '../wrapper/index.js';

/** Prop of each event, spelt like React's props for media elements. */
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
  volumechange: 'onVolumeChange',
  ratechange: 'onRateChange',
  duckstart: 'onDuckStart',
  duckend: 'onDuckEnd',
  statechange: 'onStateChange',
  blocked: 'onBlocked',
  utterancestart: 'onUtteranceStart',
  utteranceend: 'onUtteranceEnd',
  contextdone: 'onContextDone',
  underrun: 'onUnderrun',
  socketclose: 'onSocketClose',
  resume: 'onResume',
  word: 'onWord',
  viseme: 'onViseme',
} as const satisfies Record<keyof SvcSpeakerEventMap, string>;

type EventType = keyof typeof handlerNames;

/** Handlers of a speaker's events: `onUtteranceEnd`, `onTimeUpdate`, … */
export type EventHandlers = {
  [K in EventType as (typeof handlerNames)[K]]?: ((event: SpeakerEvent<K>) => void) | undefined;
};

/** Calls the current handlers of one component. React 18 has no listeners for events unknown to it. */
export class EventRelay {
  /** Handlers of the last render. */
  handlers: EventHandlers = {};

  /** Adds the listeners. Idempotent. They are never removed: `socketclose` fires after the element's removal. */
  listenTo(speaker: SvcSpeakerElement): void {
    for (const type of Object.keys(handlerNames)) speaker.addEventListener(type, this);
  }

  handleEvent(event: Event): void {
    const handler = this.handlers[handlerNames[event.type as EventType]] as ((event: Event) => void) | undefined;
    handler?.(event);
  }
}
