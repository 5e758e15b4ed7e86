import type { PlaybackEvent, SpokenWord, Utterance, Viseme } from '../playback/index.js';

/** `utterancestart`: the first sample of an utterance is heard. `utteranceend`: the last one has been heard. */
export class UtteranceEvent extends Event {
  /** The utterance that starts or ends. */
  readonly utterance: Utterance;

  constructor(type: 'utterancestart' | 'utteranceend', utterance: Utterance) {
    super(type);
    this.utterance = utterance;
  }
}

/** `contextdone`: the service reports that a context is finished. Its sound may still be on the way. */
export class ContextDoneEvent extends Event {
  /** The `context_id` that the service named. */
  readonly contextId: string;

  constructor(contextId: string) {
    super('contextdone');
    this.contextId = contextId;
  }
}

/**
 * `underrun`: the buffer ran empty within an utterance, and speech is back. A short gap is concealed, and only this
 * event reports it. If the gap becomes silence, `waiting` is dispatched too.
 */
export class UnderrunEvent extends Event {
  /** Time without speech, in milliseconds, including the concealed part. */
  readonly durationMs: number;

  constructor(durationMs: number) {
    super('underrun');
    this.durationMs = durationMs;
  }
}

/** `socketclose`: a socket of this speaker is closed. */
export class SocketCloseEvent extends Event {
  /** Close code; 1000 is a clean close. */
  readonly code: number;
  /** The service's reason; often empty. */
  readonly reason: string;
  /** Time that the socket was open, in milliseconds, which is the metered time. */
  readonly openMs: number;

  constructor(code: number, reason: string, openMs: number) {
    super('socketclose');
    this.code = code;
    this.reason = reason;
    this.openMs = openMs;
  }
}

/** `resume`: another session speaks the rest of an utterance, because the socket of the first one died in the middle. */
export class ResumeEvent extends Event {
  /** The utterance that goes on. */
  readonly utterance: Utterance;
  /** Offset of the rest in its text. */
  readonly from: number;

  constructor(utterance: Utterance, from: number) {
    super('resume');
    this.utterance = utterance;
    this.from = from;
  }
}

/** `word`: a word begins to be heard. */
export class WordEvent extends Event {
  /** The utterance of the word. */
  readonly utterance: Utterance;
  /** The word, with its place in the text and on the timeline. */
  readonly word: SpokenWord;

  constructor(utterance: Utterance, word: SpokenWord) {
    super('word');
    this.utterance = utterance;
    this.word = word;
  }
}

/** `viseme`: a sound begins to be heard, for which the mouth has a certain shape. */
export class VisemeEvent extends Event {
  /** The utterance of the sound. */
  readonly utterance: Utterance;
  /** One of the 15 visemes of the Oculus lip-sync reference. */
  readonly viseme: Viseme;
  /** Length of the sound in seconds, at the current playback rate. */
  readonly seconds: number;

  constructor(utterance: Utterance, viseme: Viseme, seconds: number) {
    super('viseme');
    this.utterance = utterance;
    this.viseme = viseme;
    this.seconds = seconds;
  }
}

// The manifest describes the events with these comments.
/** Events of `<svc-speaker>`. None bubbles, as on media elements. */
export interface SvcSpeakerEventMap {
  /** The element is back in the empty state. */
  emptied: Event;
  /** Loading begins. */
  loadstart: Event;
  /** `duration` has changed. */
  durationchange: Event;
  /** The socket is open, and the rate of the speech is known. */
  loadedmetadata: Event;
  /** The first speech has arrived. */
  canplay: Event;
  /** `paused` has become false. */
  play: Event;
  /** Sound is playing. */
  playing: Event;
  /** There is nothing to play, but more will come. `readyState` is below 3. */
  waiting: Event;
  /** `paused` has become true. */
  pause: Event;
  /** `currentTime` has changed; about four times a second. */
  timeupdate: Event;
  /** Speech is arriving. */
  progress: Event;
  /** `currentTime` was set, or `play()` starts again after the end. */
  seeking: Event;
  /** The speech from there is on its way to the output. */
  seeked: Event;
  /** The last sample has been heard. */
  ended: Event;
  /** `error` is set. */
  error: Event;
  /** `state` has changed. */
  statechange: Event;
  /** `volume` or `muted` has changed. */
  volumechange: Event;
  /** `duck()` lowers speech: `ducked` is true. */
  duckstart: Event;
  /** Speech is no longer lowered, after `unduck()` or a cancel: `ducked` is false. */
  duckend: Event;
  /** `playbackRate` or `defaultPlaybackRate` has changed. */
  ratechange: Event;
  /** The browser requires a gesture before it plays sound. */
  blocked: Event;
  /** The first sample of an utterance is heard. */
  utterancestart: UtteranceEvent;
  /** The last sample of an utterance has been heard. */
  utteranceend: UtteranceEvent;
  /** The service reports that a context is finished. */
  contextdone: ContextDoneEvent;
  /** Speech is back after the buffer ran empty. Short gaps are concealed. */
  underrun: UnderrunEvent;
  /** The socket is closed. */
  socketclose: SocketCloseEvent;
  /** Another session speaks the rest of an utterance whose socket died in the middle. */
  resume: ResumeEvent;
  /** A word begins to be heard. */
  word: WordEvent;
  /** A sound begins to be heard, if the session reports them (`timings: 'phones'`). */
  viseme: VisemeEvent;
}

/** The element's own events, and those of every element. */
type Events = Omit<HTMLElementEventMap, keyof SvcSpeakerEventMap> & SvcSpeakerEventMap;

/** `addEventListener()` and `removeEventListener()` of an element that dispatches them. */
export interface ListenerMethod<Target, Options> {
  <K extends keyof Events>(
    type: K,
    listener: (this: Target, event: Events[K]) => unknown,
    options?: boolean | Options,
  ): void;
  (type: string, listener: EventListenerOrEventListenerObject, options?: boolean | Options): void;
}

/** Returns the DOM event for an event of the playback. */
export function eventOf(event: PlaybackEvent): Event {
  switch (event.type) {
    case 'utterancestart':
    case 'utteranceend':
      return new UtteranceEvent(event.type, event.utterance);
    case 'contextdone':
      return new ContextDoneEvent(event.contextId);
    case 'underrun':
      return new UnderrunEvent(event.durationMs);
    case 'word':
      return new WordEvent(event.utterance, event.word);
    case 'viseme':
      return new VisemeEvent(event.utterance, event.viseme, event.seconds);
    case 'resume':
      return new ResumeEvent(event.utterance, event.from);
    case 'socketclose':
      return new SocketCloseEvent(event.code, event.reason, event.openMs);
    default:
      return new Event(event.type);
  }
}
