import 'svc-speaker/define.js';

const speaker = document.querySelector('svc-speaker');

// #region say
/** Speaks a text with the page's own backend. Resolves when the last word has been heard. */
export async function say(text) {
  const request = new Request('/say', { method: 'POST', body: text });
  await speaker.speakAudio(request, { text }).finished;
}
// #endregion

// #region inputs
/** Plays a file that the user has chosen, and then bytes that the page has made itself. */
export function playHere(file, samples) {
  speaker.speakAudio(file);
  return speaker.speakAudio(samples.buffer, { sampleRate: 24000 });
}
// #endregion
