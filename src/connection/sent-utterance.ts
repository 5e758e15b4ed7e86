import type { SpeakerCommand } from './command.js';
import { PcmAssembler } from './pcm-assembler.js';

/** An utterance of a speaker in the worker, from `enqueue` until no more of it will arrive. */
export interface SentUtterance {
  readonly serial: number;
  readonly contextId: string;
  /** It is an audio stream. Its `texts` are empty. */
  readonly isAudio: boolean;
  /** Its text so far, in the pieces in which it is sent. Null: the session brings the words. */
  readonly texts: string[] | null;
  /** More text may follow. */
  more: boolean;
  /** Ids sent for it whose `context_done` has not arrived. Empty if the service speaks by itself. */
  contexts: string[];
  pcm: PcmAssembler;
  /** Samples received. */
  samples: number;
  /** The service reported that it is finished. Frames may still be on the way. */
  done: boolean;
  cancelled: boolean;
}

/** Makes an utterance of which nothing was sent yet. */
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
    done: false,
    cancelled: false,
  };
}

/** Prepares an utterance that got no sample to be sent on another connection. */
export function resetForRetry(utterance: SentUtterance): void {
  utterance.contexts = [];
  utterance.pcm = new PcmAssembler();
}
