import type { JsonValue, SpeechDialect } from '../protocol/speech-dialect.js';

/** All fields but the text and `continue` must be the same in each message of a context. */
const request: { readonly [name: string]: JsonValue } = {
  context_id: '{context}',
  model_id: '{model}',
  voice: { mode: 'id', id: '{voice}' },
  language: '{language}',
  output_format: { container: 'raw', encoding: 'pcm_s16le', sample_rate: '{rate}' },
  add_timestamps: true,
  // Sentences are complete when they are sent, so the service need not wait for more text.
  max_buffer_delay_ms: 0,
};

/**
 * Cartesia, `wss://api.cartesia.ai/tts/websocket?cartesia_version=VERSION&access_token=TOKEN`.
 *
 * `values.model` is the model (`sonic-3` unless set), `values.language` the language (`en`). The voice is the session's
 * `voice_id`.
 *
 * Sources: docs.cartesia.ai, "Text to Speech (WebSocket)" and "Contexts" (versions 2024-11-13 to 2026-03-01), and the
 * types of cartesia-ai/cartesia-js (2026-07-22). Not run against the live service.
 */
export const cartesia: SpeechDialect = {
  name: 'cartesia',
  values: { model: 'sonic-3', language: 'en' },
  send: {
    text: [{ ...request, transcript: '{text}', continue: true }],
    end: [{ ...request, transcript: '', continue: false }],
    cancel: [{ context_id: '{context}', cancel: true }],
  },
  receive: {
    context: 'context_id',
    audio: { base64: 'data' },
    done: { at: 'type', is: 'done' },
    failed: { at: 'type', is: 'error', message: ['message', 'error', 'title'] },
    times: {
      words: 'word_timestamps.words',
      start: 'word_timestamps.start',
      end: 'word_timestamps.end',
    },
  },
  // Its contexts end one second after their last audio.
  contextIdleSeconds: 0.8,
};
