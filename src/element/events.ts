import type { PlaybackEvent, Utterance } from '../playback/index.js';

/** `utterancestart`, when the first sample of an utterance is heard; `utteranceend`, when the last one has been. */
export class UtteranceEvent extends Event {
  /** Which one. */
  readonly utterance: Utterance;

  constructor(type: 'utterancestart' | 'utteranceend', utterance: Utterance) {
    super(type);
    this.utterance = utterance;
  }
}

/** `contextdone`: the service says that a context is finished. Its sound may still be on the way. */
export class ContextDoneEvent extends Event {
  /** The `context_id` that the service named. */
  readonly contextId: string;

  constructor(contextId: string) {
    super('contextdone');
    this.contextId = contextId;
  }
}

/**
 * `underrun`: the buffer ran dry inside an utterance, and speech is back. A short one is made up for, and nothing but this
 * tells of it; when silence begins there is a `waiting` too.
 */
export class UnderrunEvent extends Event {
  /** How long there was no speech, in milliseconds: what was made up for it included. */
  readonly durationMs: number;

  constructor(durationMs: number) {
    super('underrun');
    this.durationMs = durationMs;
  }
}

/** `socketclose`: a socket of this speaker is closed. */
export class SocketCloseEvent extends Event {
  /** 1000 is a clean close. */
  readonly code: number;
  /** What the service said of it; often empty. */
  readonly reason: string;
  /** How long it was open, in milliseconds: what is paid for. */
  readonly openMs: number;

  constructor(code: number, reason: string, openMs: number) {
    super('socketclose');
    this.code = code;
    this.reason = reason;
    this.openMs = openMs;
  }
}

/** Events of `<svc-speaker>`. None bubbles, as on media elements. */
export interface SvcSpeakerEventMap {
  emptied: Event;
  loadstart: Event;
  durationchange: Event;
  loadedmetadata: Event;
  canplay: Event;
  play: Event;
  playing: Event;
  waiting: Event;
  pause: Event;
  timeupdate: Event;
  progress: Event;
  seeking: Event;
  seeked: Event;
  ended: Event;
  error: Event;
  /** `state` has changed. */
  statechange: Event;
  volumechange: Event;
  ratechange: Event;
  /** `ducked` is true. */
  duckstart: Event;
  /** `ducked` is false. */
  duckend: Event;
  /** The browser plays no sound before a gesture of the user. */
  blocked: Event;
  utterancestart: UtteranceEvent;
  utteranceend: UtteranceEvent;
  contextdone: ContextDoneEvent;
  underrun: UnderrunEvent;
  socketclose: SocketCloseEvent;
}

/** The DOM's event for what the playback tells. */
export function eventOf(told: PlaybackEvent): Event {
  switch (told.type) {
    case 'utterancestart':
    case 'utteranceend':
      return new UtteranceEvent(told.type, told.utterance);
    case 'contextdone':
      return new ContextDoneEvent(told.contextId);
    case 'underrun':
      return new UnderrunEvent(told.durationMs);
    case 'socketclose':
      return new SocketCloseEvent(told.code, told.reason, told.openMs);
    default:
      return new Event(told.type);
  }
}
