/** A value that JSON can hold. */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [name: string]: JsonValue };

/**
 * A message to the service, sent as JSON. In its strings, `{text}` is the text to speak and `{context}` the id of the
 * utterance that it belongs to; `{voice}` and `{rate}` are the session's `voice_id` and `sample_rate`; other names are
 * those of {@link SpeechDialect.values}. A string that is nothing but one name becomes the value itself, so
 * `"{rate}"` becomes a number.
 */
export type MessageTemplate = { readonly [name: string]: JsonValue };

/**
 * Place of a value in a JSON message: names of fields, joined by dots, such as `alignment.chars`. One of the names may be
 * `*`, for each element of an array: `words.*.start` is the list of the starts of all words. A list of places means the
 * first of them that exists.
 */
export type MessagePath = string | readonly string[];

/** A condition of a JSON message. */
export interface MessageCondition {
  /** The value that decides. */
  readonly at: MessagePath;
  /** The value that it must be. If omitted, it must exist, and be neither null nor false nor an empty string. */
  readonly is?: string | number | boolean;
}

/** Places of the times of words in a message. The value at each place is a list; all lists have the same length. */
export interface WordTimes {
  /** Condition for a message with times. If omitted, it is one if there is a value at `start`. */
  readonly when?: MessageCondition;
  /** Offsets of the words in the text that was sent for the context. Alternatively, `words` or `characters`. */
  readonly from?: MessagePath;
  /** Offsets after the words. */
  readonly to?: MessagePath;
  /** The words themselves, as they are written or said. They are found in the text in their order. */
  readonly words?: MessagePath;
  /** The characters of the text, one string each. They are joined to words. */
  readonly characters?: MessagePath;
  /** Begin of each. */
  readonly start: MessagePath;
  /** End of each. */
  readonly end?: MessagePath;
  /** Duration of each, in place of `end`. */
  readonly duration?: MessagePath;
  /** Unit of the times: `s` (the default) or `ms`. */
  readonly unit?: 's' | 'ms';
  /** Zero of the times: the first sample of the context (the default), or of the audio in the same message. */
  readonly since?: 'context' | 'message';
  /** The sounds of the words, by their names in ARPAbet, with begin and end in the same unit. */
  readonly phones?: { readonly names: MessagePath; readonly start: MessagePath; readonly end: MessagePath };
}

/**
 * Describes how the socket of a speech service speaks. It is data: it can be sent as JSON with a session, it crosses
 * threads, and nothing in it is executed.
 *
 * The service gets text on contexts, one for each utterance, and sends mono PCM at the rate of the session.
 */
export interface SpeechDialect {
  /** Name of the dialect, for error messages. */
  readonly name: string;
  /** WebSocket subprotocols to ask for. Some services take their token there. */
  readonly subprotocols?: readonly string[];
  /**
   * Parameters of the session's URL that decide what the audio is, with the value that each must have if it is there. `{rate}`
   * is the session's `sample_rate`: `{ encoding: 'linear16', sample_rate: '{rate}' }`.
   */
  readonly query?: { readonly [name: string]: string };
  /** Values for the templates, beside those of the session. */
  readonly values?: { readonly [name: string]: JsonValue };
  /** Messages to the service. */
  readonly send: {
    /** Sent once, when the socket is open. */
    readonly open?: readonly MessageTemplate[];
    /** Sent before the first text of a context. */
    readonly begin?: readonly MessageTemplate[];
    /** Sent for each piece of text: a sentence, or more. */
    readonly text: readonly MessageTemplate[];
    /** Sent at the end of the text of a context. */
    readonly end: readonly MessageTemplate[];
    /**
     * Sent after `end`, once audio has followed the last words: for a service that drops what it has not begun when a context
     * is closed.
     */
    readonly close?: readonly MessageTemplate[];
    /**
     * Sent when the speech of a context is not wanted any more. Without it, the rest of the audio is received and
     * dropped.
     */
    readonly cancel?: readonly MessageTemplate[];
    /** Sent when a context has waited this many seconds for more text. */
    readonly keepAlive?: { readonly seconds: number; readonly messages: readonly MessageTemplate[] };
  };
  /** Messages of the service. */
  readonly receive: {
    /** Id of the context that a message belongs to. Without an id, it belongs to the oldest context that is not done. */
    readonly context?: MessagePath;
    /** Where audio is: in binary messages, after a header of `headerBytes` (0 if omitted), or as base64 in JSON. */
    readonly audio: { readonly binary: true; readonly headerBytes?: number } | { readonly base64: MessagePath };
    /** Format of the samples: 16-bit integers (the default) or 32-bit floats, both little-endian. */
    readonly format?: 's16le' | 'f32le';
    /** Says that all audio of a context was sent. Audio that follows while the text goes on is played all the same. */
    readonly done: MessageCondition;
    /**
     * Answers `cancel`, if messages carry no context: all audio before it is that of the cancelled context, and no
     * other message says that this one is done.
     */
    readonly cancelled?: MessageCondition;
    /** Says that something failed, and where the reason is. */
    readonly failed: MessageCondition & { readonly message: MessagePath };
    /** Where times of words are. */
    readonly times?: WordTimes;
  };
  /** The service forgets a context that has got no text and has sent no audio for this many seconds. */
  readonly contextIdleSeconds?: number;
  /** True if a socket speaks only one context. Each utterance then gets its own session. */
  readonly isOneContext?: boolean;
}

/** The protocol of interface-spec 2.4, with the times that `svc-service` adds. */
export const SVCTTS_V1: SpeechDialect = {
  name: 'svctts.v1',
  send: {
    text: [{ type: 'synthesize', context_id: '{context}', text: '{text}', segment_mode: 'auto' }],
    end: [{ type: 'end', context_id: '{context}' }],
  },
  receive: {
    context: 'context_id',
    audio: { binary: true, headerBytes: 12 },
    done: { at: 'type', is: 'context_done' },
    failed: { at: 'type', is: 'error', message: 'message' },
    times: {
      when: { at: 'type', is: 'timings' },
      from: 'words.*.from',
      to: 'words.*.to',
      start: 'words.*.start',
      end: 'words.*.end',
      phones: { names: 'phones.*.phone', start: 'phones.*.start', end: 'phones.*.end' },
    },
  },
};
