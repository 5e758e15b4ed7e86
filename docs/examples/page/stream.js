/** What README.md says of a stream, as a function of the names it takes for granted. */
export function speakStream(speaker, tokens, signal, stop) {
  // #region speak
  const utterance = speaker.speak(tokens, { signal }); // an AsyncIterable or ReadableStream of strings
  stop.onclick = () => utterance.cancel(); // silence at once, and the stream is cancelled too
  // #endregion
  return utterance;
}
