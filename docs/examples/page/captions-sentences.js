/** Speaks a text sentence by sentence, so that each has its own caption. */
export function speakSentences(speaker, text) {
  const sentences = new Intl.Segmenter('en', { granularity: 'sentence' }).segment(text);
  return Array.from(sentences, ({ segment }) => speaker.speak(segment));
}
