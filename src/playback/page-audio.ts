/** Audio that the page provides: a URL, or a platform object that holds bytes. */
export interface PageAudio {
  readonly source: object | string;
  /** Sample rate in Hz of raw samples whose type does not name one. */
  readonly sampleRate?: number | undefined;
}
