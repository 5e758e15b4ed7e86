/**
 * Quality of the conversion to the device's rate. `eco` costs half as much and is slightly less clean. See
 * `designResampler`.
 */
export type ResamplerQuality = 'fine' | 'eco';

/** Level of speech on top of the volume, and the duration of the ramp to it. */
export interface Ducking {
  /** Linear, 0 to 1. */
  readonly to: number;
  /** Length of the ramp in ms. With `Infinity`, the level changes while no sound is playing. */
  readonly ms: number;
}

/** Settings of a speaker that may change while it plays. */
export interface PlayoutSettings {
  /** Linear, 0 to 1. */
  readonly gain: number;
  /** A new object after each `duck` and `unduck` of the page. */
  readonly ducking: Ducking;
  /** Speech to hold before playback starts, 0 to 4000 ms. */
  readonly targetDelayMs: number;
  /** Inaudible signal before speech, if the output was idle, 0 to 1000 ms. */
  readonly leadInMs: number;
  /** True if delay and pace follow the network; false if they are exactly those set here. */
  readonly adaptive: boolean;
  /** Seconds of speech per second of listening, 0.5 to 2. */
  readonly playbackRate: number;
  /** True if speech keeps its pitch at any rate; false if the pitch follows the rate, like a tape at another speed. */
  readonly preservesPitch: boolean;
  readonly resampler: ResamplerQuality;
  /** Node that receives the sound; null for the context's destination. Must belong to the context. */
  readonly destination: AudioNode | null;
}
