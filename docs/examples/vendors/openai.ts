import OpenAI from 'openai';

/** Makes the request of `openai` in docs/examples/backend/audio-stream.js. The SDK reads `OPENAI_API_KEY`. */
export function openai(text: string): Promise<Response> {
  const client = new OpenAI({ maxRetries: 0 });
  const model: OpenAI.Audio.SpeechModel = 'gpt-4o-mini-tts';
  return client.audio.speech.create({ model, voice: 'alloy', input: text, response_format: 'pcm' });
}
