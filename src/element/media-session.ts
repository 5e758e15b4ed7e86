import type { SpeakerState } from '../playback/index.js';
import { createSilentMedia, emptyMedia } from './silent-media.js';

/** Length of a skip, in seconds, if the platform gives no offset. */
const SKIP_SECONDS = 10;

/** Playback state that the platform shows, for each state of the speaker. */
const SHOWN: Readonly<Record<SpeakerState, MediaSessionPlaybackState>> = {
  idle: 'none',
  connecting: 'playing',
  buffering: 'playing',
  playing: 'playing',
  paused: 'paused',
  blocked: 'paused',
  ended: 'paused',
  error: 'none',
};

const EVENTS = ['play', 'playing', 'statechange', 'durationchange', 'ratechange', 'seeked', 'timeupdate', 'emptied'];

/** Members of a speaker that lock screen and media keys show and control. */
export interface MediaSessionSpeaker extends HTMLElement {
  readonly mediaSession: boolean;
  readonly mediaMetadata: MediaMetadataInit | null;
  readonly state: SpeakerState;
  readonly paused: boolean;
  readonly played: TimeRanges;
  readonly networkState: number;
  readonly history: number;
  readonly duration: number;
  readonly playbackRate: number;
  currentTime: number;
  play(): Promise<void>;
  pause(): void;
  cancel(): void;
}

/**
 * One speaker's claim on `navigator.mediaSession`. A page has only one session. The speaker that played last has it
 * until its `media-session` attribute is removed or the speaker is emptied, which includes its removal.
 *
 * Main thread.
 */
export class MediaSessionClaim {
  /** The claim that has the session now. */
  static #owner: MediaSessionClaim | null = null;

  readonly #speaker: MediaSessionSpeaker;
  readonly #session = navigator.mediaSession as MediaSession | undefined;
  /** True if the next sound takes the session: the first sound, or the first after `play` was dispatched. */
  #isStarting = true;
  /** Metadata before this speaker took the session, and that of this speaker. */
  #before: MediaMetadata | null = null;
  #metadata: MediaMetadata | null = null;
  #media: HTMLAudioElement | undefined;
  /** True if the handlers of seeks are set. */
  #canSeek = false;
  /** Position at the latest event, in seconds. */
  #position = 0;
  /** The `mediaMetadata` that was applied last, as JSON; empty for null. */
  #applied = '';

  constructor(speaker: MediaSessionSpeaker) {
    this.#speaker = speaker;
    for (const type of EVENTS) speaker.addEventListener(type, this);
    new MutationObserver(() => this.update()).observe(speaker, { attributeFilter: ['history'] });
  }

