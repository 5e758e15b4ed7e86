import type { CueOptions, SpeakerError, SpeakerState, SpeakerStats, SpokenWord } from '../playback/index.js';

// The manifest describes the members with these comments.
/** The members of the element that are those of its playback, as in HTMLMediaElement where it has them. */
export interface MediaMembers {
  /** Silences everything that is spoken or queued, immediately. Closes the socket unless `keep-open`. */
  cancel(): void;

  /** Drops everything, closes the socket, and goes back to the empty state. */
  close(): void;

  /** As in HTML: true during a seek. */
  readonly seeking: boolean;

  /** Forgets the speech that has been heard. The current or next utterance then begins at 0. */
  clearHistory(): void;

  /**
   * Returns everything that is kept, as `audio/wav` with 16 bits: the samples as they were received.
   *
   * @returns A promise that rejects with InvalidStateError if nothing is kept.
   */
  toBlob(): Promise<Blob>;

  /**
   * Returns captions of everything that is kept as WebVTT, with the times of `toBlob()`.
   *
   * @param options - `by`: a cue for each `sentence` (default) or `word`.
   * @returns A promise that rejects with InvalidStateError if nothing is kept.
   */
  toVTT(options?: CueOptions): Promise<string>;

  /** The state of the speaker. `statechange` follows each change. */
  readonly state: SpeakerState;

  /** True if an utterance is being spoken or is queued. */
  readonly hasSpeech: boolean;

  /** As in HTML: true if nothing will be heard until `play()` is called. */
  readonly paused: boolean;

  /** As in HTML: true if the last sample has been heard and nothing is queued. */
  readonly ended: boolean;

  /** The word that is being heard; null between words, and where there are none. */
  readonly currentWord: SpokenWord | null;

  /** Duration in seconds; `Infinity` while more may arrive, NaN before anything is known. */
  readonly duration: number;

  /** Received speech: one range from 0, although its oldest part may no longer be kept. */
  readonly buffered: TimeRanges;

  /** Speech that has been heard. */
  readonly played: TimeRanges;

  /** The speech that is kept: one range, up to the newest sample received. Updated ten times a second. */
  readonly seekable: TimeRanges;

  /** As in HTML, `HAVE_NOTHING` (0) to `HAVE_ENOUGH_DATA` (4). */
  readonly readyState: number;

  /** As in HTML, `NETWORK_EMPTY` (0) to `NETWORK_NO_SOURCE` (3). */
  readonly networkState: number;

  /** The latest error; null again after the next `play()` or `speak()`. */
  readonly error: SpeakerError | null;

  /** Statistics since the element was last emptied. */
  getStats(): SpeakerStats;
}

/** Their names, as keys: the compiler finds one that is missing. */
export const MEDIA: Readonly<Record<keyof MediaMembers, true>> = {
  cancel: true,
  close: true,
  seeking: true,
  clearHistory: true,
  toBlob: true,
  toVTT: true,
  state: true,
  hasSpeech: true,
  paused: true,
  ended: true,
  currentWord: true,
  duration: true,
  buffered: true,
  played: true,
  seekable: true,
  readyState: true,
  networkState: true,
  error: true,
  getStats: true,
};
