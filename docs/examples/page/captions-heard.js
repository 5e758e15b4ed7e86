/** Estimates how many letters of the only utterance have been heard. The service sends no word times. */
export function lettersHeard(speaker, { text }) {
  const { buffered, currentTime } = speaker;
  const seconds = buffered.length > 0 ? buffered.end(0) : 0;
  return seconds > 0 ? Math.round((text.length * currentTime) / seconds) : 0;
}
