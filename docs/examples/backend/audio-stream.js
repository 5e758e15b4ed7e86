// #region route
/** POST /say: takes the text as its body, and answers with the speech while it is being made. */
export async function say(request) {
  const answer = await speechOf(await request.text());
  if (!answer.ok) return new Response('No speech.', { status: answer.status });
  return new Response(answer.body, { headers: { 'Content-Type': 'audio/pcm;rate=24000' } });
}
// #endregion

/** Put one of the functions below here. */
const speechOf = (text) => openai(text);

// #region openai
export function openai(text) {
  return fetch('https://api.openai.com/v1/audio/speech', {
    method: 'POST',
    headers: { Authorization: `Bearer ${process.env.OPENAI_API_KEY}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ model: 'gpt-4o-mini-tts', voice: 'alloy', input: text, response_format: 'pcm' }),
  });
}
// #endregion

// #region elevenlabs
export function elevenlabs(text, voice = '21m00Tcm4TlvDq8ikWAM') {
  return fetch(`https://api.elevenlabs.io/v1/text-to-speech/${voice}/stream?output_format=pcm_24000`, {
    method: 'POST',
    headers: { 'xi-api-key': process.env.ELEVENLABS_API_KEY, 'Content-Type': 'application/json' },
    body: JSON.stringify({ text, model_id: 'eleven_flash_v2_5' }),
  });
}
// #endregion

// #region cartesia
export function cartesia(text, voice) {
  return fetch('https://api.cartesia.ai/tts/bytes', {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${process.env.CARTESIA_API_KEY}`,
      'Cartesia-Version': '2026-08-14',
      'Content-Type': 'application/json',
    },
    body: JSON.stringify({
      model_id: 'sonic-3.5',
      transcript: text,
      voice,
      output_format: { container: 'raw', encoding: 'pcm_s16le', sample_rate: 24000 },
    }),
  });
}
// #endregion

// #region deepgram
export function deepgram(text) {
  const format = 'encoding=linear16&container=none&sample_rate=24000';
  return fetch(`https://api.deepgram.com/v1/speak?model=aura-2-thalia-en&${format}`, {
    method: 'POST',
    headers: { Authorization: `Token ${process.env.DEEPGRAM_API_KEY}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ text }),
  });
}
// #endregion

// #region azure
export function azure(text, region = 'westeurope') {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const attributes = 'version="1.0" xmlns="http://www.w3.org/2001/10/synthesis" xml:lang="en-US"';
  return fetch(`https://${region}.tts.speech.microsoft.com/cognitiveservices/v1`, {
    method: 'POST',
    headers: {
      'Ocp-Apim-Subscription-Key': process.env.AZURE_SPEECH_KEY,
      'Content-Type': 'application/ssml+xml',
      'X-Microsoft-OutputFormat': 'raw-24khz-16bit-mono-pcm',
      'User-Agent': 'speech-backend',
    },
    body: `<speak ${attributes}><voice name="en-US-AvaMultilingualNeural">${escaped}</voice></speak>`,
  });
}
// #endregion
