/** How speech is converted to the device's rate: `eco` costs half as much and is a little less clean. See `designResampler`. */
export type ResamplerQuality = 'fine' | 'eco';

/** Level of speech on top of the volume, and the time in which it is reached. */
export interface Ducking {
  /** Linear, 0 to 1. */
  readonly to: number;
  /** Length of the ramp in ms; `Infinity`: when nothing sounds. */
  readonly ms: number;
}

/** Settings of a speaker that may change while it plays. */
export interface PlayoutSettings {
  /** Linear, 0 to 1. */
  readonly gain: number;
  /** Each `duck` and `unduck` of the page gives another object. */
  readonly ducking: Ducking;
  /** Speech to hold before playback starts, 0 to 4000 ms. */
  readonly targetDelayMs: number;
  /** Inaudible signal before speech, if the output was idle, 0 to 1000 ms. */
  readonly leadInMs: number;
  /** Delay and pace follow the network. If false they are exactly what is set here. */
  readonly adaptive: boolean;
  /** Seconds of speech per second of listening, 0.5 to 2. */
  readonly playbackRate: number;
  /** Speech keeps its pitch at a rate other than 1. If false it sounds like a tape at another speed. */
  readonly preservesPitch: boolean;
  readonly resampler: ResamplerQuality;
  /** Node that the sound goes to; null for the context's destination. Must belong to the context. */
  readonly destination: AudioNode | null;
}
