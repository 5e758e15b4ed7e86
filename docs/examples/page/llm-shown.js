/** Shows an answer as it is written, and speaks it. */
export function showAndSpeak(speaker, answer, output) {
  const [toShow, toSpeak] = answer.tee();
  const shown = toShow.pipeTo(new WritableStream({ write: (text) => output.append(text) }));
  shown.catch(() => {}); // `finished` rejects with the same error
  return speaker.speak(toSpeak);
}