  handleEvent({ type }: Event): void {
    if (type === 'play') this.#isStarting = true;
    // The platform computes the position itself, except that `clearHistory()` moves it back.
    const before = this.#position;
    this.#position = this.#speaker.currentTime;
    if (type !== 'timeupdate' || this.#position < before) this.update();
  }

  /** Takes, updates or releases the session, depending on the state of the speaker. */
  update(): void {
    const { mediaSession, networkState, played, state } = this.#speaker;
    if (!mediaSession || networkState === 0) {
      this.#isStarting = true;
      return this.#release();
    }
    // Short speech may be over before this code is loaded.
    const wasHeard = MediaSessionClaim.#owner === null && state !== 'idle' && played.length > 0;
    if (this.#isStarting && (state === 'playing' || wasHeard)) {
      this.#isStarting = false;
      this.#take();
    }
    if (MediaSessionClaim.#owner === this) this.#show();
  }

  #take(): void {
    if (MediaSessionClaim.#owner === this || !this.#session) return;
    const before = MediaSessionClaim.#owner;
    if (before) before.#release();
    MediaSessionClaim.#owner = this;
    this.#before = this.#session.metadata;
    this.#media = this.#followMedia(createSilentMedia());
    this.#setHandlers();
  }

  #setHandlers(): void {
    this.#canSeek = this.#speaker.history > 0;
    for (const [action, handler] of Object.entries(handlersOf(this.#speaker))) {
      handleAction(this.#session!, action as MediaSessionAction, handler);
    }
  }

  /** Follows the media element: the platform may pause it, for a call for example, and continue it afterwards. */
  #followMedia(media: HTMLAudioElement | undefined): HTMLAudioElement | undefined {
    const speaker = this.#speaker;
    const follow = (): void => {
      // The event that follows a call from here arrives later, and may be outdated by then.
      if (media !== this.#media || media!.paused === speaker.paused) return;
      if (media!.paused) speaker.pause();
      else speaker.play().catch(() => media!.pause());
    };
    media?.addEventListener('play', follow);
    media?.addEventListener('pause', follow);
    return media;
  }

  #release(): void {
    if (MediaSessionClaim.#owner !== this) return;
    MediaSessionClaim.#owner = null;
    const session = this.#session!;
    for (const action of Object.keys(handlersOf(this.#speaker))) {
      handleAction(session, action as MediaSessionAction, null);
    }
    this.#setMetadata(null);
    session.playbackState = 'none';
    session.setPositionState();
    if (this.#media) emptyMedia(this.#media);
    this.#media = undefined;
  }

  #show(): void {
    const session = this.#session!;
    const { mediaMetadata, state, duration, playbackRate, currentTime, history } = this.#speaker;
    if (history > 0 !== this.#canSeek) this.#setHandlers();
    this.#setMetadata(mediaMetadata);
    if (SHOWN[state] !== 'playing') this.#media?.pause();
    else if (this.#media?.paused) this.#media.play().catch(() => {}); // A policy may forbid it; speech goes on without.
    session.playbackState = SHOWN[state]; // After pause(), which makes it 'paused' in WebKitGTK.
    // The duration is NaN or Infinity before it is known. Platforms reject NaN, and Firefox rejects both.
    if (Number.isFinite(duration))
      session.setPositionState({ duration, playbackRate, position: Math.min(currentTime, duration) });
    else session.setPositionState();
  }

  #setMetadata(init: MediaMetadataInit | null): void {
    // A page that renders often sets an equal object each time. The members of a MediaMetadata are on its prototype.
    const json = init ? JSON.stringify([init.title, init.artist, init.album, init.artwork]) : '';
    if (json === this.#applied) return;
    this.#applied = json;
    const session = this.#session!;
    // Keep metadata that the page has set in the meantime.
    const isOurs = this.#metadata !== null && session.metadata === this.#metadata;
    try {
      this.#metadata = init && new MediaMetadata(init);
    } catch (error) {
      // The browser refuses, for example, a picture without `src`. The rest of the session works without it.
      this.#metadata = null;
      globalThis.reportError?.(error);
    }
    if (this.#metadata) session.metadata = this.#metadata;
    else if (isOurs) session.metadata = this.#before;
  }
}

/** Sets the handler of an action, if the browser knows it: https://github.com/w3c/mediasession/issues/228 */
function handleAction(
  session: MediaSession,
  action: MediaSessionAction,
  handler: MediaSessionActionHandler | null,
): void {
  try {
    session.setActionHandler(action, handler);
  } catch {
    // There is no other way to ask. The platform then shows no button for it.
  }
}

function handlersOf(
  speaker: MediaSessionSpeaker,
): Partial<Record<MediaSessionAction, MediaSessionActionHandler | null>> {
  const skip = (seconds: number): void => void (speaker.currentTime += seconds);
  const seeks: Partial<Record<MediaSessionAction, MediaSessionActionHandler>> = {
    seekbackward: ({ seekOffset }) => skip(-(seekOffset || SKIP_SECONDS)),
    seekforward: ({ seekOffset }) => skip(seekOffset || SKIP_SECONDS),
    seekto: ({ seekTime }) => void (speaker.currentTime = seekTime ?? 0),
  };
  return {
    play: () => void speaker.play().catch(() => {}), // `error` and `blocked` report it.
    pause: () => speaker.pause(),
    stop: () => speaker.cancel(),
    // Without a history, seeking is not possible, so the platform must not show buttons for it.
    ...(speaker.history > 0 ? seeks : { seekbackward: null, seekforward: null, seekto: null }),
  };
}
