/** Options of the page's part of the recorder. */
export interface PageRecorderOptions {
  /** Forced on every context, in Hz; null for each context's own rate. */
  readonly sampleRate: number | null;
  /** True to record at once instead of after `start()`. */
  readonly fromStart: boolean;
  /** Source text of the tap's processor, and the URL of the same text; null for a blob. */
  readonly processor: string;
  readonly processorUrl: string | null;
}

/** Samples that were played without interruption. */
export interface RecordedPiece {
  /** Context frame of the first sample. */
  readonly frame: number;
  /** Samples of each channel. */
  readonly length: number;
  /** 1 or 2. */
  readonly channels: number;
}

/** A source that the page connected to a destination, and the sound it has played. Between its pieces it was silent. */
export interface RecordedSource {
  /** Id of the source in the page. */
  readonly id: number;
  /** Id of its context. */
  readonly context: number;
  /** Pieces in order, without those that the caller already has. */
  readonly pieces: readonly RecordedPiece[];
  /** Samples of the pieces, one channel after the other: Float32 in base64. */
  readonly samples: string;
}

/** An audio context of the page, or the recorder's own for media elements. */
export interface RecordedContext {
  readonly id: number;
  readonly sampleRate: number;
  /** Recorded frames: `[from, to)`. */
  readonly from: number;
  readonly to: number;
  /** Render time of frame 0, in milliseconds since the epoch; as precise as the page's clock of the context. */
  readonly epoch: number;
  /** In seconds, as in the element's statistics: an estimate where the browser does not report it. */
  readonly outputLatency: number;
}

/** A moment from which a matcher can measure time. */
export interface RecordedMark {
  readonly name: string;
  /** Current frame of each context, by context id. */
  readonly frames: readonly number[];
}

/** A snapshot of the recorder. */
export interface PageRecording {
  readonly contexts: readonly RecordedContext[];
  readonly sources: readonly RecordedSource[];
  readonly marks: readonly RecordedMark[];
}

/** Resources that the page holds. */
export interface PageCounts {
  /** Audio contexts that are not closed. */
  readonly contexts: number;
  /**
   * Workers that were not terminated, and shared workers whose port was not closed. A worker that closed itself is
   * still counted.
   */
  readonly workers: number;
}

/** The recorder in the page: `window.svcSpeakerRecorder`. */
export interface PageRecorder {
  /** Starts to keep the played sound. */
  start(): Promise<void>;
  /**
   * @param speaker - A speaker or media element whose output is requested; null for all audible sound.
   * @param had - Number of pieces that the caller already has, by source id.
   */
  read(speaker: Element | null, had: Readonly<Record<number, number>>): Promise<PageRecording>;
  mark(name: string): void;
  count(): PageCounts;
}

declare global {
  interface Window {
    svcSpeakerRecorder: PageRecorder;
  }
}
