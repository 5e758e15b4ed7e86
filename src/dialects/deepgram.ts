import type { SpeechDialect } from '../protocol/speech-dialect.js';

const query = { encoding: 'linear16', sample_rate: '{rate}' } as const;

/**
 * Deepgram, `wss://api.deepgram.com/v1/speak?model=MODEL&encoding=linear16&sample_rate=RATE`. It reports no times of words.
 *
 * A page passes the token as a subprotocol: `{ ...deepgram, subprotocols: ['bearer', token] }`.
 *
 * Sources: developers.deepgram.com, "Text to Speech Stream" with its pages about Flush and Clear, and the types of
 * deepgram/deepgram-js-sdk (2026-08-14). Not run against the live service.
 */
export const deepgram: SpeechDialect = {
  name: 'deepgram',
  query,
  send: {
    text: [{ type: 'Speak', text: '{text}' }],
    end: [{ type: 'Flush' }],
    cancel: [{ type: 'Clear' }],
  },
  receive: {
    audio: { binary: true },
    done: { at: 'type', is: 'Flushed' },
    cancelled: { at: 'type', is: 'Cleared' },
    failed: { at: 'type', is: 'Error', message: ['description', 'message'] },
  },
};

/**
 * Flux of Deepgram, whose models are named `flux-…`:
 * `wss://api.deepgram.com/v2/speak?model=MODEL&encoding=linear16&sample_rate=RATE`. An utterance is a turn. It reports no
 * times of words.
 *
 * A page passes the token as a subprotocol: `{ ...deepgramFlux, subprotocols: ['bearer', token] }`.
 *
 * Sources: developers.deepgram.com, the pages of Flux TTS about client messages, server messages and interruptions, and the
 * types of deepgram/deepgram-js-sdk 5.13.0 (2026-11-28). Not run against the live service.
 */
export const deepgramFlux: SpeechDialect = {
  name: 'deepgramFlux',
  query,
  send: {
    ...deepgram.send,
    cancel: [{ type: 'Interrupt' }],
  },
  receive: {
    ...deepgram.receive,
    done: { at: 'type', is: 'SpeechMetadata' },
    // `SpeechInterrupted`, or `SpeechMetadata` of a turn that was over: `Interrupt` is then answered with a warning only.
    cancelled: { at: ['metadata.input_character_count', 'input_character_count'] },
  },
};
