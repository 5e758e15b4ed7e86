/** Shows an answer as it is written, and speaks it. */
export function showAndSpeak(speaker, answer, output) {
  const [toShow, toSpeak] = answer.tee();
  void toShow.pipeTo(new WritableStream({ write: (text) => output.append(text) }));
  return speaker.speak(toSpeak);
}
