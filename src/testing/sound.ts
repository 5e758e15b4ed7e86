/** Sound as the service sends it: mono. */
export interface Sound {
  /** 16-bit samples. */
  readonly samples: Int16Array;
  /** In Hz. */
  readonly sampleRate: number;
}
