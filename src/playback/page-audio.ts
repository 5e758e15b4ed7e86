import type { SpeakerCommand } from '../connection/command.js';

/** Audio that the page provides: a URL, or a platform object that holds bytes. */
export interface PageAudio {
  readonly source: object | string;
  /** Sample rate in Hz of raw samples whose type does not name one. */
  readonly sampleRate?: number | undefined;
}

/** An audio stream in the form in which the worker receives it. */
export interface PreparedAudio {
  readonly input: Extract<SpeakerCommand, { type: 'open-stream' }>['input'];
  readonly transfer: readonly unknown[];
}
