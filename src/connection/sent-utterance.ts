import type { FailureCause, SpeakerCommand } from './command.js';
import { PcmAssembler } from './pcm-assembler.js';
import type { ReportedWord } from './word-times.js';

/** An utterance of a speaker in the worker, from `enqueue` until all of it has arrived or it is dropped. */
export interface SentUtterance {
  readonly serial: number;
  readonly contextId: string;
  /** True for an audio stream. Its `texts` are empty. */
  readonly isAudio: boolean;
  /** The text so far, in the pieces in which it is sent. Null if the session brings the words. */
  readonly texts: string[] | null;
  /** Number of these pieces that were sent. */
  sent: number;
  /** True if more text may follow. */
  more: boolean;
  /** Ids sent for it for which no `context_done` has arrived. Empty if the service speaks by itself. */
  contexts: string[];
  /** Id of the context for its text, and the number of such contexts on the connection so far. */
  context: string;
  contextCount: number;
  /** Pieces of text and samples before that context. */
  contextFrom: { readonly sent: number; readonly samples: number };
  /** Words whose times were reported. */
  words: ReportedWord[];
  pcm: PcmAssembler;
  /** Number of samples received. */
  samples: number;
  /** Time of the first of them, in ms since the epoch; NaN before. */
  firstMs: number;
  /** Pieces that were sent, and samples and words that were received, on connections that have ended well. */
  past: { readonly sent: number; readonly samples: number; readonly words: number };
  /** Reason why text that comes now cannot be spoken; null if it can. */
  refusal: FailureCause | null;
  /**
   * True once the service has reported that all contexts so far are finished. Frames may still be on the way, and text
   * too, if there is `more`.
   */
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
    sent: 0,
    more,
    contexts: [],
    context: '',
    contextCount: 0,
    contextFrom: { sent: 0, samples: 0 },
    words: [],
    pcm: new PcmAssembler(),
    samples: 0,
    firstMs: Number.NaN,
    past: { sent: 0, samples: 0, words: 0 },
    refusal: null,
    done: false,
    cancelled: false,
  };
}

/** Prepares an utterance to be sent on another connection, except for its past. */
export function resetForRetry(utterance: SentUtterance): void {
  utterance.sent = utterance.past.sent;
  utterance.contexts = [];
  utterance.contextCount = 0;
  utterance.words.length = utterance.past.words;
  utterance.pcm = new PcmAssembler();
  utterance.done = false;
}

/** Returns true if there are words to send: pieces of text, or those that the session brings. */
export function hasWords({ texts, sent }: SentUtterance): boolean {
  return texts === null || sent < texts.length;
}

/** Returns true if no audio has arrived on the latest connection. */
export function isUnheard({ samples, past }: SentUtterance): boolean {
  return samples === past.samples;
}
