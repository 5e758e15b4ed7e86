/** How the socket of some service speaks: `{"say":"…"}` and `{"end":true}` go there, samples as base64 come back. */
export const dialect = {
  name: 'some-service',
  send: {
    begin: [{ start: { voice: '{voice}', rate: '{rate}', id: '{context}' } }],
    text: [{ say: '{text}', id: '{context}' }],
    end: [{ end: true, id: '{context}' }],
    cancel: [{ stop: true, id: '{context}' }],
  },
  receive: {
    context: 'id',
    audio: { base64: 'chunk.pcm' },
    done: { at: 'event', is: 'finished' },
    failed: { at: 'event', is: 'failed', message: ['reason', 'code'] },
    times: { words: 'chunk.words.*.word', start: 'chunk.words.*.from', end: 'chunk.words.*.to', unit: 'ms' },
  },
};

/** Takes a session from the page's own backend, which knows the key. */
export const sessionProvider = async ({ signal }) => {
  const { url } = await (await fetch('/some-service/session', { method: 'POST', signal })).json();
  return { url, sample_rate: 24000, voice_id: 'anna', dialect };
};
