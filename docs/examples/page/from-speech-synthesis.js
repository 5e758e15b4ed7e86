import 'svc-speaker/define.js';

const speaker = document.querySelector('svc-speaker');
speaker.sessionRequest = { timings: 'words' };

/** Speaks a text. `mark` gets the place of each word that is heard. */
export function say(text, mark) {
  const onWord = ({ word }) => mark(word.from, word.to);
  speaker.addEventListener('word', onWord);
  return speaker.speak(text).finished.finally(() => speaker.removeEventListener('word', onWord));
}

export function stop() {
  speaker.cancel(); // `say()` rejects with an AbortError.
}
