import type { SpokenAs } from '../speakable/marks.js';
import type { TextStream } from '../text/read-text.js';

/** Audio that the page provides: a URL, or a platform object that holds bytes. */
export interface PageAudio {
  readonly source: object | string;
  /** Sample rate in Hz of raw samples whose type does not name one. */
  readonly sampleRate?: number | undefined;
}

/** Text or audio that the page gives for an utterance. */
export type Opening =
  /** A text. `pauseAfter`: seconds of silence at its end. */
  | { readonly text: string | TextStream; readonly spokenAs: SpokenAs; readonly pauseAfter?: number }
  /** Audio, and the words that it speaks. `isOpen`: the page may add words. */
  | { readonly text: string; readonly audio: PageAudio; readonly isOpen?: boolean };
