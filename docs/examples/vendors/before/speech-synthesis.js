/** Speaks a text. `mark` gets the place of each word that is heard. */
export function say(text, mark) {
  return new Promise((resolve, reject) => {
    const utterance = new SpeechSynthesisUtterance(text);
    utterance.onboundary = ({ charIndex, charLength }) => mark(charIndex, charIndex + charLength);
    utterance.onend = resolve;
    utterance.onerror = ({ error }) => reject(new Error(error));
    speechSynthesis.speak(utterance);
  });
}

export function stop() {
  speechSynthesis.cancel();
}
