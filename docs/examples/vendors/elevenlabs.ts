import { ElevenLabsClient } from '@elevenlabs/elevenlabs-js';

/** Makes the request of `elevenlabs` in docs/examples/backend/audio-stream.js. The SDK reads `ELEVENLABS_API_KEY`. */
export async function elevenlabs(text: string, voice = '21m00Tcm4TlvDq8ikWAM'): Promise<Response> {
  const client = new ElevenLabsClient({ maxRetries: 0 });
  const request = { text, modelId: 'eleven_flash_v2_5', outputFormat: 'pcm_24000' } as const;
  return new Response(await client.textToSpeech.stream(voice, request));
}
