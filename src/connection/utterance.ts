import { PcmAssembler } from './pcm-assembler.js';

/** One utterance of a speaker, from `enqueue` until nothing more of it will come. */
export interface Utterance {
  readonly serial: number;
  readonly contextId: string;
  /** What has been given of its text, in pieces, to be sent as they are. Null: the session itself brings it. */
  readonly texts: string[] | null;
  /** More of its text may follow. */
  more: boolean;
  /** Ids sent on the socket for it whose `context_done` has not come. Empty if the service speaks unasked. */
  contexts: string[];
  pcm: PcmAssembler;
  /** Samples received. */
  samples: number;
  /** How often it was tried again. */
  attempts: number;
  /** The service said that it is finished. Frames may still be on the way. */
  done: boolean;
  cancelled: boolean;
}

/** An utterance of which nothing was sent yet. */
export function makeUtterance(
  serial: number,
  contextId: string,
  texts: readonly string[] | null,
  more: boolean,
): Utterance {
  return {
    serial,
    contextId,
    texts: texts && [...texts],
    more,
    contexts: [],
    pcm: new PcmAssembler(),
    samples: 0,
    attempts: 0,
    done: false,
    cancelled: false,
  };
}

/** Makes an utterance that got no sample ready to be sent on another socket. */
export function resetForRetry(utterance: Utterance): void {
  utterance.contexts = [];
  utterance.pcm = new PcmAssembler();
  utterance.attempts++;
}
