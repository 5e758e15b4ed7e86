/** Name under which the tap's processor is registered. */
export const TAP_NAME = 'svc-speaker-tap';

/** Samples of one input of the tap that played without interruption. */
export interface TapPiece {
  /** Input of the tap. */
  readonly index: number;
  /** Context frame of the first sample. */
  readonly frame: number;
  /** Samples of each channel. */
  readonly length: number;
  /** 1 or 2. */
  readonly channels: number;
  /** Samples, one channel after the other. */
  readonly samples: Float32Array<ArrayBuffer>;
}

/** Message of the tap: a piece, or the answer to a message: the frame up to which the pieces before it reach. */
export type TapMessage = TapPiece | { readonly frame: number };
