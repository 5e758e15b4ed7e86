/** How speech is taken to the rate of the device: `eco` costs half, and is a little less clean. See `designResampler`. */
export type ResamplerQuality = 'fine' | 'eco';

/** What may change of a line while it plays. */
export interface PlayoutSettings {
  /** Linear, 0 to 1. */
  readonly gain: number;
  /** Speech to hold before playback starts, 0 to 4000 ms. */
  readonly targetDelayMs: number;
  /** Delay and pace follow the network; else they are exactly what is set here. */
  readonly adaptive: boolean;
  /** Seconds of speech per second of listening, 0.5 to 2. */
  readonly playbackRate: number;
  /** At another rate, speech keeps its pitch; else it sounds like a tape at another speed. */
  readonly preservesPitch: boolean;
  readonly resampler: ResamplerQuality;
  /** Where the sound goes instead of the context's destination; of the same context. */
  readonly destination: AudioNode | null;
}
