import { DeepgramClient } from '@deepgram/sdk';

/** Makes the request of `deepgram` in docs/examples/backend/audio-stream.js. The SDK reads `DEEPGRAM_API_KEY`. */
export async function deepgram(text: string): Promise<Response> {
  const client = new DeepgramClient({ maxRetries: 0 });
  const format = { encoding: 'linear16', container: 'none', sample_rate: 24000 } as const;
  const answer = await client.speak.v1.audio.generate({ text, model: 'aura-2-thalia-en', ...format });
  return new Response(answer.stream());
}
