import Cartesia from '@cartesia/cartesia-js';

/** Makes the request of `cartesia` in docs/examples/backend/audio-stream.js. */
export function cartesia(text: string, voice: string): Promise<Response> {
  const client = new Cartesia({ apiKey: process.env['CARTESIA_API_KEY']!, maxRetries: 0 });
  return client.tts.generate({
    model_id: 'sonic-3.5',
    transcript: text,
    voice,
    output_format: { container: 'raw', encoding: 'pcm_s16le', sample_rate: 24000 },
  });
}
