import type { SpeechDialect } from '../protocol/speech-dialect.js';

const query = { output_format: 'pcm_{rate}' } as const;

const receive: SpeechDialect['receive'] = {
  context: ['contextId', 'context_id'],
  audio: { base64: 'audio' },
  done: { at: ['isFinal', 'is_final'], is: true },
  failed: { at: 'error', message: ['message', 'error.message', 'error'] },
  times: {
    // The written text, since the spoken one has Chinese in Latin letters; some sentences have only the spoken one.
    characters: ['alignment.chars', 'normalizedAlignment.chars'],
    start: [
      'alignment.charStartTimesMs',
      'alignment.charsStartTimesMs',
      'normalizedAlignment.charStartTimesMs',
      'normalizedAlignment.charsStartTimesMs',
    ],
    duration: [
      'alignment.charDurationsMs',
      'alignment.charsDurationsMs',
      'normalizedAlignment.charDurationsMs',
      'normalizedAlignment.charsDurationsMs',
    ],
    unit: 'ms',
    since: 'message',
  },
};

/**
 * ElevenLabs, `wss://api.elevenlabs.io/v1/text-to-speech/VOICE/multi-stream-input` with `output_format=pcm_RATE`, and
 * `sync_alignment=true` for times of words. Each sentence is spoken at once (`flush`).
 *
 * `values.settings` are the `voice_settings`, such as `{ stability: 0.5 }`.
 *
 * Sources: AsyncAPI document in elevenlabs/elevenlabs-docs (2025-08-25), types of elevenlabs/elevenlabs-js
 * (2026-07-01), and what clients of others accept, where these two differ. Not run against the live service.
 */
export const elevenLabs: SpeechDialect = {
  name: 'elevenLabs',
  query,
  values: { settings: {} },
  send: {
    begin: [{ text: ' ', context_id: '{context}', voice_settings: '{settings}' }],
    text: [{ text: '{text} ', context_id: '{context}', flush: true }],
    end: [{ text: '', context_id: '{context}', flush: true }],
    // Sent at once, it makes the service drop text that it has not begun, without a word (pipecat issue 4681).
    close: [{ context_id: '{context}', close_context: true }],
    cancel: [{ context_id: '{context}', close_context: true }],
    keepAlive: { seconds: 15, messages: [{ text: '', context_id: '{context}' }] },
  },
  receive,
};

/**
 * ElevenLabs, `wss://api.elevenlabs.io/v1/text-to-speech/VOICE/stream-input`, with the same parameters: a socket speaks one
 * utterance, so each needs a session of its own. Prefer {@link elevenLabs}.
 *
 * Sources: as there.
 */
export const elevenLabsStreamInput: SpeechDialect = {
  name: 'elevenLabsStreamInput',
  query,
  values: { settings: {} },
  send: {
    begin: [{ text: ' ', voice_settings: '{settings}' }],
    text: [{ text: '{text} ', flush: true }],
    end: [{ text: '' }],
    keepAlive: { seconds: 15, messages: [{ text: ' ' }] },
  },
  receive,
  isOneContext: true,
};
