/** How much of the only utterance has been heard, in letters: an estimate, since no times of words are sent. */
export function lettersHeard(speaker, { text }) {
  const { buffered, currentTime } = speaker;
  const seconds = buffered.length > 0 ? buffered.end(0) : 0;
  return seconds > 0 ? Math.round((text.length * currentTime) / seconds) : 0;
}
