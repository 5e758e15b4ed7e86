import { LETTER } from '../base/word-finder.js';
import type { FailureCause, SpeakerCommand } from './command.js';
import { PcmAssembler } from './pcm-assembler.js';
import type { ReportedWord } from './word-times.js';

/** An utterance of a speaker in the worker, from `enqueue` until all of it has arrived or it is dropped. */
export interface SentUtterance {
  readonly serial: number;
  readonly contextId: string;
  /** True for an audio stream. Its `texts` are empty. */
  readonly isAudio: boolean;
  /** Seconds of silence at its end. */
  readonly pause: number;
  /** The text so far, in the pieces in which it is sent. Null if the session brings the words. */
  readonly texts: string[] | null;
  /** Number of these pieces that were sent, and of the characters of the next one that are spoken already. */
  sent: number;
  skip: number;
  /** Number of pieces that were sent before the latest audio: the service has not answered the ones after them. */
  answered: number;
  /** Time without audio before the first of those was sent, in ms. */
  quietMs: number;
  /** True if more text may follow. */
  more: boolean;
  /** Ids sent for it for which no `context_done` has arrived. Empty if the service speaks by itself. */
  contexts: string[];
  /** Id of the context for its text, and the number of such contexts on the connection so far. */
  context: string;
  contextCount: number;
  /** Characters of text and samples before that context. */
  contextFrom: { readonly offset: number; readonly samples: number };
  /** Words whose times were reported, and the number of those that were received whole. */
  words: ReportedWord[];
  wholeWords: number;
  pcm: PcmAssembler;
  /** Number of samples received. */
  samples: number;
  /** Times of the first and the latest of them, in ms since the epoch; NaN before. */
  firstMs: number;
  lastMs: number;
  /** The beginning that is spoken for certain: it is not sent again. */
  past: SpokenPart;
  /** Number of times that the rest was sent to another connection because one had died in the middle. */
  resumptions: number;
  /** True from then until audio of the rest arrives. */
  isResuming: boolean;
  /** Reason why text that comes now cannot be spoken; null if it can. */
  refusal: FailureCause | null;
  /**
   * True once the service has reported that all contexts so far are finished. Frames may still be on the way, and text
   * too, if there is `more`.
   */
  done: boolean;
  cancelled: boolean;
}

/** The beginning of an utterance: its text, and the samples that speak it. */
export interface SpokenPart {
  /** Whole pieces of text, and characters of the piece after them. */
  readonly sent: number;
  readonly skip: number;
  readonly samples: number;
  /** Number of words with times. */
  readonly words: number;
}

/** Makes an utterance of which nothing has been sent yet. */
export function makeUtterance({
  serial,
  contextId,
  texts,
  more,
  isAudio = false,
  pause = 0,
}: Extract<SpeakerCommand, { type: 'enqueue' }>): SentUtterance {
  return {
    serial,
    contextId,
    isAudio,
    pause,
    texts: texts && [...texts],
    sent: 0,
    skip: 0,
    answered: 0,
    quietMs: 0,
    more,
    contexts: [],
    context: '',
    contextCount: 0,
    contextFrom: { offset: 0, samples: 0 },
    words: [],
    wholeWords: 0,
    pcm: new PcmAssembler(),
    samples: 0,
    firstMs: Number.NaN,
    lastMs: Number.NaN,
    past: { sent: 0, skip: 0, samples: 0, words: 0 },
    resumptions: 0,
    isResuming: false,
    refusal: null,
    done: false,
    cancelled: false,
  };
}

/** Prepares an utterance to be sent on another connection, except for its past. */
export function resetForRetry(utterance: SentUtterance): void {
  const { sent, skip, words } = utterance.past;
  utterance.sent = utterance.answered = sent;
  utterance.skip = skip;
  utterance.contexts = [];
  utterance.contextCount = 0;
  utterance.words.length = utterance.wholeWords = words;
  utterance.pcm = new PcmAssembler();
  utterance.done = false;
}

/** Adds a piece to the text; null ends it. Has no effect on a text that is over. */
export function addText(utterance: SentUtterance, text: string | null): void {
  if (!utterance.more) return;
  if (text === null) utterance.more = false;
  else utterance.texts?.push(text);
}

/** Returns true if there are words to send: pieces of text, or those that the session brings. */
export function hasWords({ texts, sent }: SentUtterance): boolean {
  return texts === null || sent < texts.length;
}

/** Returns all of it so far: for an utterance whose text so far is spoken. */
export function spokenSoFar({ sent, skip, samples, words }: SentUtterance): SpokenPart {
  return { sent, skip, samples, words: words.length };
}

/** Returns the part for which audio has arrived: all that was sent, except for words that were sent after the latest audio. */
export function answeredPart(utterance: SentUtterance): SpokenPart {
  const { answered: sent, samples, words } = utterance;
  return hasUnanswered(utterance) ? { sent, skip: 0, samples, words: words.length } : spokenSoFar(utterance);
}

/** Returns true if words were sent after the latest audio. */
export function hasUnanswered(utterance: SentUtterance): boolean {
  return hasSentWords(utterance, utterance.answered);
}

/** Returns true if the pieces of text that were sent have words, from number `from` on. */
export function hasSentWords({ texts, sent }: SentUtterance, from: number): boolean {
  return LETTER.test((texts ?? []).slice(from, sent).join(''));
}

/** Returns true if there are words in the text of its last context, and no audio. */
export function isUnspoken({ texts, samples, contextFrom }: SentUtterance): boolean {
  return samples === contextFrom.samples && LETTER.test((texts ?? []).join('').slice(contextFrom.offset));
}

/** Returns the length of the text that was sent, in characters. */
export function sentLength({ texts, sent, skip }: SentUtterance): number {
  return (texts ?? []).slice(0, sent).reduce((sum, text) => sum + text.length, skip);
}

/** Returns true if no audio has arrived after the part that is spoken for certain. */
export function isUnheard({ samples, past }: SentUtterance): boolean {
  return samples === past.samples;
}
