import type { SpeakerCommand } from './command.js';
import { PcmAssembler } from './pcm-assembler.js';

/** An utterance of a speaker in the worker, from `enqueue` until all of it has arrived or it is dropped. */
export interface SentUtterance {
  readonly serial: number;
  readonly contextId: string;
  /** True for an audio stream. Its `texts` are empty. */
  readonly isAudio: boolean;
  /** The text so far, in the pieces in which it is sent. Null if the session brings the words. */
  readonly texts: string[] | null;
  /** True if more text may follow. */
  more: boolean;
  /** Ids sent for it for which no `context_done` has arrived. Empty if the service speaks by itself. */
  contexts: string[];
  pcm: PcmAssembler;
  /** Number of samples received. */
  samples: number;
  /** Time of the first of them, in ms since the epoch; NaN before. */
  firstMs: number;
  /** True once the service has reported that it is finished. Frames may still be on the way. */
  done: boolean;
  cancelled: boolean;
}

/** Makes an utterance of which nothing has been sent yet. */
export function makeUtterance({
  serial,
  contextId,
  texts,
  more,
  isAudio = false,
}: Extract<SpeakerCommand, { type: 'enqueue' }>): SentUtterance {
  return {
    serial,
    contextId,
    isAudio,
    texts: texts && [...texts],
    more,
    contexts: [],
    pcm: new PcmAssembler(),
    samples: 0,
    firstMs: Number.NaN,
    done: false,
    cancelled: false,
  };
}

/** Prepares an utterance without any received sample to be sent on another connection. */
export function resetForRetry(utterance: SentUtterance): void {
  utterance.contexts = [];
  utterance.pcm = new PcmAssembler();
}
