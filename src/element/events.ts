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
  resume: ResumeEvent;
  word: WordEvent;
  viseme: VisemeEvent;
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
