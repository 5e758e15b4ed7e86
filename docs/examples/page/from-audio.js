import 'svc-speaker/define.js';

const speaker = document.querySelector('svc-speaker');

/** Speaks a text with the page's own backend, which answers with a file. */
export async function say(text) {
  const request = new Request('/say', { method: 'POST', body: text });
  await speaker.speakAudio(request, { text }).finished;
}

export function stop() {
  speaker.cancel(); // `say()` rejects with an AbortError, and the request is closed.
}
