import type { SpeakerCommand } from '../connection/command.js';

/** Audio of the page's: a URL, or an object of the platform that has bytes. */
export interface PageAudio {
  readonly source: object | string;
  /** Sample rate in Hz of raw samples whose type does not name one. */
  readonly sampleRate?: number | undefined;
}

/** An audio stream as the worker gets it. */
export interface PreparedAudio {
  readonly input: Extract<SpeakerCommand, { type: 'open-stream' }>['input'];
  readonly transfer: readonly unknown[];
}
