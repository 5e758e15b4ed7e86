/** The stream example of README.md, in a function that declares its variables. */
export function speakStream(speaker, tokens, signal, stop) {
  // #region speak
  const utterance = speaker.speak(tokens, { signal }); // an AsyncIterable or ReadableStream of strings
  stop.onclick = () => utterance.cancel(); // silence at once, and the stream is cancelled too
  // #endregion
  return utterance;
}
